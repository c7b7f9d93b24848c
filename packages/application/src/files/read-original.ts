import { pipe, TE, type Problem } from '@publishing-service/domain'
import type { BlobStore } from '@publishing-service/ports'
import type { Outcome } from '../failure.js'
import { originalBlob } from './blob-paths.js'

export const outdated: Problem = {
  _tag: 'NotFound',
  hint: 'This download address is outdated: request the metadata of the file again for the current one.',
}

/** The chunks of an upload's data, without a check of their size or checksum. */
export const readOriginal = (
  blobs: Pick<BlobStore, 'read'>,
  upload: string,
): Outcome<AsyncIterable<Uint8Array>> =>
  pipe(
    blobs.read(originalBlob(upload)),
    TE.bimap(
      (failure) => (failure._tag === 'BlobNotFound' ? outdated : failure),
      ({ chunks }) => chunks,
    ),
  )
