export { jimpImaging, type JimpImagingOptions } from './jimp-imaging.js'
