import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import contentDisposition from 'content-disposition'
import type { Context } from 'koa'
import parseRange from 'range-parser'
import { E, unknownMimetype } from '@publishing-service/domain'
import type { Download, Failure } from '@publishing-service/application'
import { cacheControl } from '@publishing-service/http-contract'
import { isPortFailure, wholeOf, type ByteRange } from '@publishing-service/ports'
import { varyOf } from './cross-origin.js'
import { isUnchanged } from './entity-tag.js'
import type { KeptAnswer } from './response-cache.js'

/** Every client reads ASCII; the name as it is stands beside it in UTF-8 (RFC 6266, appendix D). */
const disposition = (filename: string): string =>
  contentDisposition(filename, { type: 'inline', fallback: filename.replace(/[^ -~]/gu, '?') })

/** What a browser could run, or hand to a plug-in that could (decisions §10); what is of no known type could be any. */
const active =
  /^(?:text\/html|application\/xhtml\+xml|image\/svg\+xml|application\/pdf|(?:text|application)\/xml|.+\+xml|text\/xsl|application\/(?:x-)?(?:java|ecma)script|text\/javascript)$/

/** The last so many bytes, which may be more than there are (RFC 9110, 14.1.2); the parser takes that for beyond. */
const isWholeSuffix = (header: string, bytes: number): boolean =>
  bytes > 0 && Number(/^bytes=\s*-(\d+)\s*$/.exec(header)?.[1] ?? 0) >= bytes

/**
 * The range asked for; null for the whole. Several ranges, or a validator that no longer holds, get the whole, and so
 * does HEAD, for which ranges mean nothing.
 */
const rangeOf = (context: Context, bytes: number, tag: string): ByteRange | null | 'beyond' => {
  const header = context.get('Range')
  const condition = context.get('If-Range')
  const isAsked = header !== '' && !header.includes(',')
  if (!isAsked || context.method !== 'GET' || (condition !== '' && condition !== tag)) return null
  if (isWholeSuffix(header, bytes)) return { start: 0, end: bytes - 1 }
  const ranges = parseRange(bytes, header)
  if (ranges === -1) return 'beyond'
  if (ranges === -2 || ranges.type !== 'bytes') return null
  const [range] = ranges
  return range === undefined ? null : { start: range.start, end: range.end }
}

const headersOf = ({ mimetype, filename, bytes }: Download, tag: string, range: ByteRange | null) => ({
  'Accept-Ranges': 'bytes',
  'Cache-Control': cacheControl.download,
  'Content-Disposition': disposition(filename),
  'Content-Length': String(range === null ? bytes : range.end - range.start + 1),
  'Content-Type': mimetype,
  ETag: tag,
  'X-Content-Type-Options': 'nosniff',
  ...(active.test(mimetype) || mimetype === unknownMimetype ? { 'Content-Security-Policy': 'sandbox' } : {}),
  ...(range === null ? {} : { 'Content-Range': `bytes ${range.start}-${range.end}/${bytes}` }),
})

const isAborted = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes(String(error.code))

/** Small data as a whole, ready to be sent and kept. */
export const dataAnswer = async (download: Download): Promise<E.Either<Failure, KeptAnswer>> => {
  const read = await wholeOf({ bytes: download.bytes, open: download.read() })()
  if (E.isLeft(read)) return read
  const tag = `"${download.tag}"`
  const { 'Content-Length': _, ...own } = headersOf(download, tag, null)
  return E.right({
    body: Buffer.from(read.right.buffer, read.right.byteOffset, read.right.length),
    tag,
    headers: Object.entries(own).flat(),
    unchangedHeaders: ['Cache-Control', cacheControl.download, 'ETag', tag],
  })
}

/** Streams the data, or says that the client has it already; what fails behind the first byte ends the connection. */
export const sendData = async (
  context: Context,
  response: ServerResponse,
  download: Download,
): Promise<Failure | null> => {
  const tag = `"${download.tag}"`
  if (isUnchanged(context.req.headers['if-none-match'], tag)) {
    response
      .writeHead(304, { 'Cache-Control': cacheControl.download, ETag: tag, Vary: varyOf(response) })
      .end()
    return null
  }
  const range = rangeOf(context, download.bytes, tag)
  if (range === 'beyond') return { _tag: 'RangeNotSatisfiable', size: download.bytes }
  const headers = { ...headersOf(download, tag, range), Vary: varyOf(response) }
  const status = range === null ? 200 : 206
  if (context.method === 'HEAD' || download.bytes === 0) {
    response.writeHead(status, headers).end()
    return null
  }
  const opened = await download.read(range ?? undefined)()
  if (E.isLeft(opened)) return opened.left
  response.writeHead(status, headers)
  try {
    await pipeline(Readable.from(opened.right, { objectMode: false }), response)
  } catch (error) {
    if (isPortFailure(error)) return error
    // A client that hangs up half way is no failure of the service; its end of the connection is gone already.
    if (!isAborted(error)) throw error
  }
  return null
}
