/** That an answer which isn’t as the document says is noticed: the client of all tests looks at each with these rules. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { RawAnswer } from '../harness/answer-rules.js'
import { expectDocumented } from '../harness/document-rules.js'

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

const common = { 'x-request-id': 'r', 'cache-control': 'no-store', vary: 'Accept, Authorization' }

const health: RawAnswer = {
  method: 'GET',
  path: '/health/live',
  status: 200,
  headers: { ...common, 'content-type': 'application/json; charset=utf-8' },
  bytes: json({ status: 'live' }),
}

const written: RawAnswer = {
  method: 'POST',
  path: '/1/sections',
  status: 200,
  headers: health.headers,
  sent: JSON.stringify({ title: 'Sport', urlname: 'sport' }),
  bytes: json({ uuid: '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11', url: 'https://api.example.org/1/sections/x' }),
}

const told = (answer: RawAnswer): string => {
  try {
    expectDocumented(answer)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe('an answer that a test gets', () => {
  it('passes where it is as the document says, and where no operation is asked for', () => {
    expect([told(health), told(written)]).to.deep.equal(['', ''])
    expect(told({ ...health, path: '/nowhere/at/all', status: 404 })).to.equal('')
  })

  it('is refused for a status that the operation never has', () => {
    expect(told({ ...health, status: 409 })).to.include('readLiveness never answers 409')
  })

  it('is refused for a body that its schema forbids, or of another type', () => {
    expect(told({ ...health, bytes: json({ status: 'dead' }) })).to.include('/status')
    expect(told({ ...health, bytes: json({}) })).to.include('required')
    expect(told({ ...written, bytes: json({ uuid: 'x', url: 'https://a.example' }) })).to.include('/uuid')
    const asText = { ...health, headers: { ...health.headers, 'content-type': 'text/plain' } }
    expect(told(asText)).to.include('not text/plain')
  })

  it('is refused for a header that lacks, that it never has, or that is of another form', () => {
    const { 'cache-control': _caching, ...lacking } = health.headers
    expect(told({ ...health, headers: lacking })).to.include('it has the header Cache-Control')
    const more = { ...health.headers, deprecation: 'true' }
    expect(told({ ...health, headers: more })).to.include('no header Deprecation')
    const wrong = { ...health.headers, 'x-request-id': 'a b' }
    expect(told({ ...health, headers: wrong })).to.include('X-Request-Id')
  })

  it('is refused where it takes a body that the document says can’t be sent', () => {
    expect(told({ ...written, sent: JSON.stringify({ title: 7, urlname: 'x' }) })).to.include('can’t be sent')
  })
})
