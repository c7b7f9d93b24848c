export { readSample, type Sample } from './read-sample.js'
