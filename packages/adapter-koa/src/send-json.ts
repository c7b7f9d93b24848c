import type { Json, Problem } from '@publishing-service/domain'
import {
  asciiPieceLength,
  asciiJsonPieces,
  asciiText,
  cacheControl,
  publicCacheControl,
  type Caching,
  type Result,
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

/** A text in UTF-8. Other requests are served between its pieces. */
const encodeText = async (pieces: Iterable<string>, { turn }: Pick<Clock, 'turn'>): Promise<Buffer> => {
  const encoded: Buffer[] = []
  for (const piece of pieces) {
    encoded.push(Buffer.from(piece))
    await turn()
  }
  return Buffer.concat(encoded)
}

type TextResult = Extract<Result, { readonly _tag: 'Json' | 'Text' }>

/** How a response is cached: its class, and whether it is public because it needs no token. */
export type ResponseCaching = { readonly caching: Caching; readonly isPublic: boolean }

/** A successful response with its headers, which can be sent and cached. */
export const textResponse = async (
  result: TextResult,
  { caching, isPublic }: ResponseCaching,
  clock: Pick<Clock, 'turn'>,
): Promise<ReadyResponse> => {
  const isJson = result._tag === 'Json'
  const body = await (isJson ? encodeJson(result.body, clock) : encodeText(result.pieces, clock))
  const tag = caching === 'none' ? '' : entityTag(body)
  const control = isPublic ? publicCacheControl(caching) : cacheControl[caching]
  const common = ['Cache-Control', control, ...(tag === '' ? [] : ['ETag', tag])]
  const type = ['Content-Type', `${result.mediaType ?? 'application/json'}; charset=utf-8`]
  return {
    body,
    tag,
    isPublic,
    headers: [...type, ...common, ...Object.entries((isJson ? result.headers : undefined) ?? {}).flat()],
    unchangedHeaders: common,
  }
}

/** Sends a response, or 304 where the client has it. Returns the problem to send where neither is possible. */
export const sendReady = (
  exchange: Exchange,
  { body, tag, isPublic, headers, unchangedHeaders }: ReadyResponse,
): Problem | null => {
  const { req, res } = exchange.context
  const varying = isPublic ? [] : ['Vary', varyOf(res)]
  const headersWith = (own: readonly string[]) => [...exchangeHeaders(exchange), ...own, ...varying]
  if (tag !== '' && isUnchanged(req.headers['if-none-match'], tag)) {
    res.writeHead(304, headersWith(unchangedHeaders)).end()
    return null
  }
  const refusal = exchange.unsent.add(res, body.length)
  if (refusal !== null) return refusal
  res.writeHead(200, [...headersWith(headers), 'Content-Length', String(body.length)])
  // A text is ASCII: one byte per character.
  addSent(res, body.length)
  res.end(body, 'latin1')
  return null
}
