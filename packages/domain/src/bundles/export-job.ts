/** Exports of an instance that the service makes by itself (docs/behaviour/exports.md). */
import { jobAttributes, jobFilters } from '../jobs/job.js'
import { defaulted, derived, stored, type WholeOf } from '../resource/attribute.js'
import type { Queryable } from '../resource/collection-query.js'
import {
  internal,
  nullable,
  readOnly,
  serviceNumber,
  serviceText,
  uriSchema,
} from '../resource/shown-attribute.js'
import { boolean } from '../value/scalar.js'

export const exportAttributes = {
  ...jobAttributes,
  history: defaulted(boolean, false, 'Whether it has the records of changes, with earlier versions.'),
  step: stored(
    serviceText,
    'What is done at present, which `done` and `total` are of; null while nothing is.',
    readOnly,
  ),
  documents: stored(serviceNumber, 'Documents in the file; null until it is finished.', readOnly),
  blobs: stored(serviceNumber, 'Data of files in it; null until it is finished.', readOnly),
  without_data: stored(
    serviceNumber,
    'Files whose data is missing in the store; null until it is finished.',
    readOnly,
  ),
  bytes: stored(serviceNumber, 'Size of the file; null until it is finished.', readOnly),
  download_url: derived(
    uriSchema,
    'Address of the file, for admins; null until it is finished.',
    ({ state }: { readonly state?: unknown }, { links, id }) =>
      state === 'finished' ? `${links.object('exports', id)}/download` : null,
    nullable,
  ),
  filename: stored(serviceText, 'Name of the file.', internal),
  sha256: stored(serviceText, 'Checksum of the file.', internal),
} as const

/** An export as it is stored. Times are in milliseconds since 1970. */
export type StoredExportJob = WholeOf<typeof exportAttributes>

export const exportRows: Queryable = {
  attributes: exportAttributes,
  initialFields: ['uuid', 'history', 'state', 'created', 'bytes', 'download_url'],
  orders: { created: 'created' },
  filters: jobFilters('Exports'),
}

/** Exports of an instance that wait or run. */
export const mostOpenExports = 3

/** Milliseconds for which exports that have ended are retained, with their files. */
export const exportTime = 7 * 86_400_000
