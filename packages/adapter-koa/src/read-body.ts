/** Reads bodies, and tells clients that wait for it to send them (`Expect: 100-continue`). */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import rawBody from 'raw-body'
import type { AnyProblem } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { canonicalCharset, type Upload } from '@publishing-service/domain/files'
import { tooLarge, unwrap } from '@publishing-service/application'
import { parseObject, prefersStrict } from '@publishing-service/http-contract'
import type { Service } from './service.js'
import { sessionScheme } from './session-cookie.js'

/** The responses to requests whose client waits for 100 before it sends the body. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>()

/**
 * Clients that send `Expect: 100-continue` get 100 when the body is about to be read. A request that fails
 * before, such as one without a token, gets its response without a body.
 */
export const deferContinue = (server: Server): void => {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.set(request, response)
    server.emit('request', request, response)
  })
}

/** Tells the client to send the body, if it waits for that. */
export const requestBody = (request: IncomingMessage): void => {
  const response = waiting.get(request)
  if (waiting.delete(request) && response?.headersSent === false) response.writeContinue()
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

const unsupported = (expected: string): AnyProblem => ({ _tag: 'UnsupportedMediaType', expected })
const badRequest = (reason: string): AnyProblem => ({ _tag: 'BadRequest', reason })

const jsonType = /^application\/(?:[a-z0-9.!#$&^_-]+\+)?json$/

/** The declared type without parameters, in lower case; empty if none is. */
export const mediaTypeOf = ({ headers }: IncomingMessage): string =>
  ((headers['content-type'] ?? '').split(';', 1)[0] ?? '').trim().toLowerCase()

/** Only UTF-8 is accepted; its other names are tolerated (docs/behaviour/wire.md#request-bodies). */
export const requireUtf8 = ({ headers }: IncomingMessage): void => {
  const [, ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters.find((parameter) => parameter.trim().startsWith('charset='))?.split('=')[1]
  if (charset === undefined) return
  const name = charset.trim().replaceAll(/["']/g, '')
  const isStrict = headers['prefer'] !== undefined && prefersStrict(String(headers['prefer']))
  const canonical = isStrict ? name : canonicalCharset(name)
  if (canonical !== 'utf-8') throw unsupported('in UTF-8, declared as charset=utf-8 or without a charset')
}

/**
 * Where the cookie of a browser counts, JSON has to be declared: other pages can send a body of no type without a preflight
 * (docs/behaviour/wire.md#request-bodies).
 */
const requireJson = (request: IncomingMessage, isDeclared: boolean): void => {
  const type = mediaTypeOf(request)
  const mayBeMissing = !isDeclared && request.headers.authorization !== sessionScheme
  if (!(type === '' && mayBeMissing) && !jsonType.test(type))
    throw unsupported('JSON, declared as application/json')
  requireUtf8(request)
}

/**
 * Bodies are accepted only whole, because a part would replace the whole, and only as they are: compressed ones could
 * exceed the size limits when decompressed.
 */
export const requireWhole = ({ headers }: IncomingMessage): void => {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw unsupported('sent without Content-Encoding')
  if (headers['content-range'] !== undefined)
    throw badRequest(
      'it has a Content-Range, and a body has to be sent whole, in one request without that header',
    )
}

const failure = (error: unknown, limit: number): AnyProblem => {
  const type = error instanceof Error && 'type' in error ? error.type : null
  if (type === 'entity.too.large') return tooLarge(limit)
  if (type === 'request.aborted' || type === 'request.size.invalid')
    return badRequest('the body ended before it was complete')
  throw error
}

/** The largest body in bytes, and the most seconds from its first byte to its last. */
export type BodyLimits = { readonly bytes: number; readonly seconds: number }

/** The result of a read; throws RequestTimeout if it takes too long, even if bytes still arrive. */
export const withinTime = async <A>(seconds: number, reading: Promise<A>): Promise<A> => {
  const late: AnyProblem = { _tag: 'RequestTimeout', seconds }
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(reject, seconds * 1000, late)
  })
  try {
    return await Promise.race([reading, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

const readWhole = async (request: IncomingMessage, length: number, limit: number): Promise<Buffer> => {
  if (length > limit) throw tooLarge(limit)
  requestBody(request)
  try {
    return await rawBody(request, { limit, length: request.headers['content-length'] ?? null })
  } catch (error) {
    throw failure(error, limit)
  }
}

/** What bodies are read with: the limits of JSON, and turns for their decoding. */
type Reader = {
  readonly options: Pick<Service['options'], 'jsonLimit' | 'jsonSeconds'>
  readonly clock: Pick<Service['clock'], 'turn'>
}

/** Creates the reader of a JSON object in UTF-8. A missing body is read as this text. */
const createReadObject =
  (missing: '' | '{}', isDeclared = false) =>
  async (
    { options: { jsonLimit, jsonSeconds }, clock }: Reader,
    request: IncomingMessage,
  ): Promise<JsonObject> => {
    const length = Number(request.headers['content-length'] ?? 0)
    // A chunked body can still be empty.
    if (length <= 0 && request.headers['transfer-encoding'] === undefined) return unwrap(parseObject(missing))
    // Most requests declare exactly this.
    if (request.headers['content-type'] !== 'application/json') requireJson(request, isDeclared)
    requireWhole(request)
    const bytes = await withinTime(jsonSeconds, readWhole(request, length, jsonLimit))
    if (bytes.length === 0) return unwrap(parseObject(missing))
    await clock.turn()
    let text: string
    try {
      text = decoder.decode(bytes)
    } catch (error) {
      throw error instanceof TypeError ? badRequest('the body is not UTF-8') : error
    }
    return unwrap(parseObject(text))
  }

/** Reads a body that must be one JSON object in UTF-8 (docs/behaviour/wire.md#request-bodies). */
export const readObject = createReadObject('')

/** The same; its type has to be declared. */
export const readDeclaredObject = createReadObject('', true)

/** The same, for which a missing body is an object without attributes. */
export const readOptionalObject = createReadObject('{}')

/** The bytes of a body, requested from the client when the first are read. */
async function* dataOf(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  requestBody(request)
  // Where the body is not read to its end, the connection must stay open for the response.
  yield* request.iterator({ destroyOnReturn: false })
}

/** A body of any bytes, which the operation reads. */
export const readData = async (_reader: Reader, request: IncomingMessage): Promise<Upload> => {
  requireWhole(request)
  const { 'content-type': contentType, 'content-length': length } = request.headers
  const size = length === undefined ? undefined : Number(length)
  return { contentType, length: size, body: dataOf(request) }
}
