import type { Json } from '@publishing-service/domain'
import {
  asciiPieceLength,
  asciiJsonPieces,
  asciiText,
  cacheControl,
  type Caching,
  type Headers,
} from '@publishing-service/http-contract'
import type { Clock } from '@publishing-service/ports'
import { varyOf } from './cross-origin.js'
import { entityTag, isUnchanged } from './entity-tag.js'
import { addSent, exchangeHeaders, type Exchange } from './exchange.js'
import type { ReadyResponse } from './response-cache.js'

/** The body of a response, in ASCII. A long one is encoded in slices; other requests are served between them. */
const encodeJson = async (value: Json, { turn }: Pick<Clock, 'turn'>): Promise<string | Buffer> => {
  await turn()
  const json = JSON.stringify(value)
  // Node.js writes a short text together with its headers.
  if (json.length <= asciiPieceLength) return asciiText(json)
  const pieces: Buffer[] = []
  for (const piece of asciiJsonPieces(json)) {
    pieces.push(Buffer.from(piece, 'latin1'))
    await turn()
  }
  return Buffer.concat(pieces)
}

/** A successful response with its headers, which can be sent and cached. */
export const jsonResponse = async (
  value: Json,
  caching: Caching,
  headers: Headers | undefined,
  clock: Pick<Clock, 'turn'>,
): Promise<ReadyResponse> => {
  const body = await encodeJson(value, clock)
  const tag = caching === 'none' ? '' : entityTag(body)
  const common = ['Cache-Control', cacheControl[caching], ...(tag === '' ? [] : ['ETag', tag])]
  const type = ['Content-Type', 'application/json; charset=utf-8']
  return {
    body,
    tag,
    headers: [...type, ...common, ...Object.entries(headers ?? {}).flat()],
    unchangedHeaders: common,
  }
}

/** Sends a response, or 304 where the client has it. */
export const sendReady = (
  exchange: Exchange,
  { body, tag, headers, unchangedHeaders }: ReadyResponse,
): void => {
  const { req, res } = exchange.context
  const headersWith = (own: readonly string[]) => [...exchangeHeaders(exchange), ...own, 'Vary', varyOf(res)]
  if (tag !== '' && isUnchanged(req.headers['if-none-match'], tag)) {
    res.writeHead(304, headersWith(unchangedHeaders)).end()
    return
  }
  res.writeHead(200, [...headersWith(headers), 'Content-Length', String(body.length)])
  // A text is ASCII: one byte per character.
  addSent(res, body.length)
  res.end(body, 'latin1')
}
