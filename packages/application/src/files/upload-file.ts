import { stateIn, file, type File, type Problem } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import {
  dataTypeFrom,
  leastForPlaceholder,
  mimetypeGroup,
  recordedImage,
  recordImage,
  recordUpload,
  srcsetRenderings,
  uploadLimit,
  type Upload,
} from '@publishing-service/domain/files'
import { operations, writeProblem } from '@publishing-service/domain/roles'
import { withoutChange } from '@publishing-service/domain/engine'
import {
  isPortFailure,
  portFailure,
  type BlobReceipt,
  type BlobTooLarge,
  type BodyInterrupted,
  type PortFailure,
} from '@publishing-service/ports'
import { attempt, isFailure, throwIf } from '../attempt.js'
import { tooLarge, type Failure } from '../failure.js'
import { checkPrecondition } from '../engine/read-one.js'
import { changeObject, updateDocument, writeUnchanged } from '../engine/update-document.js'
import type { WriteOperation } from '../operation.js'
import type { Session } from '../session.js'
import { originalData } from './download-file.js'
import { originalBlob, removeUpload, uploadBlobs } from './file-blobs.js'

/** Attempts to write unchanged metadata while others change it. */
const attempts = 5

const missing: Problem = {
  _tag: 'NotFound',
  hint: 'Create the file’s metadata with PUT before its data is sent.',
}
const interrupted: Problem = { _tag: 'BadRequest', reason: 'the body broke off before its end' }

/** Yields the chunks of a body unchanged, and passes each to an observer. */
export async function* observeChunks(
  body: AsyncIterable<Uint8Array>,
  onChunk: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    onChunk(chunk)
    yield chunk
  }
}

const bodyFailure = (failure: PortFailure | BlobTooLarge | BodyInterrupted): Failure => {
  if (failure._tag === 'BlobTooLarge') return tooLarge(failure.limit)
  return failure._tag === 'BodyInterrupted' ? interrupted : failure
}

/**
 * Whether no metadata refers to an upload, now or later, after the write of its metadata has failed. A failed write may
 * have been applied, and then the data must remain. A write that may still apply is prevented by writing the metadata
 * again unchanged, which changes its version. If the store cannot be read either, the data is left to garbage
 * collection.
 */
const isNeverReferenced = async (
  session: Session,
  id: string,
  path: string,
  failure: PortFailure,
  left = attempts,
): Promise<boolean> => {
  const { documents } = session
  const found = await documents.get(file.collection, id)
  if (found === null) return true
  if (stateIn(file, found.value).blob === path) return false
  if (failure.mayYetApply !== true) return true
  const written = await writeUnchanged(documents, file, found)
  if (E.isRight(written)) return true
  return written.left._tag === 'VersionConflict' && left > 0
    ? isNeverReferenced(session, id, path, failure, left - 1)
    : false
}

/** A failure if written data is missing or incomplete; null if all its bytes are stored. */
const missingDataFailure = async (
  { blobs }: Session,
  path: string,
  { bytes }: BlobReceipt,
): Promise<PortFailure | null> => {
  const size = await blobs.size(originalBlob(path))()
  if (E.isLeft(size)) return size.left
  if (size.right === bytes) return null
  const found = size.right === null ? 'nothing' : `${size.right} bytes`
  return portFailure(
    'blob store',
    `an upload of ${bytes} bytes was written to ${path}; there is ${found} now`,
  )
}

/**
 * Restores the reference to the former data. Returns false if the metadata no longer refers to the new data: a later
 * upload has replaced it, or the file is deleted, which explains why the data is missing.
 */
const restoreMetadata = async (
  session: Session,
  id: string,
  path: string,
  before: JsonObject,
  after: JsonObject,
): Promise<boolean> => {
  const { documents, instance, log } = session
  let isNamed = true
  // The service restores what it wrote itself, also if the caller may not change it.
  const restored = await attempt(() =>
    updateDocument(
      session,
      file,
      id,
      async (state) => {
        isNamed = stateIn(file, state).blob === path
        return isNamed ? withoutChange(state, before, after) : state
      },
      (written, write) => documents.recorded({ ...written, said: { undone: true } }, write),
    ),
  )
  if (E.isRight(restored)) return isNamed
  if (restored.left._tag === 'NotFound') return false
  log.write('error', 'metadata names lost data', { instance: instance.number, file: id, blob: path })
  return true
}

