import type { ServerResponse } from 'node:http'
import type { Problem } from '@publishing-service/domain'
import { varyOf } from './cross-origin.js'
import type { Compression } from './compression.js'
import { codedTag, unchangedTag } from './entity-tag.js'
import { addSent, exchangeHeaders, type RequestContext } from './request-context.js'
import type { Coding, ReadyResponse } from './ready-response.js'

const sharedHeaders = (
  exchange: RequestContext,
  { control, vary, policy }: ReadyResponse,
  tag: string,
): string[] => {
  const headers = [...exchangeHeaders(exchange, policy), 'Cache-Control', control]
  if (tag !== '') headers.push('ETag', tag)
  if (vary !== '') headers.push('Vary', varyOf(exchange.context.res, vary))
  return headers
}

type SendingEvents = {
  /** A compressed form was made of the response. */
  readonly onCompressed: (exchange: RequestContext, response: ReadyResponse) => void
  /** Too many bodies wait to be sent. */
  readonly onRefused: (exchange: RequestContext, problem: Problem) => void
}

/** Sends a response, compressed where the client accepts that, or 304 where the client has it. */
export const createSendReady = (compression: Compression, { onCompressed, onRefused }: SendingEvents) => {
  const sendForm = (
    exchange: RequestContext,
    response: ReadyResponse,
    body: string | Buffer,
    coding: Coding | null,
  ): void => {
    const { res }: { readonly res: ServerResponse } = exchange.context
    const refusal = exchange.unsent.add(res, body.length)
    if (refusal !== null) return onRefused(exchange, refusal)
    const tag = coding === null || response.tag === '' ? response.tag : codedTag(response.tag, coding)
    const headers = sharedHeaders(exchange, response, tag)
    headers.push(...response.headers, 'Content-Length', String(body.length))
    if (coding !== null) headers.push('Content-Encoding', coding)
    res.writeHead(200, headers)
    // A text is ASCII: one byte per character.
    addSent(res, body.length)
    res.end(body, 'latin1')
  }

  return (exchange: RequestContext, response: ReadyResponse): void | Promise<void> => {
    const { req, res } = exchange.context
    const { body, forms, tag } = response
    const coding = forms === null ? null : compression.codingFor(req.headers['accept-encoding'])
    if (tag !== '') {
      const selected = coding === null ? tag : codedTag(tag, coding)
      const unchanged = unchangedTag(req.headers, tag, selected)
      if (unchanged !== null) {
        res.writeHead(304, sharedHeaders(exchange, response, unchanged)).end()
        return
      }
    }
    if (coding === null) return sendForm(exchange, response, body, null)
    const form = compression.formOf(response, coding, () => onCompressed(exchange, response))
    if (form === null) return sendForm(exchange, response, body, null)
    if (Buffer.isBuffer(form)) return sendForm(exchange, response, form, coding)
    return form.then((bytes) => sendForm(exchange, response, bytes, coding))
  }
}

export type SendReady = ReturnType<typeof createSendReady>
