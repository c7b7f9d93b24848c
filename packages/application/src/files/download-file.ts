import { stateIn, badParameters, file, notFound, type File } from '@publishing-service/domain'
import { E, type Either } from '@publishing-service/domain/fp'
import {
  isFormerUpload,
  isThumbnailKind,
  mimetypeGroup,
  recordedImage,
  type ThumbnailKind,
  type Replaced,
} from '@publishing-service/domain/files'
import {
  boxFaults,
  isUnscaledType,
  parseBox,
  roundedBox,
  scaledSize,
  tooManyPixels,
  type Box,
  type RecordedImage,
} from '@publishing-service/domain/images'
import { operations } from '@publishing-service/domain/access'
import {
  chunksOf,
  imageUnreadable,
  isPortFailure,
  type ByteRange,
  type ImageUnreadable,
} from '@publishing-service/ports'
import { accepted, attempt } from '../attempt.js'
import { internalError, type Failure, type Outcome } from '../failure.js'
import type { ReadOperation } from '../operation.js'
import type { Session } from '../session.js'
import { originalBlob } from './upload-blobs.js'
import { outdated, readOriginal } from './derivatives.js'
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

/** The data as uploaded. It is read when the response is sent, after the operation. */
const original = (
  { blobs, documents, instance, checksum, log }: Session,
  fileId: string,
  state: File,
): Download => {
  const path = state.blob ?? ''
  const expected = { bytes: state.byte_size ?? 0, sha256: state.sha256 ?? '' }

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
      return attempt(async () => {
        const now = await documents.get(file.collection, fileId)
        const isNamed = now !== null && stateIn(file, now.value).blob === path
        // Otherwise it was replaced or deleted since the metadata was read.
        throw isNamed ? damaged('no data') : outdated
      })
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
    const begun = await beginReading(checked, failureOf)
    return E.isLeft(begun) ? E.left(failureOf(begun.left)) : begun
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

/** Returns what was made of an image; throws a fault of the box if the image cannot be read. */
const ofReadable = <A>(box: Box, made: Either<Failure | ImageUnreadable, A>): A => {
  if (E.isRight(made)) return made.right
  throw made.left._tag === 'ImageUnreadable' ? boxFailure(box, made.left.reason) : made.left
}

/** Reads the header of an image from its data. */
const readImage = async (
  { blobs, imaging }: Session,
  state: File,
): Promise<Either<Failure | ImageUnreadable, RecordedImage>> => {
  const opened = await readOriginal(blobs, state.blob ?? '')()
  if (E.isLeft(opened)) return opened
  const header = imaging.readHeader()
  try {
    for await (const chunk of opened.right) {
      header.push(chunk)
      if (header.isDone()) break
    }
  } catch (error) {
    if (isPortFailure(error)) return E.left(error)
    throw error
  }
  return E.mapLeft(imageUnreadable)(header.end(state.byte_size ?? 0))
}

/** The data scaled down into a box; the whole if it fits, or is in a format that is stored and not scaled. */
const scaled = async (session: Session, state: File, whole: Download, requested: Box): Promise<Download> => {
  const { client, deployment, derivatives, imaging, instance } = session
  if (mimetypeGroup(whole.mimetype) !== 'image')
    throw boxFailure(requested, 'is for images only, and this file is none')
  const box = client.isAnonymous ? roundedBox(requested) : requested
  const recorded = recordedImage(state)
  if (recorded === null && isUnscaledType(whole.mimetype)) return whole
  // The metadata of a file that an earlier version stored has no format.
  const image = recorded ?? ofReadable(box, await readImage(session, state))
  const size = scaledSize(image, box)
  if (size === null || !imaging.formats.includes(image.format)) return whole
  const excess = tooManyPixels(image, deployment.imageLimits)
  if (excess !== null) throw boxFailure(box, excess)
  const source = { upload: state.blob ?? '', bytes: whole.bytes, read: whole.read }
  const requester = { instance: instance.number, client: client.name, isAnonymous: client.isAnonymous }
  const { bytes, name, read } = ofReadable(box, await derivatives(source, size, requester))
  return {
    // The format of the data, not the declared type.
    mimetype: image.format,
    filename: whole.filename,
    bytes,
    tag: `${whole.tag}-${name}`,
    read,
  }
}

type DownloadInput = {
  readonly fileId: string
  /** The integer of the path, as text. */
  readonly upload: string
  /** The sides of the box that an image is scaled into, as texts; undefined for the original. */
  readonly width: string | undefined
  readonly height: string | undefined
}

/** Finds the data of a file, scaled down into a box if one is passed, or what has replaced it. */
export const downloadFile: ReadOperation<DownloadInput, Download | Replaced> = {
  ...operations.downloadFile,
  run: async (session, { fileId, upload, width, height }) => {
    if (!/^\d{1,15}$/.test(upload)) throw notFound
    const box = accepted(parseBox(width, height))
    const found = await session.documents.get(file.collection, fileId)
    if (found === null) throw notFound
    const state = stateIn(file, found.value)
    if (state.upload === null) throw notFound
    if (state.upload !== Number(upload)) {
      if (!isFormerUpload(state, Number(upload), session.clock.now())) throw outdated
      return { _tag: 'Replaced', upload: state.upload, box }
    }
    const whole = original(session, fileId, state)
    return box === null ? whole : scaled(session, state, whole, box)
  },
}

/** The kind of a default thumbnail; NotFound if there is no such kind. */
export const readDefaultThumbnail: ReadOperation<{ readonly kind: string }, ThumbnailKind> = {
  ...operations.readDefaultThumbnail,
  run: async (_session, { kind }) => {
    if (!isThumbnailKind(kind)) throw notFound
    return kind
  },
}
