export { imagingInProcesses, type ImagingAdapter, type ImagingOptions } from './imaging-in-processes.js'
