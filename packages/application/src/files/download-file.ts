import {
  badParameters,
  boxFaults,
  E,
  file,
  isFormerUpload,
  isThumbnailKind,
  isUnscaledType,
  mimetypeGroup,
  notFound,
  operations,
  parseBox,
  pipe,
  recordedImage,
  roundedBox,
  scaledSize,
  TE,
  tooManyPixels,
  typedState,
  type Box,
  type Either,
  type File,
  type RecordedImage,
  type ThumbnailKind,
  type Replaced,
} from '@publishing-service/domain'
import {
  chunksOf,
  isPortFailure,
  type ByteRange,
  type ImageReading,
  type ImageUnreadable,
} from '@publishing-service/ports'
import { internalError, isDownloadFailure, type Failure, type Outcome } from '../failure.js'
import type { ReadOperation, Session } from '../operation.js'
import { originalBlob } from './blob-paths.js'
import { outdated, readOriginal } from './read-original.js'
import { cancelRead, beginReading, verifiedChunks, type ReadFailure } from './verified-data.js'

/** Data to be sent. */
export type Download = {
  readonly mimetype: string
  /** Of a text whose upload declared it. */
  readonly charset?: string
  readonly filename: string
  readonly bytes: number
  /** Identifies the bytes: equal tags, equal bytes. */
  readonly tag: string
  /**
   * Compares the size first, and the checksum of the whole data before the last chunk; ranges have no checksum. The
   * chunks throw a Failure.
   */
  readonly read: (range?: ByteRange) => Outcome<AsyncIterable<Uint8Array>>
}

/** Reads all data to verify its checksum. */
const verify =
  ({ read }: Download): Outcome<void> =>
  async () => {
    const opened = await read()()
    if (E.isLeft(opened)) return opened
    try {
      for await (const _chunk of opened.right) continue
    } catch (error) {
      if (isDownloadFailure(error)) return E.left(error)
      throw error
    }
    return E.right(undefined)
  }

/** Reads only the header of an image. */
const readHeader =
  (
    header: ImageReading,
    chunks: AsyncIterable<Uint8Array>,
    bytes: number,
  ): Outcome<Either<string, RecordedImage>> =>
  async () => {
    try {
      for await (const chunk of chunks) {
        header.push(chunk)
        if (header.isDone()) break
      }
    } catch (error) {
      if (isPortFailure(error)) return E.left(error)
      throw error
    }
    return E.right(header.end(bytes))
  }

/** The data as uploaded. It is read when the response is sent, after the operation. */
const original = (
  { blobs, documents, instance, checksum, log }: Session,
  fileId: string,
  state: File,
): Download => {
  const path = state.blob ?? ''
  const expected = { bytes: state.byte_size ?? 0, sha256: state.sha256 ?? '' }

  const isNamed = (): Outcome<boolean> =>
    pipe(
      documents.get(file.collection, fileId),
      TE.map((found) => found !== null && typedState(file, found.value).blob === path),
    )

  const damaged = (found: string): Failure => {
    log.write('error', 'file data damaged', {
      instance: instance.number,
      file: fileId,
      blob: path,
      expected: `${expected.bytes} bytes, SHA-256 ${expected.sha256}`,
      found,
    })
    return internalError
  }

  const failureOf = (failure: ReadFailure): Failure =>
    failure._tag === 'PortFailure'
      ? failure
      : damaged(`${failure.found.bytes} bytes, SHA-256 ${failure.found.sha256}`)

  const read: Download['read'] = (range) => async () => {
    const opened = await blobs.read(originalBlob(path), range)()
    if (E.isLeft(opened)) {
      if (opened.left._tag === 'PortFailure') return E.left(opened.left)
      const named = await isNamed()()
      if (E.isLeft(named)) return named
      // Replaced or deleted since the metadata was read.
      return E.left(named.right ? damaged('no data') : outdated)
    }
    const { bytes, chunks } = opened.right
    if (bytes !== expected.bytes) {
      await cancelRead(chunks)
      return E.left(damaged(`${bytes} bytes`))
    }
    const checked =
      range === undefined
        ? verifiedChunks(chunks, expected, checksum())
        : chunksOf(range.end - range.start + 1, chunks)
    return pipe(await beginReading(checked, failureOf), E.mapLeft(failureOf))
  }

  return {
    mimetype: state.mimetype ?? '',
    ...(state.charset === null ? {} : { charset: state.charset }),
    filename: state.filename ?? '',
    bytes: expected.bytes,
    tag: expected.sha256,
    read,
  }
}

