export { sharpImaging, type SharpImagingOptions } from './sharp-imaging.js'
