/** Compresses responses outside the event loop (docs/behaviour/wire.md#compression). */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { preferredCoding } from '@publishing-service/http-contract'
import { codings, type CodedForms, type Coding, type ReadyResponse } from './ready-response.js'

/** Bytes of the shortest body that is compressed: shorter ones fit into a packet or two. */
const shortest = 1024

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

/** Where the compressed forms of a body are stored; null if it is never compressed. */
export const formsFor = (isCompressed: boolean, body: string | Buffer): CodedForms | null =>
  isCompressed && body.length >= shortest ? new Map() : null

const longestHeader = 200
const codingOf = (acceptEncoding: string): Coding | 'identity' =>
  preferredCoding(acceptEncoding, codings) ?? 'identity'

export const createCompression = () => {
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
    /** The coding that a client prefers; null for none. Clients send few different headers. */
    codingFor: (acceptEncoding: string | undefined): Coding | null => {
      if (acceptEncoding === undefined) return null
      const isKept = acceptEncoding.length <= longestHeader
      const coding = isKept ? known.memo(acceptEncoding) : codingOf(acceptEncoding)
      return coding === 'identity' ? null : coding
    },

    /**
     * The compressed form of a response, stored with it and counted by `onMade` when it is there; null if too many are
     * being made.
     */
    formOf: (
      { body, forms }: ReadyResponse,
      coding: Coding,
      onMade: () => void,
    ): Buffer | Promise<Buffer> | null => {
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

export type Compression = ReturnType<typeof createCompression>
