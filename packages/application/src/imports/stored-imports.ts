import {
  importAttributes,
  importRows,
  importShape,
  mostOpenImports,
} from '@publishing-service/domain/imports'
import { systemCollections } from '../collections.js'
import { wholeCodec } from '../decode-stored.js'
import { StoredJobs } from '../jobs/stored-jobs.js'

/** Imports as they are stored. */
export const storedImports = new StoredJobs({
  codec: wholeCodec(systemCollections.imports.name, importAttributes),
  shape: importShape,
  rows: importRows,
  what: 'imports',
  most: mostOpenImports,
  canceled: {},
})
