import {
  badParameters,
  boxFaults,
  E,
  file,
  mimetypeGroup,
  notFound,
  pipe,
  scaledSize,
  TE,
  type Box,
  type JsonObject,
  type Problem,
  type Size,
} from '@publishing-service/domain'
import {
  isPortFailure,
  type BlobNotFound,
  type ByteRange,
  type ImageUnreadable,
  type PortFailure,
} from '@publishing-service/ports'
import type { Failure, Outcome } from '../failure.js'
import type { Ports } from '../ports.js'
import { derivedBlob, originalBlob } from './blob-paths.js'

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

const wholeOf =
  (chunks: AsyncIterable<Uint8Array>, bytes: number): Outcome<Uint8Array> =>
  async () => {
    const whole = new Uint8Array(bytes)
    let offset = 0
    try {
      for await (const chunk of chunks) {
        whole.set(chunk, offset)
        offset += chunk.length
      }
    } catch (error) {
      if (isPortFailure(error)) return E.left(error)
      throw error
    }
    return E.right(whole)
  }

async function* once(data: Uint8Array) {
  yield data
}

/** Finds the data of a file, scaled down into a box where one is given (specification, rule 5; decisions §10). */
export const createDownloadFile = ({
  documents,
  blobs,
  imaging,
}: Pick<Ports, 'documents' | 'blobs' | 'imaging'>) => {
  /** Derivatives being made, so that simultaneous first requests make one. */
  const making = new Map<string, Promise<E.Either<Failure, number>>>()

  const gone = (failure: PortFailure | BlobNotFound): Failure =>
    failure._tag === 'BlobNotFound' ? outdated : failure

  const readBlob = (key: string) => (range?: ByteRange) => pipe(blobs.read(key, range), TE.mapLeft(gone))

  const unreadable =
    (box: Box) =>
    (failure: PortFailure | ImageUnreadable): Failure =>
      failure._tag === 'ImageUnreadable' ? badParameters(boxFaults(box, failure.reason)) : failure

  const load = (path: string, bytes: number): Outcome<Uint8Array> =>
    pipe(
      readBlob(originalBlob(path))(),
      TE.chain((chunks) => wholeOf(chunks, bytes)),
    )

  const sizeOf = (state: JsonObject, box: Box): Outcome<Size> => {
    const { width, height } = state
    if (typeof width === 'number' && typeof height === 'number') return TE.right({ width, height })
    return pipe(
      load(text(state, 'blob'), Number(state['byte_size'])),
      TE.chain((data) => pipe(imaging.probe(data), TE.mapLeft(unreadable(box)))),
    )
  }

  const make = (state: JsonObject, key: string, size: Size, box: Box): Outcome<number> =>
    pipe(
      load(text(state, 'blob'), Number(state['byte_size'])),
      TE.chain((data) => pipe(imaging.scale(data, size), TE.mapLeft(unreadable(box)))),
      TE.chain((scaled) =>
        pipe(
          blobs.write(key, once(scaled), scaled.length),
          TE.map(({ bytes }) => bytes),
          TE.mapLeft((failure): Failure => {
            if (failure._tag === 'PortFailure') return failure
            throw new Error(`a derivative of ${scaled.length} bytes was refused: ${failure._tag}`)
          }),
        ),
      ),
    )

  const makeOnce =
    (state: JsonObject, key: string, size: Size, box: Box): Outcome<number> =>
    async () => {
      const under = making.get(key)
      if (under !== undefined) return under
      const mine = make(state, key, size, box)().finally(() => making.delete(key))
      making.set(key, mine)
      return mine
    }

  const scaled = (state: JsonObject, box: Box): Outcome<Download | null> =>
    pipe(
      sizeOf(state, box),
      TE.chain((original) => {
        const size = scaledSize(original, box)
        if (size === null) return TE.right(null)
        const key = derivedBlob(text(state, 'blob'), size.width, size.height, imaging.version)
        return pipe(
          blobs.size(key),
          TE.chainW((bytes) => (bytes === null ? makeOnce(state, key, size, box) : TE.right(bytes))),
          TE.map((bytes) => ({
            ...named(state),
            bytes,
            tag: `${text(state, 'sha256')}-${size.width}x${size.height}-${imaging.version}`,
            read: readBlob(key),
          })),
        )
      }),
    )

  const named = (state: JsonObject) => ({
    mimetype: text(state, 'mimetype'),
    filename: text(state, 'filename'),
  })

  const original = (state: JsonObject): Download => ({
    ...named(state),
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
          return TE.left<Failure, Download>(
            badParameters(boxFaults(box, 'is for images only, and this file is none')),
          )
        return pipe(
          scaled(state, box),
          TE.map((derivative) => derivative ?? original(state)),
        )
      }),
    )
}