const boxFailure = (box: Box, reason: string): Failure => badParameters(boxFaults(box, reason))

const unreadable =
  (box: Box) =>
  (failure: Failure | ImageUnreadable): Failure =>
    failure._tag === 'ImageUnreadable' ? boxFailure(box, failure.reason) : failure

/** Read from the data if the metadata has no format. */
const imageOf = ({ blobs, imaging }: Session, state: File, box: Box): Outcome<RecordedImage> => {
  const known = recordedImage(state)
  if (known !== null) return TE.right(known)
  return pipe(
    readOriginal(blobs, state.blob ?? ''),
    TE.chain((chunks) => readHeader(imaging.readHeader(), chunks, state.byte_size ?? 0)),
    TE.chainEitherK(E.mapLeft((reason) => boxFailure(box, reason))),
  )
}

/** The data scaled down into a box; null if it fits, or is in a format that is stored and not scaled. */
const scaled = (session: Session, state: File, whole: Download, box: Box): Outcome<Download | null> => {
  if (recordedImage(state) === null && isUnscaledType(whole.mimetype)) return TE.right(null)
  return pipe(
    imageOf(session, state, box),
    TE.chain((image) => {
      const { client, deployment, derivatives, imaging, instance } = session
      const size = scaledSize(image, box)
      if (size === null || !imaging.formats.includes(image.format)) return TE.right(null)
      const excess = tooManyPixels(image, deployment.imageLimits)
      if (excess !== null) return TE.left(boxFailure(box, excess))
      const source = { upload: state.blob ?? '', bytes: whole.bytes, verify: verify(whole) }
      return pipe(
        derivatives(source, size, {
          instance: instance.number,
          client: client.name,
          isAnonymous: client.isAnonymous,
        }),
        TE.bimap(unreadable(box), ({ bytes, name, read }): Download => ({
          // The format of the data, not the declared type.
          mimetype: image.format,
          filename: whole.filename,
          bytes,
          tag: `${whole.tag}-${name}`,
          read,
        })),
      )
    }),
  )
}

type DownloadInput = {
  readonly fileId: string
  /** The integer of the path, as text. */
  readonly upload: string
  /** The sides of the box that an image is scaled into, as texts; undefined for the original. */
  readonly width: string | undefined
  readonly height: string | undefined
}

/** The data as uploaded, or scaled down into a box. */
const fitting = (session: Session, fileId: string, state: File, box: Box | null): Outcome<Download> => {
  const whole = original(session, fileId, state)
  if (box === null) return TE.right(whole)
  if (mimetypeGroup(whole.mimetype) !== 'image')
    return TE.left(boxFailure(box, 'is for images only, and this file is none'))
  return pipe(
    scaled(session, state, whole, session.client.isAnonymous ? roundedBox(box) : box),
    TE.map((smaller) => smaller ?? whole),
  )
}

/** Finds the data of a file, scaled down into a box if one is passed, or what has replaced it. */
export const downloadFile: ReadOperation<DownloadInput, Download | Replaced> = {
  ...operations.downloadFile,
  run: (session, { fileId, upload, width, height }) => {
    if (!/^\d{1,15}$/.test(upload)) return TE.left(notFound)
    const parsed = parseBox(width, height)
    if (E.isLeft(parsed)) return TE.left(badParameters(parsed.left))
    const box = parsed.right
    return pipe(
      session.documents.get(file.collection, fileId),
      TE.chain((document): Outcome<Download | Replaced> => {
        const state = document === null ? null : typedState(file, document.value)
        if (state === null || state.upload === null) return TE.left(notFound)
        if (state.upload === Number(upload)) return fitting(session, fileId, state, box)
        return isFormerUpload(state, Number(upload), session.clock.now())
          ? TE.right({ _tag: 'Replaced', upload: state.upload, box })
          : TE.left(outdated)
      }),
    )
  },
}

/** The kind of a default thumbnail; NotFound if there is no such kind. */
export const readDefaultThumbnail: ReadOperation<{ readonly kind: string }, ThumbnailKind> = {
  ...operations.readDefaultThumbnail,
  run: (_session, { kind }) => (isThumbnailKind(kind) ? TE.right(kind) : TE.left(notFound)),
}
