/** Exports of an instance over HTTP (docs/behaviour/exports.md). */
import { notFound } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { exportAttributes, newJob } from '@publishing-service/domain/jobs'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Listing, Parameters } from '@publishing-service/domain/lists'
import { operations } from '@publishing-service/domain/roles'
import { chunksOf } from '@publishing-service/ports'
import { draftOf } from '../administration/draft-of.js'
import { fail } from '../attempt.js'
import { internalError } from '../failure.js'
import { addressOnly, type Download } from '../files/download-file.js'
import { beginReading, verifiedChunks } from '../files/file-blobs.js'
import type { ReadOperation, WriteOperation } from '../operation.js'
import { exportBlob } from './export-blobs.js'
import { storedExports } from './stored-exports.js'

type Named = { readonly id: string }

export const listExports: ReadOperation<{ readonly parameters: Parameters }, Listing> = {
  ...operations.listExports,
  run: (session, { parameters }) => storedExports.list(session, parameters),
}

export const readExport: ReadOperation<Named, JsonObject> = {
  ...operations.readExport,
  run: (session, { id }) => storedExports.read(session, id),
}

/** Has the service export the instance, after the exports before it. */
export const createExport: WriteOperation<{ readonly body: JsonObject }, string> = {
  ...operations.createExport,
  changed: (_input, id) => ({ object: id }),
  run: async (session, { body }) => {
    const { clock, instance, user } = session
    const { history } = draftOf(session, exportAttributes, 'put', body, null)
    return storedExports.add(session, {
      ...newJob(instance.number, user, clock.now()),
      history,
      step: null,
      documents: null,
      blobs: null,
      without_data: null,
      bytes: null,
      filename: null,
      sha256: null,
    })
  },
}

/** Cancels an export that waits or runs; removes one that has ended, with its file. */
export const removeExport: WriteOperation<Named, void> = {
  ...operations.removeExport,
  changed: ({ id }) => ({ object: id }),
  run: (session, { id }) => storedExports.remove(session, id),
}

/** The file of an export that is finished. */
export const downloadExport: ReadOperation<Named, Download> = {
  ...operations.downloadExport,
  run: async (session, { id }) => {
    const { state, filename, bytes, sha256 } = await storedExports.find(session, id)
    const { blobs, checksum, instance, log } = session
    if (state !== 'finished' || filename === null || bytes === null || sha256 === null) return fail(notFound)
    const key = exportBlob(instance.number, id)
    return {
      mimetype: 'application/zip',
      filename,
      bytes,
      tag: sha256,
      dependsOn: addressOnly,
      isStored: false,
      read: async (range) => {
        const opened = await blobs.read(key, range)()
        if (E.isLeft(opened)) return fail(opened.left._tag === 'PortFailure' ? opened.left : notFound)
        const { chunks } = opened.right
        return beginReading(
          range === undefined
            ? verifiedChunks(chunks, { bytes, sha256 }, checksum(), () => {
                log.write('error', 'export damaged', { instance: instance.number, export: id })
                return internalError
              })
            : chunksOf(range.end - range.start + 1, chunks),
        )
      },
    }
  },
}
