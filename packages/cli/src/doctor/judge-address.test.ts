import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { Finding } from './finding.js'
import {
  forgedHost,
  judgeAddress,
  judgeRunningService,
  type Forwarded,
  type ReachedAddress,
} from './judge-address.js'

const statesOf = (findings: readonly Finding[]) => findings.map(({ state }) => state)

const day = 86_400_000
const now = Date.UTC(2026, 10, 30)

const proxied: Forwarded = { for: true, proto: 'https', host: 'api.example.org' }
const direct: Forwarded = { for: false, proto: '', host: '' }

const reached: ReachedAddress = {
  base: 'https://api.example.org',
  redirects: [],
  status: 200,
  isService: true,
  forwarded: proxied,
  forged: proxied,
  certificateEnds: now + 60 * day,
  now,
}

describe('judgeAddress', () => {
  const judged = (part: Partial<ReachedAddress>, isTrusted = true) =>
    statesOf(judgeAddress({ ...reached, ...part }, isTrusted))

  it('accepts a proxy that sets all headers, trusted, and none, untrusted', () => {
    expect(judged({})).to.deep.equal(['fine'])
    expect(judged({ forwarded: direct, forged: direct }, false)).to.deep.equal(['fine'])
  })

  it('reports what is not the service', () => {
    const other = { status: 502, isService: false, forwarded: null, forged: null }
    expect(judged(other)).to.deep.equal(['fault'])
  })

  it('says nothing of headers if the service does not', () => {
    expect(judged({ forwarded: null, forged: null })).to.deep.equal(['fine'])
  })

  it('reports headers that a trusted proxy does not set, and names them', () => {
    const [finding] = judgeAddress({ ...reached, forwarded: direct, forged: direct }, true)
    expect(finding).to.have.property('state', 'fault')
    for (const name of ['X-Forwarded-For', 'X-Forwarded-Proto', 'X-Forwarded-Host'])
      expect(finding?.found).to.contain(name)
    expect(judged({ forwarded: { ...proxied, for: false } })).to.deep.equal(['fault'])
  })

  it('reports that a header of a client gets through', () => {
    expect(judged({ forged: { ...proxied, host: forgedHost } })).to.deep.equal(['fault'])
  })

  it('warns if the proxy says another address than BASE_URL', () => {
    expect(judged({ forwarded: { ...proxied, proto: 'http' } })).to.deep.equal(['warning'])
    expect(judged({ forwarded: { ...proxied, host: 'inner.example.org' } })).to.deep.equal(['warning'])
    const withPort = { base: 'https://api.example.org:8443' }
    expect(judged({ ...withPort, forwarded: proxied })).to.deep.equal(['fine'])
    expect(judged({ ...withPort, forwarded: { ...proxied, host: 'api.example.org:8443' } })).to.deep.equal([
      'fine',
    ])
  })

  it('warns of a proxy that is not trusted', () => {
    expect(judged({}, false)).to.deep.equal(['warning'])
  })

  it('warns of redirects, and of an address without encryption that is not local', () => {
    expect(judged({ redirects: ['https://www.example.org/health/live'] })).to.deep.equal(['warning'])
    const plain = { certificateEnds: null, forwarded: direct, forged: direct }
    expect(judged({ ...plain, base: 'http://api.example.org' }, false)).to.deep.equal(['warning'])
    expect(judged({ ...plain, base: 'http://localhost:8080' }, false)).to.deep.equal(['fine'])
  })

  it('counts the days of the certificate', () => {
    const ending = (days: number) => judged({ certificateEnds: now + days * day })
    expect([21, 20, 3, 2, -1].map(ending)).to.deep.equal([
      ['fine'],
      ['warning'],
      ['warning'],
      ['fault'],
      ['fault'],
    ])
  })
})

describe('judgeRunningService', () => {
  const judged = (answer: Parameters<typeof judgeRunningService>[0]['answer']) =>
    statesOf(judgeRunningService({ place: 'http://127.0.0.1:8080', answer }, '1.0.0'))

  it('accepts none and one of this version, warns of another, and reports what is not ready or no service', () => {
    expect(judged(null)).to.deep.equal(['fine'])
    expect(judged({ status: 200, version: '1.0.0' })).to.deep.equal(['fine'])
    expect(judged({ status: 200, version: '0.9.0' })).to.deep.equal(['warning'])
    expect(judged({ status: 503, version: null })).to.deep.equal(['fault'])
    expect(judged({ status: 200, version: null })).to.deep.equal(['fault'])
  })
})
