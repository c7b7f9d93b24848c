export { UnreadableZip, ZipReader } from './zip-reader.js'
export { ZipWriter } from './zip-writer.js'
