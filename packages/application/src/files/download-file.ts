import { stateIn, badParameters, file, notFound, type File } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import {
  isFormerUpload,
  isThumbnailKind,
  mimetypeGroup,
  recordedImage,
  type ThumbnailKind,
  type Replaced,
} from '@publishing-service/domain/files'
import {
  centre,
  filenameIn,
  isUnscaledType,
  parseImageRequest,
  renderingOf,
  requestFaults,
  storedOnly,
  tooManyPixels,
  type ImageRequest,
  type MadeFormat,
  type OriginalImage,
  type SentImageRequest,
} from '@publishing-service/domain/images'
import { operations } from '@publishing-service/domain/roles'
import { chunksOf, type ByteRange } from '@publishing-service/ports'
import { accepted, fail, unwrap } from '../attempt.js'
import { internalError, type Failure } from '../failure.js'
import type { ReadOperation } from '../operation.js'
import type { Session } from '../session.js'
import { beginReading, cancelRead, originalBlob, verifiedChunks } from './file-blobs.js'
import { openOriginal, outdated } from './derivatives.js'

export type DownloadDependencies = {
  /** Whether the header Accept decides the format. */
  readonly accept: boolean
  /** Whether the focal point of the file decides what is shown, which can change. */
  readonly focalPoint: boolean
}

export const addressOnly: DownloadDependencies = { accept: false, focalPoint: false }

/** Data to be sent. */
export type Download = {
  readonly mimetype: string
  /** Of a text whose upload declared it. */
  readonly charset?: string
  readonly filename: string
  readonly bytes: number
  /** Identifies the bytes: equal tags, equal bytes. */
  readonly tag: string
  /** What the response depends on, in addition to its address. */
  readonly dependsOn: DownloadDependencies
  /** Whether caches may store it. */
  readonly isStored: boolean
  /**
   * Compares the size first, and the checksum of the whole data before the last chunk; ranges have no checksum. Throws a
   * Failure, and so do the chunks.
   */
  readonly read: (range?: ByteRange) => Promise<AsyncIterable<Uint8Array>>
}

/** The data as uploaded. It is read when the response is sent, after the operation. */
export const originalData = (
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

  const read: Download['read'] = async (range) => {
    const opened = await blobs.read(originalBlob(path), range)()
    if (E.isLeft(opened)) {
      if (opened.left._tag === 'PortFailure') fail(opened.left)
      const now = await documents.get(file.collection, fileId)
      const isNamed = now !== null && stateIn(file, now.value).blob === path
      // Otherwise it was replaced or deleted since the metadata was read.
      fail(isNamed ? damaged('no data') : outdated)
    }
    const { bytes, chunks } = opened.right
    if (bytes !== expected.bytes) {
      await cancelRead(chunks)
      fail(damaged(`${bytes} bytes`))
    }
    return beginReading(
      range === undefined
        ? verifiedChunks(chunks, expected, checksum(), (found) =>
            damaged(`${found.bytes} bytes, SHA-256 ${found.sha256}`),
          )
        : chunksOf(range.end - range.start + 1, chunks),
    )
  }

  return {
    mimetype: state.mimetype ?? '',
    ...(state.charset === null ? {} : { charset: state.charset }),
    filename: state.filename ?? '',
    bytes: expected.bytes,
    tag: expected.sha256,
    dependsOn: addressOnly,
    isStored: true,
    read,
  }
}

/** Reads the header of an image from its data. */
const readImage = async (
  { blobs, imaging }: Session,
  state: File,
  request: ImageRequest,
): Promise<OriginalImage> => {
  const header = imaging.readHeader()
  for await (const chunk of unwrap(await openOriginal(blobs, state.blob ?? ''))) {
    header.push(chunk)
    if (header.isDone()) break
  }
  const read = header.end(state.byte_size ?? 0)
  if (E.isLeft(read)) fail(badParameters(requestFaults(request, read.left)))
  const image = read.right
  if (image.format === null) fail(badParameters(requestFaults(request, storedOnly)))
  return { ...image, isOpaque: false }
}

