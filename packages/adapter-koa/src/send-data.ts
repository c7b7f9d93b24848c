import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import contentDisposition from 'content-disposition'
import type { AnyProblem } from '@publishing-service/domain'
import { withoutDirections } from '@publishing-service/domain/declare'
import { displayOf, downloadType } from '@publishing-service/domain/files'
import type { Download } from '@publishing-service/application'
import { cacheControl, publicCacheControl, vary, type Caching } from '@publishing-service/http-contract'
import type { ByteRange } from '@publishing-service/ports'
import { varyOf } from './cross-origin.js'
import { unchangedTag } from './entity-tag.js'
import { headersWithPolicy, writeHead, type RequestContext } from './request-context.js'
import type { ReadyResponse } from './ready-response.js'
import type { Service } from './service.js'
import { smallBody } from './waiting.js'

/** One range of bytes (RFC 9110, section 14.1.2). */
const oneRange = /^bytes=(?:(?<first>\d+)-(?<last>\d*)|-(?<suffix>\d+))$/

/**
 * The requested range; null for all bytes. HEAD and an If-Range with another tag ignore the Range header, and so is one
 * that is invalid or has several ranges. Throws RangeNotSatisfiable.
 */
const requestedRange = (
  { method, req: { headers } }: RequestContext['koa'],
  bytes: number,
  tag: string,
): ByteRange | null => {
  const { range, 'if-range': condition = '' } = headers
  if (range === undefined || method !== 'GET' || (condition !== '' && condition !== tag)) return null
  const { first, last, suffix } = oneRange.exec(range)?.groups ?? {}
  if (first === undefined && suffix === undefined) return null
  const start = first === undefined ? Math.max(0, bytes - Number(suffix)) : Number(first)
  const end = last === undefined || last === '' ? Infinity : Number(last)
  if (end < start) return null
  const unsatisfiable: AnyProblem = { _tag: 'RangeNotSatisfiable', size: bytes }
  if (start >= bytes) throw unsatisfiable
  return { start, end: Math.min(end, bytes - 1) }
}

/**
 * The headers of data. The type and the Content-Disposition prevent browsers from running it in the origin of the service
 * (docs/behaviour/files.md#download-headers).
 */
const headersOf = (
  { mimetype, charset, filename: stored, bytes }: Download,
  tag: string,
  range: ByteRange | null,
) => {
  const type = downloadType(mimetype)
  // Earlier versions stored names with these characters.
  const filename = withoutDirections(stored)
  return {
    'Accept-Ranges': 'bytes',
    'Content-Length': String(range === null ? bytes : range.end - range.start + 1),
    'Content-Type': charset === undefined || type !== mimetype ? type : `${type}; charset=${charset}`,
    ETag: tag,
    // The name in ASCII for every client, and the exact name in UTF-8 (RFC 6266, appendix D).
    'Content-Disposition': contentDisposition(filename, {
      type: displayOf(mimetype).disposition,
      fallback: filename.replace(/[^ -~]/gu, '?'),
    }),
    ...(range === null ? {} : { 'Content-Range': `bytes ${range.start}-${range.end}/${bytes}` }),
  }
}

/** The Content-Security-Policy of data. It allows frames: websites embed PDF files. */
const policyOf = ({ mimetype }: Download): string | null => (displayOf(mimetype).sandbox ? 'sandbox' : null)

const isAborted = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes(String(error.code))

/** The most bytes of a stream that wait to be sent: a chunk, and the buffers between it and the connection. */
const streamBuffer = 256 * 1024

/** Passes the chunks through and counts their bytes as sent. */
async function* countSent(
  chunks: AsyncIterable<Uint8Array>,
  context: RequestContext,
): AsyncIterable<Uint8Array> {
  for await (const chunk of chunks) {
    context.sentBytes += chunk.length
    yield chunk
  }
}

/** How long caches store data: what depends on the focal point changes with it. */
const cachingOf = ({ dependsOn, isStored }: Download): Caching => {
  if (!isStored) return 'unstored'
  return dependsOn.focalPoint ? 'object' : 'download'
}

/** Reads small data completely, which verifies it, as a response that can be sent and cached. Throws an AnyFailure. */
export const dataResponse = async (download: Download): Promise<ReadyResponse> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of await download.read()) chunks.push(chunk)
  const tag = `"${download.tag}"`
  const { 'Content-Length': _, ETag: __, ...own } = headersOf(download, tag, null)
  return {
    body: Buffer.concat(chunks),
    tag,
    control: cacheControl[cachingOf(download)],
    vary,
    headers: Object.entries(own).flat(),
    policy: policyOf(download),
    forms: null,
  }
}

/** Data that is sent without a token is public: every cache may store it, and it does not depend on the token. */
const cachingHeadersOf = (
  { req, res }: RequestContext['koa'],
  download: Download,
): Readonly<Record<string, string>> => {
  const caching = cachingOf(download)
  if (req.headers.authorization !== undefined)
    return { 'Cache-Control': cacheControl[caching], Vary: varyOf(res) }
  const control = { 'Cache-Control': publicCacheControl(caching) }
  return download.dependsOn.accept ? { ...control, Vary: varyOf(res, 'Accept') } : control
}

/**
 * Streams the data with `more` headers, in which names and values alternate, or sends 304 where the client has it. The data
 * is opened, and its size checked, before the headers are sent. A later failure closes the connection: the body is shorter
 * than its Content-Length, and the next response must not be read as its rest. Throws an AnyFailure.
 */
export const sendData = async (
  { unsent }: Pick<Service, 'unsent'>,
  context: RequestContext,
  download: Download,
  more: readonly string[],
): Promise<void> => {
  const { koa } = context
  const response = koa.res
  const tag = `"${download.tag}"`
  const caching = cachingHeadersOf(koa, download)
  const head = { koa, headers: [...headersWithPolicy(context, policyOf(download)), ...more] }
  const { 'if-none-match': known, 'accept-encoding': accepted } = koa.req.headers
  const unchanged = known === undefined ? null : unchangedTag(known, accepted, tag)
  if (unchanged !== null) {
    writeHead(head, 304, { ...caching, ETag: unchanged })
    response.end()
    return
  }
  const range = requestedRange(koa, download.bytes, tag)
  const selected = range === null ? download.bytes : range.end - range.start + 1
  const refusal = selected <= smallBody ? null : unsent.add(response, Math.min(selected, streamBuffer))
  if (refusal !== null) throw refusal
  const headers = { ...headersOf(download, tag, range), ...caching }
  const chunks = await download.read(range ?? undefined)
  writeHead(head, range === null ? 200 : 206, headers)
  if (koa.method === 'HEAD') {
    await chunks[Symbol.asyncIterator]().return?.()
    response.end()
    return
  }
  try {
    await pipeline(Readable.from(countSent(chunks, context), { objectMode: false }), response)
  } catch (error) {
    // A client that disconnects during the download is no failure of the service.
    if (!isAborted(error)) throw error
  }
}
