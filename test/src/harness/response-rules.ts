/**
 * Rules for every response of the service (docs/behaviour/wire.md, docs/behaviour/errors.md). The HTTP client of
 * the tests checks each response.
 */
import { expect } from 'chai'
import type { IncomingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { isJsonObject, type Json } from '@publishing-service/domain'
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

const codesWithInfo = new Set(['bad_parameters'])

const expectErrorBody = (body: Json, status: number): void => {
  if (!isJsonObject(body)) throw new Error('an error answer is a JSON object')
  const { error, error_description: description, error_uri: uri, error_info: info } = body
  expect(error).to.be.a('string')
  expect(statusesOfCodes.get(String(error)), `the status of ${String(error)}`).to.equal(status)
  expect(description).to.be.a('string').and.not.equal('')
  expect(uri)
    .to.be.a('string')
    .and.match(/^https?:\/\/[^/]+(?:\/.*)?\/docs\/errors#[a-z_]+$/)
  expect(String(uri).split('#')[1]).to.equal(error)
  if (!codesWithInfo.has(String(error))) return void expect(info).to.equal(undefined)
  if (!isJsonObject(info)) throw new Error('bad_parameters has error_info')
  expect(Object.keys(info)).not.to.have.lengthOf(0)
  for (const message of Object.values(info)) expect(message).to.be.a('string').and.not.equal('')
}

/** A download may be JSON that was uploaded. */
const isJsonResponse = ({ headers }: RawResponse): boolean =>
  /^application\/(?:feed\+)?json;/.test(headers['content-type'] ?? '') &&
  headers['content-disposition'] === undefined

/** The uncompressed body. */
const plainBytes = ({ headers, bytes }: RawResponse): Buffer =>
  headers['content-encoding'] === 'gzip' && bytes.length > 0 ? gunzipSync(bytes) : bytes

/** The JSON body; null if the response has none. */
export const jsonOf = (response: RawResponse): Json =>
  isJsonResponse(response) && response.bytes.length > 0
    ? (JSON.parse(plainBytes(response).toString('latin1')) as Json)
    : null

const expectHeaders = ({ method, status, headers, bytes }: RawResponse): void => {
  expect(headers['x-request-id']).to.match(/^[\w.:-]{1,128}$/)
  expect(headers['x-powered-by']).to.equal(undefined)
  expect(status, 'statuses of success').not.to.be.oneOf([201, 202, 204])
  if (status === 304 || method === 'HEAD') expect(bytes).to.have.lengthOf(0)
  else expect(headers['content-length'] ?? headers['transfer-encoding']).not.to.equal(undefined)
}

/** Throws if a response violates a rule for all responses. */
export const expectWireRules = (response: RawResponse): void => {
  const { method, path, status, headers, bytes } = response
  const what = `${method} ${path.slice(0, 200)} → ${status} ${bytes.toString('latin1', 0, 500)}`
  try {
    expectHeaders(response)
    if (status >= 400) {
      expect(headers['content-type']).to.equal('application/json; charset=utf-8')
      expect(headers['cache-control']).to.equal('no-store')
    }
    if (!isJsonResponse(response)) return
    expect(headers['content-type']).to.match(/^application\/(?:feed\+)?json; charset=utf-8$/)
    const text = plainBytes(response).toString('latin1')
    expect(text).to.match(/^\p{ASCII}*$/u)
    if (status < 400 || method === 'HEAD') return
    expectErrorBody(jsonOf(response), status)
    expect(text).not.to.match(internals)
  } catch (error) {
    throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
