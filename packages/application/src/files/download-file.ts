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
  roundedBox,
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
  chunksOf,
  isPortFailure,
  type ByteRange,
  type ImageUnreadable,
  type PortFailure,
} from '@publishing-service/ports'
import type { Client } from '../caller.js'
import { internalError, isDownloadFailure, type Failure, type Outcome } from '../failure.js'
import type { Deployment, Ports } from '../ports.js'
import { originalBlob } from './blob-paths.js'
import { createDerivatives } from './derivatives.js'
import type { Requester } from './scaling-queue.js'
import { abandon, beginReading, verifiedChunks, type ReadFailure } from './verified-data.js'

export type DownloadRequest = {
  readonly instance: number
  readonly fileId: string
  /** The integer of the path. */
  readonly upload: number
  readonly box: Box | null
  readonly client: Client
}

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
   * The size is compared before it succeeds, and the checksum of the whole data before the last chunk; that of a
   * range can't be. The chunks throw a Failure.
   */
  readonly read: (range?: ByteRange) => Outcome<AsyncIterable<Uint8Array>>
}

const outdated: Problem = {
  _tag: 'NotFound',
  hint: 'This download address is outdated: fetch the file’s metadata again for the one that holds now.',
}

const text = (state: JsonObject, name: string): string => String(state[name] ?? '')

/** Reads all of it and keeps nothing. */
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

/** Finds the data of a file, scaled down into a box where one is given. */
export const createDownloadFile = (
  ports: Pick<Ports, 'documents' | 'blobs' | 'imaging' | 'clock' | 'checksum' | 'log'>,
  { imageLimits }: Pick<Deployment, 'imageLimits'>,
) => {
  const { documents, blobs, checksum, log } = ports

  const isNamed = (instance: number, fileId: string, path: string): TE.TaskEither<PortFailure, boolean> =>
    pipe(
      documents.get(file.collection, instance, fileId),
      TE.map((found) => found?.value['blob'] === path),
    )

  /** Chunks of a blob that nobody has checked. */
  const rawChunks = (key: string): Outcome<AsyncIterable<Uint8Array>> =>
    pipe(
      blobs.read(key),
      TE.bimap(
        (failure) => (failure._tag === 'BlobNotFound' ? outdated : failure),
        ({ chunks }) => chunks,
      ),
    )

  const original = (instance: number, fileId: string, state: JsonObject): Download => {
    const path = text(state, 'blob')
    const expected = { bytes: Number(state['byte_size']), sha256: text(state, 'sha256') }

    const damaged = (found: string): Failure => {
      const wanted = `${expected.bytes} bytes, SHA-256 ${expected.sha256}`
      log.write('error', 'file data damaged', { instance, file: fileId, blob: path, expected: wanted, found })
      return internalError
    }

    const failing = (failure: ReadFailure): Failure =>
      failure._tag === 'PortFailure'
        ? failure
        : damaged(`${failure.found.bytes} bytes, SHA-256 ${failure.found.sha256}`)

    const read: Download['read'] = (range) => async () => {
      const opened = await blobs.read(originalBlob(path), range)()
      if (E.isLeft(opened)) {
        if (opened.left._tag === 'PortFailure') return E.left(opened.left)
        const named = await isNamed(instance, fileId, path)()
        if (E.isLeft(named)) return named
        // Replaced or deleted since the metadata was read.
        return E.left(named.right ? damaged('no data') : outdated)
      }
      const { bytes, chunks } = opened.right
      if (bytes !== expected.bytes) {
        await abandon(chunks)
        return E.left(damaged(`${bytes} bytes`))
      }
      const checked =
        range === undefined
          ? verifiedChunks(chunks, expected, checksum())
          : chunksOf(range.end - range.start + 1, chunks)
      return pipe(await beginReading(checked, failing), E.mapLeft(failing))
    }

    return {
      mimetype: text(state, 'mimetype'),
      ...(typeof state['charset'] === 'string' ? { charset: state['charset'] } : {}),
      filename: text(state, 'filename'),
      bytes: expected.bytes,
      tag: expected.sha256,
      read,
    }
  }

  const derivative = createDerivatives(ports, imageLimits, rawChunks)

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
      rawChunks(originalBlob(text(state, 'blob'))),
      TE.chain(headerOf),
      TE.chain((header) => {
        const found = recordedImage(recordImage(header, Number(state['byte_size'])))
        if (found !== null) return TE.right(found)
        return TE.left(refused(box, E.isLeft(header) ? header.left : brokenPixels))
      }),
    )
  }

  const scaled = (
    state: JsonObject,
    whole: Download,
    box: Box,
    requester: Requester,
  ): Outcome<Download | null> =>
    pipe(
      imageOf(state, box),
      TE.chain((image) => {
        const size = scaledSize(image, box)
        if (size === null) return TE.right(null)
        const excess = tooManyPixels(image, imageLimits)
        if (excess !== null) return TE.left(refused(box, excess))
        const source = { upload: text(state, 'blob'), bytes: whole.bytes, verify: verify(whole) }
        return pipe(
          derivative(source, size, requester),
          TE.bimap(unreadable(box), ({ bytes, name, read }): Download => ({
            // The format is that of the data, whatever they were declared as.
            mimetype: image.format,
            filename: whole.filename,
            bytes,
            tag: `${whole.tag}-${name}`,
            read,
          })),
        )
      }),
    )

  return ({ instance, fileId, upload, box: asked, client }: DownloadRequest): Outcome<Download> => {
    const box = asked !== null && client.isAnonymous ? roundedBox(asked) : asked
    return pipe(
      documents.get(file.collection, instance, fileId),
      TE.chainW((document) => {
        if (document === null || typeof document.value['upload'] !== 'number')
          return TE.left<Failure>(notFound)
        return document.value['upload'] === upload ? TE.right(document.value) : TE.left<Failure>(outdated)
      }),
      TE.chain((state) => {
        const whole = original(instance, fileId, state)
        if (box === null) return TE.right(whole)
        if (mimetypeGroup(whole.mimetype) !== 'image')
          return TE.left<Failure, Download>(refused(box, 'is for images only, and this file is none'))
        return pipe(
          scaled(state, whole, box, { instance, client: client.name }),
          TE.map((smaller) => smaller ?? whole),
        )
      }),
    )
  }
}
