/**
 * What holds for every answer of the service, whatever was asked (docs/behaviour/wire.md, docs/behaviour/errors.md).
 * The client
 * of the tests looks at each answer with it.
 */
import { expect } from 'chai'
import type { IncomingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { isJsonObject, type Json } from '@publishing-service/domain'
import { problemTable } from '@publishing-service/http-contract'

export type RawAnswer = {
  readonly method: string
  readonly path: string
  /** The body of the request, where there was one. */
  readonly sent?: string | Uint8Array
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** Nothing of the inside may show: stacks, files of the service, drivers, stores. */
const inside =
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

/** A download is what was uploaded, JSON or not. */
const isJsonAnswer = ({ headers }: RawAnswer): boolean =>
  (headers['content-type'] ?? '').startsWith('application/json') &&
  headers['content-disposition'] === undefined

/** The body as it was before it was compressed. */
const plainBytes = ({ headers, bytes }: RawAnswer): Buffer =>
  headers['content-encoding'] === 'gzip' && bytes.length > 0 ? gunzipSync(bytes) : bytes

/** The JSON of an answer; null where it holds none. */
export const jsonOf = (answer: RawAnswer): Json =>
  isJsonAnswer(answer) && answer.bytes.length > 0
    ? (JSON.parse(plainBytes(answer).toString('latin1')) as Json)
    : null

const expectHeaders = ({ method, status, headers, bytes }: RawAnswer): void => {
  expect(headers['x-request-id']).to.match(/^[\w.:-]{1,128}$/)
  expect(headers['x-powered-by']).to.equal(undefined)
  expect(status, 'statuses of success').not.to.be.oneOf([201, 202, 204])
  if (status === 304 || method === 'HEAD') expect(bytes).to.have.lengthOf(0)
  else expect(headers['content-length'] ?? headers['transfer-encoding']).not.to.equal(undefined)
}

/** Throws where an answer breaks a rule that every answer keeps. */
export const expectWireRules = (answer: RawAnswer): void => {
  const { method, path, status, headers, bytes } = answer
  const what = `${method} ${path.slice(0, 200)} → ${status} ${bytes.toString('latin1', 0, 500)}`
  try {
    expectHeaders(answer)
    if (status >= 400) {
      expect(headers['content-type']).to.equal('application/json; charset=utf-8')
      expect(headers['cache-control']).to.equal('no-store')
    }
    if (!isJsonAnswer(answer)) return
    expect(headers['content-type']).to.equal('application/json; charset=utf-8')
    const text = plainBytes(answer).toString('latin1')
    expect(text).to.match(/^\p{ASCII}*$/u)
    if (status < 400 || method === 'HEAD') return
    expectErrorBody(jsonOf(answer), status)
    expect(text).not.to.match(inside)
  } catch (error) {
    throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
