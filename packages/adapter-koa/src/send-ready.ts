import { varyOf } from './cross-origin.js'
import { codedTag, unchangedTag } from './entity-tag.js'
import { exchangeHeaders, type RequestContext } from './request-context.js'
import type { Coding, ReadyResponse } from './ready-response.js'
import { fail } from './send-failure.js'
import type { Service } from './service.js'
import { smallBody } from './unsent-bodies.js'

/** Bytes of the shortest body that is compressed: shorter ones fit into a packet or two. */
const shortestCompressed = 1024

const headersOf = (
  { isPreflight }: SendingService,
  exchange: RequestContext,
  { control, vary, policy }: ReadyResponse,
  tag: string,
): string[] => {
  const headers = exchangeHeaders(exchange, policy)
  headers.push('Cache-Control', control)
  if (tag !== '') headers.push('ETag', tag)
  if (vary !== '') headers.push('Vary', isPreflight === null ? vary : varyOf(exchange.context.res, vary))
  return headers
}

/** What a response is sent with. */
export type SendingService = Pick<Service, 'cache' | 'compression' | 'isPreflight' | 'log' | 'unsent'>

const sendForm = (
  service: SendingService,
  exchange: RequestContext,
  response: ReadyResponse,
  body: string | Buffer,
  coding: Coding | null,
): void => {
  const { res } = exchange.context
  const refusal = body.length <= smallBody ? null : service.unsent.add(res, body.length)
  if (refusal !== null) return fail(service, exchange, refusal)
  const tag = coding === null || response.tag === '' ? response.tag : codedTag(response.tag, coding)
  const headers = headersOf(service, exchange, response, tag)
  headers.push(...response.headers, 'Content-Length', String(body.length))
  if (coding !== null) headers.push('Content-Encoding', coding)
  res.writeHead(200, headers)
  // A text is ASCII: one byte per character.
  exchange.sentBytes = body.length
  res.end(body, 'latin1')
}

/** Sends a response, compressed where the client accepts that, or 304 where the client has it. */
export const sendReady = async (
  service: SendingService,
  exchange: RequestContext,
  response: ReadyResponse,
): Promise<void> => {
  const { req, res } = exchange.context
  const { body, forms, tag } = response
  const { 'accept-encoding': accepted, 'if-none-match': known } = req.headers
  const isCompressed = forms !== null && accepted !== undefined && body.length >= shortestCompressed
  const coding = isCompressed ? service.compression.codingFor(accepted) : null
  if (tag !== '' && known !== undefined) {
    const unchanged = unchangedTag(req.headers, tag, coding === null ? tag : codedTag(tag, coding))
    if (unchanged !== null) {
      res.writeHead(304, headersOf(service, exchange, response, unchanged)).end()
      return
    }
  }
  if (coding === null) return sendForm(service, exchange, response, body, null)
  const form = await service.compression.formOf(response, coding, () => {
    if (exchange.cacheLookup !== null) service.cache.resize(exchange.cacheLookup, response)
  })
  if (form === null) sendForm(service, exchange, response, body, null)
  else sendForm(service, exchange, response, form, coding)
}
