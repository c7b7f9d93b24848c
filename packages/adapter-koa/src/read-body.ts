import type { IncomingMessage } from 'node:http'
import rawBody from 'raw-body'
import { E, type JsonObject, type Problem } from '@publishing-service/domain'
import { parseObject } from '@publishing-service/http-contract'
import type { Outcome } from '@publishing-service/application'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

const unsupported = (expected: string): Problem => ({ _tag: 'UnsupportedMediaType', expected })
const badRequest = (reason: string): Problem => ({ _tag: 'BadRequest', reason })

const jsonType = /^application\/(?:[a-z0-9.!#$&^_-]+\+)?json$/

/** Whether a body follows the headers; one in chunks can still be empty. */
const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0

const typeProblem = (request: IncomingMessage): Problem | null => {
  const type = mediaTypeOf(request)
  if (type !== '' && !jsonType.test(type)) return unsupported('JSON, declared as application/json')
  return charsetProblem(request) ?? encodingProblem(request)
}

/** The declared type without parameters, in lower case; empty where none is. */
export const mediaTypeOf = ({ headers }: IncomingMessage): string =>
  ((headers['content-type'] ?? '').split(';', 1)[0] ?? '').trim().toLowerCase()

/** Texts come in UTF-8. */
export const charsetProblem = ({ headers }: IncomingMessage): Problem | null => {
  const [, ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters.find((parameter) => parameter.trim().startsWith('charset='))?.split('=')[1]
  return charset === undefined || charset.trim().replaceAll('"', '') === 'utf-8'
    ? null
    : unsupported('in UTF-8')
}

/** Bodies come as they are: compressed ones would get past the limits on size. */
export const encodingProblem = ({ headers }: IncomingMessage): Problem | null => {
  const encoding = headers['content-encoding']
  return encoding === undefined || encoding.toLowerCase() === 'identity'
    ? null
    : unsupported('sent without Content-Encoding')
}

const failure = (error: unknown, limit: number): Problem => {
  const type = error instanceof Error && 'type' in error ? error.type : null
  if (type === 'entity.too.large') return { _tag: 'TooLarge', limit }
  if (type === 'request.aborted' || type === 'request.size.invalid')
    return badRequest('the body broke off before its end')
  throw error
}

/**
 * Reads a body that has to be one JSON object, in UTF-8, of at most `limit` bytes (decisions §1.7); where it is
 * optional, no body is an object without attributes.
 */
export const readObject =
  (request: IncomingMessage, limit: number, optional: boolean): Outcome<JsonObject> =>
  async () => {
    const absent = () => (optional ? E.right({}) : parseObject(''))
    if (!hasBody(request)) return absent()
    const problem = typeProblem(request)
    if (problem !== null) return E.left(problem)
    let bytes: Buffer
    try {
      bytes = await rawBody(request, { limit, length: request.headers['content-length'] ?? null })
    } catch (error) {
      return E.left(failure(error, limit))
    }
    if (bytes.length === 0) return absent()
    let text: string
    try {
      text = decoder.decode(bytes)
    } catch (error) {
      if (error instanceof TypeError) return E.left(badRequest('the body is not UTF-8'))
      throw error
    }
    return parseObject(text)
  }