/** Makes the sizes of an image that websites use. */
const prepareImages = (session: Session, id: string, state: File): void => {
  const { derivatives, imaging } = session
  const image = recordedImage(state)
  if (image === null) return
  const { bytes, read } = originalData(session, id, state)
  derivatives.prepare({ upload: state.blob ?? '', bytes, read }, srcsetRenderings(image, imaging))
}

/**
 * Stores the data of a file: writes the blob, makes the placeholder of an image, then writes the metadata that refers to it, checks that the blob still exists,
 * and removes the old data, unless its version is retained. Until the new data is complete, the old data remains readable. On failure nothing changes.
 */
export const uploadFile: WriteOperation<
  Upload & { readonly id: string },
  JsonObject,
  'UnsupportedMediaType'
> = {
  ...operations.uploadFile,
  changed: ({ id }) => ({ object: id }),
  run: async (session, { id, contentType, length, body }, failWith) => {
    const { blobs, clock, deployment, derivatives, documents, ids, imaging, instance, precondition, user } =
      session
    const current = await documents.get(file.collection, id)
    if (current === null) return failWith(missing)
    throwIf(writeProblem(file, session, { before: current.value, after: current.value }))
    if (precondition !== undefined) await checkPrecondition(session, precondition, file, current)
    const type = dataTypeFrom(contentType, stateIn(file, current.value).filename)
    if (E.isLeft(type)) return failWith(type.left)
    const { mimetype, charset } = type.right
    const limit = uploadLimit(deployment.uploadLimits, mimetype)
    if (length !== undefined && length > limit) return failWith(tooLarge(limit))

    const path = uploadBlobs(instance.number, id, ids.uuid())
    const header = mimetypeGroup(mimetype) === 'image' ? imaging.readHeader() : null
    const observed = header === null ? body : observeChunks(body, header.push)
    const written = await blobs.write(originalBlob(path), observed, limit)()
    if (E.isLeft(written)) return failWith(bodyFailure(written.left))
    const { bytes, sha256 } = written.right
    const read = header === null ? null : header.end(bytes)
    const image = read === null || E.isLeft(read) ? null : read.right
    const isScaled = image !== null && image.format !== null && session.canScale(image)
    // An upload does not fail because of its placeholder.
    const summary =
      isScaled && bytes >= leastForPlaceholder
        ? await derivatives.summary({ upload: path, bytes }, session.requester)
        : null
    const data = {
      mimetype,
      charset,
      byte_size: bytes,
      sha256,
      ...recordImage(image, summary === null || E.isLeft(summary) ? null : summary.right),
      blob: path,
    }

    let before: JsonObject = {}
    let recorded: JsonObject
    try {
      recorded = await changeObject(session, file, id, async (state) => {
        before = state
        const { localTime: now, role } = session
        const { settings } = instance
        return recordUpload(state, data, { id, now, role, user, settings, at: clock.now() })
      })
    } catch (error) {
      // After a defect, garbage collection removes the data.
      const isUnnamed = isPortFailure(error)
        ? await attempt(() => isNeverReferenced(session, id, path, error))
        : E.right(isFailure(error))
      if (E.isRight(isUnnamed) && isUnnamed.right) await removeUpload(session, path)
      throw error
    }
    const loss = await missingDataFailure(session, path, written.right)
    if (loss !== null && (await restoreMetadata(session, id, path, before, recorded))) return failWith(loss)
    const { blob: former } = stateIn(file, before)
    const isRetained = deployment.replacedDataTime > 0 && documents.recording.isRecorded
    if (former !== null && !isRetained) await removeUpload(session, former)
    if (isScaled && instance.settings.prepare_images) prepareImages(session, id, stateIn(file, recorded))
    return recorded
  },
}
