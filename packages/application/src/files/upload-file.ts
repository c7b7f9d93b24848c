import {
  changeOf,
  charsetFrom,
  completeWrite,
  E,
  file,
  jsonEqual,
  mimetypeFrom,
  mimetypeGroup,
  pipe,
  recordImage,
  startImageHeader,
  TE,
  uniqueTextOf,
  uploadLimit,
  type Json,
  writeProblem,
  type JsonObject,
  type Problem,
} from '@publishing-service/domain'
import {
  portFailure,
  type BlobReceipt,
  type BlobTooLarge,
  type BodyInterrupted,
  type PortFailure,
} from '@publishing-service/ports'
import type { Caller } from '../caller.js'
import { permitted, type Failure, type Outcome } from '../failure.js'
import { checkPrecondition, type Precondition } from '../objects/precondition.js'
import { targetOf, writableBy, type UpdateDocument } from '../objects/update-document.js'
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

/** What one change has made of a value, taken back; what others have changed since stays. */
const undone = (current: JsonObject, before: JsonObject, after: JsonObject): JsonObject => {
  const names = new Set([...Object.keys(current), ...Object.keys(before)])
  const valueOf = (name: string): Json | undefined =>
    jsonEqual(current[name] ?? null, after[name] ?? null) ? before[name] : current[name]
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const value = valueOf(name)
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}

/**
 * Takes the data of a file: the blob first, then the metadata that names it, then the blob is looked for once more, then
 * the old data is removed. Until the new data is whole, the old stays readable; on any failure nothing changes, and
 * success means that the bytes are there.
 */
export const createUploadFile = (
  { documents, blobs, clock, ids, log }: Ports,
  update: UpdateDocument,
  deployment: Deployment,
) => {
  const discard = async (path: string): Promise<void> => {
    const removed = await blobs.remove(path)()
    // Garbage collection deletes it later.
    if (E.isLeft(removed)) log.write('warn', 'blobs not removed', { path, reason: removed.left.reason })
  }

  /**
   * A store that answers with a failure may have written all the same, and data that is named must stay. A write that
   * may yet apply is kept out by writing the metadata once more as they are: it names their former version. Where
   * the store can't be read either, the data is left to garbage collection.
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
    (
      caller: Caller,
      id: string,
      path: string,
      { mimetype, charset }: { readonly mimetype: string; readonly charset: string | null },
      receipt: BlobReceipt,
      image: JsonObject,
    ) =>
    (state: JsonObject): JsonObject => {
      const uploaded = {
        ...state,
        mimetype,
        charset,
        byte_size: receipt.bytes,
        sha256: receipt.sha256,
        ...image,
        upload: Math.max(Number(state['upload'] ?? 0) + 1, clock.now()),
        blob: path,
      }
      const { settings } = caller.instance
      const command = {
        id,
        mode: 'patch',
        previous: state,
        now: caller.now,
        user: caller.user,
        settings,
      } as const
      return completeWrite(file, uploaded, changeOf(command, new Set()))
    }

  /** Why data that was written and named can't be relied on; null where all its bytes are there. */
  const lossOf = async (path: string, { bytes }: BlobReceipt): Promise<PortFailure | null> => {
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
   * Has the metadata name the former data again. Returns false where they no longer name the new data: a later upload
   * has replaced it, or the file is deleted, and its data was removed for that reason.
   */
  const restore = async (
    { instance: { number } }: Caller,
    id: string,
    path: string,
    before: JsonObject,
    after: JsonObject,
  ): Promise<boolean> => {
    // The service restores what it wrote itself, whoever may change it.
    const target = { ...targetOf(file), instance: number, refusal: () => null }
    let isNamed = true
    const restored = await update(target, id, (state) => {
      isNamed = state['blob'] === path
      return TE.right(isNamed ? undone(state, before, after) : state)
    })()
    if (E.isRight(restored)) return isNamed
    if (restored.left._tag === 'NotFound') return false
    log.write('error', 'metadata names lost data', { instance: number, file: id, blob: path })
    return true
  }

  return (caller: Caller, id: string, upload: Upload): Outcome<JsonObject> =>
    pipe(
      documents.get(file.collection, caller.instance.number, id),
      TE.chainW((current) => (current === null ? TE.left<Failure>(missing) : TE.right(current))),
      TE.chainFirst(({ value }) => permitted(writeProblem(file, caller, { before: value, after: value }))),
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
        let before: JsonObject = {}
        const declared = { mimetype, charset: charsetFrom(upload.contentType) }
        const recorded = await update(writableBy(file, caller), id, (state) => {
          before = state
          return TE.right(record(caller, id, path, declared, written.right, image)(state))
        })()
        if (E.isRight(recorded)) {
          const loss = await lossOf(path, written.right)
          if (loss !== null && (await restore(caller, id, path, before, recorded.right))) return E.left(loss)
          const { blob: former } = before
          if (typeof former === 'string') await discard(former)
        } else if (
          recorded.left._tag !== 'PortFailure' ||
          (await isUnnamedForGood(caller, id, path, recorded.left))
        )
          await discard(path)
        return recorded
      }),
    )
}
