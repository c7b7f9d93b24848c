export { openApiDocument } from './document.js'
export { examplePath } from './examples/example-parameters.js'
