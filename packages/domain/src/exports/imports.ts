/** Objects of other systems, in the form in which they are imported. */
export {
  bodyNote,
  fileNote,
  ImportedObject,
  importedObject,
  importRecord,
  type ImportNote,
  type ImportOrigin,
  type ImportRecord,
  type ImportSource,
} from '../imports/imported-object.js'
export {
  importKinds,
  importOptions,
  importOptionTypes,
  plainMapping,
  tableCollections,
  type ForeignKind,
  type ImportKind,
  type ImportOptionsOf,
  type TableCollection,
  type TableMapping,
} from '../imports/import-options.js'
export type { ImportedMedia, OpenMedia } from '../imports/imported-media.js'
export {
  importAttributes,
  importLineAttributes,
  importLineRows,
  importOutcomes,
  importRows,
  importShape,
  importTime,
  mostOfLine,
  mostOpenImports,
  noCounts,
  type ImportOutcome,
  type StoredImport,
} from '../imports/import-job.js'
export { readImportedObject } from '../imports/read-imported-object.js'
export { attributesWithout, itemsWithout, namedAttributes, partLeftOut } from '../imports/left-out.js'
export { urlnameOf } from '../value/fold.js'
