/** Reads bodies, and tells clients that wait for it to send them (`Expect: 100-continue`). */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import rawBody from 'raw-body'
import { canonicalCharset, E, type JsonObject, type Problem, type Upload } from '@publishing-service/domain'
import { parseObject, prefersStrict } from '@publishing-service/http-contract'
import type { Service } from './service.js'

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

/** Tells a client that waits for it to send the body. */
export const requestBody = (request: IncomingMessage): void => {
  const response = waiting.get(request)
  if (waiting.delete(request) && response?.headersSent === false) response.writeContinue()
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

const unsupported = (expected: string): Problem => ({ _tag: 'UnsupportedMediaType', expected })
const badRequest = (reason: string): Problem => ({ _tag: 'BadRequest', reason })

const jsonType = /^application\/(?:[a-z0-9.!#$&^_-]+\+)?json$/

const declaredLength = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0)

/** Whether the headers announce a body; a chunked one can still be empty. */
const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || declaredLength(request) > 0

const typeProblem = (request: IncomingMessage): Problem | null => {
  const type = mediaTypeOf(request)
  if (type !== '' && !jsonType.test(type)) return unsupported('JSON, declared as application/json')
  return charsetProblem(request) ?? partialProblem(request)
}

/** The declared type without parameters, in lower case; empty if none is. */
export const mediaTypeOf = ({ headers }: IncomingMessage): string =>
  ((headers['content-type'] ?? '').split(';', 1)[0] ?? '').trim().toLowerCase()

/** Only UTF-8 is accepted; its other names are tolerated (docs/behaviour/wire.md#request-bodies). */
export const charsetProblem = ({ headers }: IncomingMessage): Problem | null => {
  const [, ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters.find((parameter) => parameter.trim().startsWith('charset='))?.split('=')[1]
  if (charset === undefined) return null
  const name = charset.trim().replaceAll(/["']/g, '')
  const isStrict = headers['prefer'] !== undefined && prefersStrict(String(headers['prefer']))
  const canonical = isStrict ? name : canonicalCharset(name)
  return canonical === 'utf-8'
    ? null
    : unsupported('in UTF-8, declared as charset=utf-8 or without a charset')
}

/**
 * Bodies are accepted only whole, because a part would replace the whole, and only as they are: compressed ones could
 * exceed the size limits when decompressed.
 */
export const partialProblem = ({ headers }: IncomingMessage): Problem | null => {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return unsupported('sent without Content-Encoding')
  return headers['content-range'] === undefined
    ? null
    : badRequest(
        'it has a Content-Range, and a body has to be sent whole, in one request without that header',
      )
}

const failure = (error: unknown, limit: number): Problem => {
  const type = error instanceof Error && 'type' in error ? error.type : null
  if (type === 'entity.too.large') return { _tag: 'TooLarge', limit }
  if (type === 'request.aborted' || type === 'request.size.invalid')
    return badRequest('the body ended before it was complete')
  throw error
}

/** The largest body in bytes, and the most seconds from its first byte to its last. */
export type BodyLimits = { readonly bytes: number; readonly seconds: number }

/** The result of a read, or RequestTimeout if it takes too long, even if bytes still arrive. */
export const withinTime = async <A>(
  seconds: number,
  reading: Promise<E.Either<Problem, A>>,
): Promise<E.Either<Problem, A>> => {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<E.Either<Problem, A>>((resolve) => {
    timer = setTimeout(() => resolve(E.left({ _tag: 'RequestTimeout', seconds })), seconds * 1000)
  })
  try {
    return await Promise.race([reading, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

const readWhole = async (request: IncomingMessage, limit: number): Promise<E.Either<Problem, Buffer>> => {
  if (declaredLength(request) > limit) return E.left({ _tag: 'TooLarge', limit })
  requestBody(request)
  try {
    return E.right(await rawBody(request, { limit, length: request.headers['content-length'] ?? null }))
  } catch (error) {
    return E.left(failure(error, limit))
  }
}

/** What bodies are read with: the limits of JSON, and turns for their decoding. */
type Reader = {
  readonly options: Pick<Service['options'], 'jsonLimit' | 'jsonSeconds'>
  readonly clock: Pick<Service['clock'], 'turn'>
}

/** Reads a JSON object in UTF-8; null for a missing body. */
const readJson = async (
  { options: { jsonLimit, jsonSeconds }, clock }: Reader,
  request: IncomingMessage,
): Promise<E.Either<Problem, JsonObject> | null> => {
  if (!hasBody(request)) return null
  const problem = typeProblem(request)
  if (problem !== null) return E.left(problem)
  const read = await withinTime(jsonSeconds, readWhole(request, jsonLimit))
  if (E.isLeft(read)) return read
  const bytes = read.right
  if (bytes.length === 0) return null
  await clock.turn()
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return E.left(badRequest('the body is not UTF-8'))
    throw error
  }
  return parseObject(text)
}

/** Reads a body that must be one JSON object in UTF-8 (docs/behaviour/wire.md#request-bodies). */
export const readObject = async (
  reader: Reader,
  request: IncomingMessage,
): Promise<E.Either<Problem, JsonObject>> => (await readJson(reader, request)) ?? parseObject('')

/** The same, for which a missing body is an object without attributes. */
export const readOptionalObject = async (
  reader: Reader,
  request: IncomingMessage,
): Promise<E.Either<Problem, JsonObject>> => (await readJson(reader, request)) ?? E.right({})

/** The bytes of a body, requested from the client when the first are read. */
async function* dataOf(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  requestBody(request)
  // Where the body is not read to its end, the connection must stay open for the response.
  yield* request.iterator({ destroyOnReturn: false })
}

/** A body of any bytes, which the operation reads. */
export const readData = async (
  _reader: Reader,
  request: IncomingMessage,
): Promise<E.Either<Problem, Upload>> => {
  const problem = partialProblem(request)
  if (problem !== null) return E.left(problem)
  const { 'content-type': contentType, 'content-length': length } = request.headers
  const size = length === undefined ? undefined : Number(length)
  return E.right({ contentType, length: size, body: dataOf(request) })
}
