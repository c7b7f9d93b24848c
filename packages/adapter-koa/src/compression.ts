/** Compresses responses outside the event loop (docs/behaviour/wire.md#compression). */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { preferredCoding } from '@publishing-service/http-contract'
import { codings, type Coding, type ReadyResponse } from './ready-response.js'

/** Compressions at the same time; each uses up to some megabytes. Above it, responses are sent as they are. */
const mostRunning = 32

const gzipAsync = promisify(gzip)
const brotliAsync = promisify(brotliCompress)

/** Levels that compress a page of JSON in a millisecond or two. */
const compressed: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  gzip: (bytes) => gzipAsync(bytes, { level: 6 }),
  br: (bytes) =>
    brotliAsync(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
}

const longestHeader = 200
const codingOf = (acceptEncoding: string): Coding | 'identity' =>
  preferredCoding(acceptEncoding, codings) ?? 'identity'

/** Compresses the bodies of responses. */
export type Compression = {
  /** The coding that a client prefers; null for none. Clients send few different headers. */
  readonly codingFor: (acceptEncoding: string) => Coding | null
  /**
   * The compressed form of a response, stored with it and counted by `onMade` when it is there; null if too many are
   * being made.
   */
  readonly formOf: (
    response: Pick<ReadyResponse, 'body' | 'forms'>,
    coding: Coding,
    onMade: () => void,
  ) => Buffer | Promise<Buffer> | null
}

export const createCompression = (): Compression => {
  const known = new LRUCache<string, Coding | 'identity'>({
    max: 500,
    memoMethod: codingOf,
  })
  let running = 0

  const make = async (body: string | Buffer, coding: Coding): Promise<Buffer> => {
    running += 1
    try {
      return await compressed[coding](typeof body === 'string' ? Buffer.from(body, 'latin1') : body)
    } finally {
      running -= 1
    }
  }

  return {
    codingFor: (acceptEncoding) => {
      const isKept = acceptEncoding.length <= longestHeader
      const coding = isKept ? known.memo(acceptEncoding) : codingOf(acceptEncoding)
      return coding === 'identity' ? null : coding
    },

    formOf: ({ body, forms }, coding, onMade) => {
      const form = forms?.get(coding)
      if (form !== undefined || forms === null) return form ?? null
      if (running >= mostRunning) return null
      const making = make(body, coding).then(
        (bytes) => {
          forms.set(coding, bytes)
          onMade()
          return bytes
        },
        (error: unknown) => {
          forms.delete(coding)
          throw error
        },
      )
      forms.set(coding, making)
      return making
    },
  }
}
