export { readSample, readSampleOutline, type Sample, type SampleOutline } from './read-sample.js'