/** The image in the data of a file; null if it is of a type that is never scaled. Throws a fault if it is none. */
const imageOf = async (
  session: Session,
  state: File,
  request: ImageRequest,
): Promise<OriginalImage | null> => {
  const mimetype = state.mimetype ?? ''
  if (mimetypeGroup(mimetype) !== 'image')
    fail(badParameters(requestFaults(request, 'is for images only, and this file is none')))
  const recorded = recordedImage(state)
  if (recorded !== null || isUnscaledType(mimetype)) return recorded
  // The metadata of a file that an earlier version stored has no format.
  return readImage(session, state, request)
}

/** The data as an image that was requested; the whole if it has this form, or is in a format that is not scaled. */
const rendered = async (
  session: Session,
  state: File,
  whole: Download,
  request: ImageRequest,
  formats: readonly MadeFormat[],
): Promise<Download> => {
  const { requester, deployment, derivatives, imaging } = session
  const dependsOn = {
    accept: request.format === 'auto',
    focalPoint: request.fit === 'cover' && request.focal_point === null,
  }
  const image = await imageOf(session, state, request)
  const rendering = accepted(
    renderingOf(image, request, {
      formats: imaging.formats,
      makes: imaging.makes,
      cmyk: imaging.cmyk,
      focalPoint: state.focal_point,
      accepted: formats,
      isRounded: requester.isAnonymous,
    }),
  )
  if (image === null || rendering === null) return { ...whole, dependsOn }
  const excess = tooManyPixels(image, deployment.imageLimits)
  if (excess !== null) fail(badParameters(requestFaults(request, excess)))
  const source = { upload: state.blob ?? '', bytes: whole.bytes, read: whole.read }
  const made = await derivatives.derivative(source, rendering, requester)
  if (E.isLeft(made))
    fail(
      made.left._tag === 'ImageUnreadable'
        ? badParameters(requestFaults(request, made.left.reason))
        : made.left,
    )
  const { bytes, name, read } = made.right
  return {
    // The format of the data, not the declared type.
    mimetype: rendering.format ?? image.format,
    filename: rendering.format === null ? whole.filename : filenameIn(whole.filename, rendering.format),
    bytes,
    tag: `${whole.tag}-${name}`,
    dependsOn,
    isStored: true,
    read,
  }
}

type DownloadInput = {
  readonly fileId: string
  /** The integer of the path, as text. */
  readonly upload: string
  /** The parameters, as texts; undefined for those that were not sent. */
  readonly image: SentImageRequest
  /** The formats that the header Accept names. */
  readonly accepted: readonly MadeFormat[]
}

/** Finds the data of a file, as an image that parameters describe if there are any, or what has replaced it. */
export const downloadFile: ReadOperation<DownloadInput, Download | Replaced> = {
  ...operations.downloadFile,
  run: async (session, { fileId, upload, image, accepted: formats }) => {
    if (!/^\d{1,15}$/.test(upload)) fail(notFound)
    const request = accepted(parseImageRequest(image))
    const found = await session.documents.get(file.collection, fileId)
    if (found === null) fail(notFound)
    const state = stateIn(file, found.value)
    if (state.upload === null) fail(notFound)
    if (state.upload !== Number(upload)) {
      if (!isFormerUpload(state, Number(upload), session.clock.now())) fail(outdated)
      return { _tag: 'Replaced', upload: state.upload, image: request }
    }
    const whole = originalData(session, fileId, state)
    if (request === null) return whole
    const { focal_point: requested } = request
    const { x, y } = state.focal_point ?? centre
    return requested === null || (requested.x === x && requested.y === y)
      ? rendered(session, state, whole, request, formats)
      : { _tag: 'Replaced', upload: state.upload, image: { ...request, focal_point: { x, y } } }
  },
}

/** The kind of a default thumbnail; NotFound if there is no such kind. */
export const readDefaultThumbnail: ReadOperation<{ readonly kind: string }, ThumbnailKind> = {
  ...operations.readDefaultThumbnail,
  run: async (_session, { kind }) => {
    if (!isThumbnailKind(kind)) fail(notFound)
    return kind
  },
}
