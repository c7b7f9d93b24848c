export { readSample } from './read-sample.js'
export type { Collection, Sample, SampleObject, Slot, Tagging, Upload } from './sample.js'
