import {
  badParameters,
  boxFaults,
  brokenPixels,
  E,
  file,
  mimetypeGroup,
  notFound,
  pipe,
  recordedImage,
  recordImage,
  scaledSize,
  startImageHeader,
  TE,
  tooManyPixels,
  type Box,
  type JsonObject,
  type Problem,
  type RecordedImage,
} from '@publishing-service/domain'
import {
  isPortFailure,
  type BlobNotFound,
  type ByteRange,
  type ImageUnreadable,
  type PortFailure,
} from '@publishing-service/ports'
import type { Failure, Outcome } from '../failure.js'
import type { Deployment, Ports } from '../ports.js'
import { originalBlob } from './blob-paths.js'
import { createDerivatives } from './derivatives.js'

export type DownloadRequest = {
  readonly instance: number
  readonly fileId: string
  /** The integer of the path. */
  readonly upload: number
  readonly box: Box | null
}

/** Data that stands ready to be sent. */
export type Download = {
  readonly mimetype: string
  readonly filename: string
  readonly bytes: number
  /** Identifies the bytes: equal tags, equal bytes. */
  readonly tag: string
  readonly read: (range?: ByteRange) => Outcome<AsyncIterable<Uint8Array>>
}

const outdated: Problem = {
  _tag: 'NotFound',
  hint: 'This download address is outdated: fetch the file’s metadata again for the one that holds now.',
}

const text = (state: JsonObject, name: string): string => String(state[name] ?? '')

/** Reads no further than the header goes. */
const headerOf =
  (chunks: AsyncIterable<Uint8Array>): Outcome<ReturnType<ReturnType<typeof startImageHeader>['end']>> =>
  async () => {
    const header = startImageHeader()
    try {
      for await (const chunk of chunks) {
        header.push(chunk)
        if (header.isDone()) break
      }
    } catch (error) {
      if (isPortFailure(error)) return E.left(error)
      throw error
    }
    return E.right(header.end())
  }

/** Finds the data of a file, scaled down into a box where one is given (specification, rule 5; decisions §10). */
export const createDownloadFile = (
  ports: Pick<Ports, 'documents' | 'blobs' | 'imaging' | 'clock' | 'log'>,
  { imageLimits }: Pick<Deployment, 'imageLimits'>,
) => {
  const { documents, blobs } = ports

  const gone = (failure: PortFailure | BlobNotFound): Failure =>
    failure._tag === 'BlobNotFound' ? outdated : failure

  const readBlob = (key: string) => (range?: ByteRange) => pipe(blobs.read(key, range), TE.mapLeft(gone))

  const derivative = createDerivatives(ports, imageLimits, (key) => readBlob(key)())

  const refused = (box: Box, reason: string): Failure => badParameters(boxFaults(box, reason))

  const unreadable =
    (box: Box) =>
    (failure: Failure | ImageUnreadable): Failure =>
      failure._tag === 'ImageUnreadable' ? refused(box, failure.reason) : failure

  /** Metadata that were written before a format was known, or recorded, leave it to the data. */
  const imageOf = (state: JsonObject, box: Box): Outcome<RecordedImage> => {
    const known = recordedImage(state)
    if (known !== null) return TE.right(known)
    return pipe(
      readBlob(originalBlob(text(state, 'blob')))(),
      TE.chain(headerOf),
      TE.chain((header) => {
        const found = recordedImage(recordImage(header, Number(state['byte_size'])))
        if (found !== null) return TE.right(found)
        return TE.left(refused(box, E.isLeft(header) ? header.left : brokenPixels))
      }),
    )
  }

  const scaled = (state: JsonObject, box: Box): Outcome<Download | null> =>
    pipe(
      imageOf(state, box),
      TE.chain((image) => {
        const size = scaledSize(image, box)
        if (size === null) return TE.right(null)
        const excess = tooManyPixels(image, imageLimits)
        if (excess !== null) return TE.left(refused(box, excess))
        return pipe(
          derivative({ upload: text(state, 'blob'), bytes: Number(state['byte_size']) }, size),
          TE.bimap(unreadable(box), ({ bytes, name, read }) => ({
            // The format is that of the data, whatever they were declared as.
            mimetype: image.format,
            filename: text(state, 'filename'),
            bytes,
            tag: `${text(state, 'sha256')}-${name}`,
            read,
          })),
        )
      }),
    )

  const original = (state: JsonObject): Download => ({
    mimetype: text(state, 'mimetype'),
    filename: text(state, 'filename'),
    bytes: Number(state['byte_size']),
    tag: text(state, 'sha256'),
    read: readBlob(originalBlob(text(state, 'blob'))),
  })

  return ({ instance, fileId, upload, box }: DownloadRequest): Outcome<Download> =>
    pipe(
      documents.get(file.collection, instance, fileId),
      TE.chainW((document) => {
        if (document === null || typeof document.value['upload'] !== 'number')
          return TE.left<Failure>(notFound)
        return document.value['upload'] === upload ? TE.right(document.value) : TE.left<Failure>(outdated)
      }),
      TE.chain((state) => {
        if (box === null) return TE.right(original(state))
        if (mimetypeGroup(text(state, 'mimetype')) !== 'image')
          return TE.left<Failure, Download>(refused(box, 'is for images only, and this file is none'))
        return pipe(
          scaled(state, box),
          TE.map((smaller) => smaller ?? original(state)),
        )
      }),
    )
}
