import type { ServerResponse } from 'node:http'
import type { Context } from 'koa'
import { cacheControl, type Caching } from '@publishing-service/http-contract'
import { varyOf } from './cross-origin.js'
import { entityTag, isUnchanged } from './entity-tag.js'
import type { Headers } from './answer.js'
import { exchangeHeaders } from './exchange-headers.js'
import type { KeptAnswer } from './response-cache.js'
import { addSent } from './sent-bytes.js'

const jsonType = 'application/json; charset=utf-8'

/** A good answer with all its headers, ready to be sent and kept. */
export const jsonAnswer = (body: KeptAnswer['body'], caching: Caching, headers: Headers): KeptAnswer => {
  const tag = caching === 'none' ? '' : entityTag(body)
  const common = { 'Cache-Control': cacheControl[caching], ...(tag === '' ? {} : { ETag: tag }) }
  const own = { 'Content-Type': jsonType, ...common, ...headers }
  return {
    body,
    tag,
    headers: Object.entries(own).flat(),
    unchangedHeaders: Object.entries(common).flat(),
  }
}

/** An answer's own headers between those of this exchange. */
const headersFor = (
  context: Context,
  response: ServerResponse,
  own: readonly string[],
): readonly string[] => [...exchangeHeaders(context), ...own, 'Vary', varyOf(response)]

/** Sends an answer, or 304 where the client has it already. */
export const sendKept = (
  context: Context,
  response: ServerResponse,
  { body, tag, headers, unchangedHeaders }: KeptAnswer,
): void => {
  if (tag !== '' && isUnchanged(context.req.headers['if-none-match'], tag)) {
    response.writeHead(304, [...headersFor(context, response, unchangedHeaders)]).end()
    return
  }
  response.writeHead(200, [...headersFor(context, response, headers), 'Content-Length', String(body.length)])
  // A text is ASCII, so one byte a character.
  addSent(response, body.length)
  response.end(body, 'latin1')
}
