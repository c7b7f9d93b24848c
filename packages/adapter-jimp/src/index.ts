export { jimpImaging } from './jimp-imaging.js'
export type { JimpImagingOptions } from './imaging-limits.js'
