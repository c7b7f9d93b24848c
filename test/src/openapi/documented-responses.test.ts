/**
 * The checks that the HTTP client of the tests applies to each response detect differences from the OpenAPI
 * document.
 */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { RawResponse } from '../harness/response-rules.js'
import { expectDocumented } from '../harness/document-rules.js'

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

const common = {
  'x-request-id': 'r',
  'cache-control': 'no-store',
  vary: 'Accept, Authorization',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

const forwarded = { for: false, proto: '', host: '' }

const health: RawResponse = {
  method: 'GET',
  path: '/health/live',
  status: 200,
  headers: { ...common, 'content-type': 'application/json; charset=utf-8' },
  bytes: json({ status: 'live', forwarded }),
}

const written: RawResponse = {
  method: 'POST',
  path: '/1/sections',
  status: 200,
  headers: health.headers,
  sent: JSON.stringify({ title: 'Sport', urlname: 'sport' }),
  bytes: json({ uuid: '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11', url: 'https://api.example.org/1/sections/x' }),
}

const errorOf = (response: RawResponse): string => {
  try {
    expectDocumented(response)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe('responses in tests', () => {
  it('pass if they agree with the document, or if the request has no operation', () => {
    expect([errorOf(health), errorOf(written)]).to.deep.equal(['', ''])
    expect(errorOf({ ...health, path: '/nowhere/at/all', status: 404 })).to.equal('')
  })

  it('fail with a status that the operation does not document', () => {
    expect(errorOf({ ...health, status: 409 })).to.include('readLiveness does not document the status 409')
  })

  it('fail with a body that violates its schema, or with another media type', () => {
    expect(errorOf({ ...health, bytes: json({ status: 'dead', forwarded }) })).to.include('/status')
    expect(errorOf({ ...health, bytes: json({}) })).to.include('required')
    expect(errorOf({ ...written, bytes: json({ uuid: 'x', url: 'https://a.example' }) })).to.include('/uuid')
    const asText = { ...health, headers: { ...health.headers, 'content-type': 'text/plain' } }
    expect(errorOf(asText)).to.include('not text/plain')
  })

  it('fail with a missing, undocumented or malformed header', () => {
    const { 'cache-control': _caching, ...lacking } = health.headers
    expect(errorOf({ ...health, headers: lacking })).to.include('the header Cache-Control is missing')
    const more = { ...health.headers, deprecation: 'true' }
    expect(errorOf({ ...health, headers: more })).to.include('the header Deprecation is not documented')
    const wrong = { ...health.headers, 'x-request-id': 'a b' }
    expect(errorOf({ ...health, headers: wrong })).to.include('X-Request-Id')
  })

  it('fail if the accepted request body violates its schema', () => {
    expect(errorOf({ ...written, sent: JSON.stringify({ title: true, urlname: 'x' }) })).to.include(
      'rejects this request body',
    )
  })
})
