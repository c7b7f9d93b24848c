export { openApiDocument } from './document.js'
export { examplesOf } from './examples.js'
