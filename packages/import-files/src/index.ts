export { openImportFile, type ImportFile } from './open-import-file.js'
