import {
  changeOf,
  completeWrite,
  E,
  file,
  mimetypeFrom,
  mimetypeGroup,
  pipe,
  recordImage,
  startImageHeader,
  TE,
  uniqueTextOf,
  uploadLimit,
  type JsonObject,
  type Problem,
} from '@publishing-service/domain'
import type { BlobReceipt, BlobTooLarge, BodyInterrupted, PortFailure } from '@publishing-service/ports'
import type { Caller } from '../caller.js'
import type { Failure, Outcome } from '../failure.js'
import { checkPrecondition, type Precondition } from '../objects/precondition.js'
import { targetOf, type UpdateDocument } from '../objects/update-document.js'
import type { Deployment, Ports } from '../ports.js'
import { originalBlob, uploadBlobs } from './blob-paths.js'
import { observed } from './observed.js'

export type Upload = {
  readonly contentType: string | undefined
  /** Bytes, where the client declared them. */
  readonly length: number | undefined
  readonly body: AsyncIterable<Uint8Array>
  readonly precondition?: Precondition
}

/** How often metadata are written once more that others change at the same time. */
const attempts = 5

const missing: Problem = {
  _tag: 'NotFound',
  hint: 'Create the file’s metadata with PUT before its data is sent.',
}
const interrupted: Problem = { _tag: 'BadRequest', reason: 'the body broke off before its end' }

const bodyFailure = (failure: PortFailure | BlobTooLarge | BodyInterrupted): Failure => {
  if (failure._tag === 'BlobTooLarge') return { _tag: 'TooLarge', limit: failure.limit }
  return failure._tag === 'BodyInterrupted' ? interrupted : failure
}

/**
 * Takes the data of a file (specification, Files; decisions §10): the blob first, then the metadata that names it,
 * then the old data goes. Until the new data is whole, the old stays readable; on any failure nothing changes.
 */
export const createUploadFile = (
  { documents, blobs, clock, ids, log }: Ports,
  update: UpdateDocument,
  deployment: Deployment,
) => {
  const discard = async (path: string): Promise<void> => {
    const removed = await blobs.remove(path)()
    // What is left over is collected at the next start.
    if (E.isLeft(removed)) log.write('warn', 'blobs left over', { path, reason: removed.left.reason })
  }

  /**
   * A store that answers with a failure may have written all the same, and data that is named must stay. A write that
   * may yet apply is kept out by writing the metadata once more as they are: it names their former version. Where
   * the store can't be asked either, the data is left for the next start to collect.
   */
  const isUnnamedForGood = async (
    caller: Caller,
    id: string,
    path: string,
    failure: PortFailure,
    left = attempts,
  ): Promise<boolean> => {
    const { number } = caller.instance
    const found = await documents.get(file.collection, number, id)()
    if (E.isLeft(found)) return false
    if (found.right === null) return true
    const { version, value } = found.right
    if (value['blob'] === path) return false
    if (failure.mayYetApply !== true) return true
    const same = { id, version, unique: uniqueTextOf(file, value), value }
    const written = await documents.replace(file.collection, number, same)()
    if (E.isRight(written)) return true
    return written.left._tag === 'VersionConflict' && left > 0
      ? isUnnamedForGood(caller, id, path, failure, left - 1)
      : false
  }

  const record =
    (caller: Caller, id: string, path: string, mimetype: string, receipt: BlobReceipt, image: JsonObject) =>
    (state: JsonObject): JsonObject => {
      const uploaded = {
        ...state,
        mimetype,
        byte_size: receipt.bytes,
        sha256: receipt.sha256,
        ...image,
        upload: Math.max(Number(state['upload'] ?? 0) + 1, clock.now()),
        blob: path,
      }
      const { settings } = caller.instance
      const command = { id, mode: 'patch', previous: state, now: caller.now, settings } as const
      return completeWrite(file, uploaded, changeOf(command, new Set()))
    }

  return (caller: Caller, id: string, upload: Upload): Outcome<JsonObject> =>
    pipe(
      documents.get(file.collection, caller.instance.number, id),
      TE.chainW((current) => (current === null ? TE.left<Failure>(missing) : TE.right(current))),
      TE.chainFirst((current) =>
        checkPrecondition(documents)(file, caller, id, current, upload.precondition),
      ),
      TE.chain(() => async () => {
        const mimetype = mimetypeFrom(upload.contentType)
        const limit = uploadLimit(deployment.uploadLimits, mimetype)
        if (upload.length !== undefined && upload.length > limit)
          return E.left({ _tag: 'TooLarge', limit } as const)
        const path = uploadBlobs(caller.instance.number, id, ids.name())
        const header = startImageHeader()
        const written = await blobs.write(originalBlob(path), observed(upload.body, header.push), limit)()
        if (E.isLeft(written)) return E.left(bodyFailure(written.left))
        const isImage = mimetypeGroup(mimetype) === 'image'
        const image = recordImage(
          isImage ? header.end() : E.left('declared as something else'),
          written.right.bytes,
        )
        let before: unknown = null
        const recorded = await update(targetOf(file), caller.instance.number, id, (state) => {
          before = state['blob']
          return TE.right(record(caller, id, path, mimetype, written.right, image)(state))
        })()
        if (E.isRight(recorded)) {
          if (typeof before === 'string') await discard(before)
        } else if (
          recorded.left._tag !== 'PortFailure' ||
          (await isUnnamedForGood(caller, id, path, recorded.left))
        )
          await discard(path)
        return recorded
      }),
    )
}
