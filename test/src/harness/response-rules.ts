/**
 * Rules for every response of the service (docs/behaviour/wire.md, docs/behaviour/errors.md). The HTTP client of
 * the tests checks each response.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { isJsonObject, type Json } from '@publishing-service/domain/json'
import { problemTable } from '@publishing-service/http-contract'

export type RawResponse = {
  readonly method: string
  readonly path: string
  /** The body of the request, if there was one. */
  readonly sent?: string | Uint8Array
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** Implementation details that no response may contain: stacks, source files, drivers, stores. */
const internals =
  /node_modules|\.[jt]s:\d|\n\s+at |sqlite|SQLITE|errno|ENOENT|EACCES|constraint|\/tmp\/|\/dist\/|TypeError|RangeError/

const statusesOfCodes: ReadonlyMap<string, number> = new Map(
  Object.values(problemTable).map(({ error, status }) => [error, status]),
)

const codesWithInfo = new Set(['bad_parameters', 'draft_conflict'])

/** Chai would use a tenth of the time of many tests here. */
const check = (isMet: boolean, rule: string): void => {
  if (!isMet) throw new Error(rule)
}

const isText = (value: Json | undefined): boolean => typeof value === 'string' && value !== ''

const expectErrorBody = (body: Json, status: number): void => {
  if (!isJsonObject(body)) throw new Error('the body of an error must be a JSON object')
  const { error, error_description: description, error_uri: uri, error_info: info } = body
  check(statusesOfCodes.get(String(error)) === status, `${String(error)} does not have the status ${status}`)
  check(isText(description), 'error_description must be a text')
  const [page = '', anchor] = String(uri).split('#')
  check(/^https?:\/\/[^/]+(?:\/.*)?\/docs\/errors$/.test(page), `error_uri is ${String(uri)}`)
  check(anchor === error, 'error_uri must name the error')
  if (!codesWithInfo.has(String(error))) return check(info === undefined, 'error_info must be absent')
  if (!isJsonObject(info)) throw new Error('the error must have error_info')
  const messages = Object.values(info)
  check(messages.length > 0 && messages.every(isText), 'error_info must have texts')
}

/** A download may be JSON that was uploaded. */
const isJsonResponse = ({ headers }: RawResponse): boolean =>
  /^application\/(?:feed\+)?json;/.test(headers['content-type'] ?? '') &&
  headers['content-disposition'] === undefined

/** The uncompressed body. */
const plainBytes = ({ headers, bytes }: RawResponse): Buffer => {
  const coding = headers['content-encoding']
  if (coding === undefined || bytes.length === 0) return bytes
  return coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)
}

/** The JSON body; null if the response has none. */
export const jsonOf = (response: RawResponse): Json =>
  isJsonResponse(response) && response.bytes.length > 0
    ? (JSON.parse(plainBytes(response).toString('latin1')) as Json)
    : null

const expectHeaders = ({ method, path, status, headers, bytes }: RawResponse): void => {
  check(/^[\w.:-]{1,128}$/.test(String(headers['x-request-id'])), 'X-Request-Id is missing or malformed')
  check(headers['x-powered-by'] === undefined, 'X-Powered-By must be absent')
  check(headers['x-content-type-options'] === 'nosniff', 'X-Content-Type-Options is missing')
  check(headers['referrer-policy'] === 'no-referrer', 'Referrer-Policy is missing')
  check(
    headers['content-disposition'] !== undefined ||
      // Data that is shown by itself.
      (status === 304 &&
        (/immutable/.test(String(headers['cache-control'])) || path.endsWith('/download'))) ||
      /frame-ancestors 'none'/.test(String(headers['content-security-policy'])),
    'frame-ancestors is missing',
  )
  check(![201, 202, 204].includes(status), 'the status of a success must be 200')
  if (status === 304 || method === 'HEAD') check(bytes.length === 0, 'the body must be empty')
  else
    check(
      (headers['content-length'] ?? headers['transfer-encoding']) !== undefined,
      'the length of the body is missing',
    )
}

/** Throws if a response violates a rule for all responses. */
export const expectWireRules = (response: RawResponse): void => {
  const { method, path, status, headers, bytes } = response
  const type = headers['content-type'] ?? ''
  try {
    expectHeaders(response)
    if (status >= 400) {
      check(type === 'application/json; charset=utf-8', `the content type of an error is ${type}`)
      check(headers['cache-control'] === 'no-store', 'errors must not be stored')
    }
    if (!isJsonResponse(response)) return
    check(/^application\/(?:feed\+)?json; charset=utf-8$/.test(type), `the content type of JSON is ${type}`)
    const text = plainBytes(response).toString('latin1')
    check(/^\p{ASCII}*$/u.test(text), 'JSON must be ASCII')
    if (status < 400 || method === 'HEAD') return
    expectErrorBody(jsonOf(response), status)
    check(!internals.test(text), 'the error contains implementation details')
  } catch (error) {
    const what = `${method} ${path.slice(0, 200)} → ${status} ${bytes.toString('latin1', 0, 500)}`
    throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
