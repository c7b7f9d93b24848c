import { exportAttributes, exportRows, mostOpenExports } from '@publishing-service/domain/jobs'
import { systemCollections } from '../collections.js'
import { wholeCodec } from '../decode-stored.js'
import { StoredJobs } from '../jobs/stored-jobs.js'

/** Exports as they are stored. */
export const storedExports = new StoredJobs({
  codec: wholeCodec(systemCollections.exports.name, exportAttributes),
  shape: { attributes: exportAttributes },
  rows: exportRows,
  what: 'exports',
  most: mostOpenExports,
  canceled: { step: null },
})
