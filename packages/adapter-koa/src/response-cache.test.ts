import { controlledClock, type ControlledClock } from '@publishing-service/adapter-memory'
import type { Dependencies } from '@publishing-service/application'
import { E } from '@publishing-service/domain/fp'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import type { CacheLookup } from './request-context.js'
import { type ReadyResponse, lookupOf as cacheLookupOf, createResponseCache } from './ready-response.js'
import { identityAs, testContext, type TestRequest } from './test-support/test-context.js'

const responseOf = (body: string): ReadyResponse => ({
  body,
  tag: '"t"',
  control: 'private',
  vary: '',
  headers: [],
  forms: new Map(),
})

const nothing: Dependencies = new Map()
const endpoint = 'listContent'

describe('the response cache', () => {
  let clock: ControlledClock
  beforeEach(() => {
    clock = controlledClock(Date.parse('2026-03-01T12:00:00Z'))
  })

  const cacheOf = (bytes = 1_000_000) => {
    const cache = createResponseCache(bytes, clock)
    const lookupOf = (request: TestRequest): CacheLookup => {
      const slot = cacheLookupOf(testContext(request), clock.monotonic())
      if (slot === null) throw new Error('no slot')
      return slot
    }
    return {
      ...cache,
      lookupOf,
      /** Adds a response to the request. */
      put: (
        request: TestRequest,
        body = 'x',
        dependencies: Dependencies = nothing,
        isTimed = false,
        isAnyType = false,
      ): void =>
        cache.add(lookupOf(request), responseOf(body), { dependencies, endpoint, isTimed, isAnyType }),
      /** The body of the response that is cached for the request. */
      get: (request: TestRequest): ReadyResponse['body'] | null =>
        cache.find(lookupOf(request))?.body ?? null,
    }
  }

  describe('has an entry', () => {
    it('for the same role, public address and complete URL, and for HEAD as for GET', () => {
      const { get, put } = cacheOf()
      put({ url: '/1/content?page=1' }, 'first page')
      expect(get({ url: '/1/content?page=1' })).to.equal('first page')
      expect(get({ url: '/1/content?page=1', method: 'HEAD' })).to.equal('first page')
      const another = identityAs('editor')
      expect(get({ url: '/1/content?page=1', identity: another })).to.equal('first page')
      for (const other of [
        { url: '/1/content?page=2' },
        { url: '/1/content' },
        { url: '/1/content?page=1', identity: identityAs('admin') },
        { url: '/1/content?page=1', base: 'https://other.example.org' },
      ])
        expect(get(other), JSON.stringify(other)).to.equal(null)
    })

    it('for requests without a token, separately', () => {
      const { get, put } = cacheOf()
      const identity = null
      put({ identity: identityAs('public_user') })
      expect(get({ identity })).to.equal(null)
      put({ identity }, 'public')
      expect(get({ identity })).to.equal('public')
    })

    it('for a request that does not accept JSON, if it is not sent as JSON', () => {
      const headers = { accept: 'application/atom+xml' }
      for (const isAnyType of [false, true]) {
        const { get, put } = cacheOf()
        put({}, 'x', nothing, false, isAnyType)
        expect(get({ headers })).to.equal(isAnyType ? 'x' : null)
      }
    })

    it('until a write counter of its dependencies changes', () => {
      const [content, sections, tags] = [{ value: 3 }, { value: 0 }, { value: 7 }]
      const { get, put } = cacheOf()
      const dependencies: Dependencies = new Map([
        [content, 3],
        [sections, 0],
      ])
      put({}, 'x', dependencies)
      tags.value += 1
      expect(get({})).to.equal('x')
      sections.value += 1
      expect(get({})).to.equal(null)
      // An entry that has expired is not valid again with the counter.
      sections.value = 0
      expect(get({})).to.equal(null)
    })

    it('never, if a write counter changed between the read and the response', () => {
      const content = { value: 4 }
      const { get, put } = cacheOf()
      put({}, 'x', new Map([[content, 3]]))
      expect(get({})).to.equal(null)
    })

    it('for 60 seconds from the request, and for one second if the response changes with time', () => {
      for (const [isTimed, lifetime] of [
        [false, 60_000],
        [true, 1000],
      ] as const) {
        const { get, put } = cacheOf()
        put({}, 'x', nothing, isTimed)
        clock.advance(lifetime - 1)
        expect(get({}), `${lifetime - 1} ms`).to.equal('x')
        clock.advance(1)
        expect(get({}), `${lifetime} ms`).to.equal(null)
      }
    })

    it('for no longer if the response took long', () => {
      const cache = createResponseCache(1_000_000, clock)
      const slot = cacheLookupOf(testContext(), clock.monotonic())
      if (slot === null) throw new Error('no slot')
      clock.advance(59_999)
      cache.add(slot, responseOf('x'), { dependencies: nothing, endpoint, isTimed: false, isAnyType: false })
      expect(cache.find(slot)).not.to.equal(null)
      clock.advance(1)
      expect(cache.find(slot)).to.equal(null)
    })

    it('until the wall clock is set back to before its creation', () => {
      const { get, put } = cacheOf()
      put({})
      clock.advance(1000)
      clock.advance(-1000)
      expect(get({})).to.equal('x')
      clock.advance(-1)
      expect(get({})).to.equal(null)
    })
  })

  describe('within its limit of bytes', () => {
    const urls = [...Array(20).keys()].map((index) => `/1/content/${index}`)

    it('evicts the least recently used', () => {
      const { get, put } = cacheOf(20_000)
      const [first = '', second = ''] = urls
      for (const url of urls) {
        put({ url }, 'x'.repeat(1000))
        get({ url: first })
      }
      expect(get({ url: first })).not.to.equal(null)
      expect(get({ url: second })).to.equal(null)
      expect(get({ url: urls.at(-1) ?? '' })).not.to.equal(null)
      const held = urls.filter((url) => get({ url }) !== null)
      expect(held.length * 1000).to.be.within(5000, 20_000)
    })

    it('does not cache a response larger than an eighth of the limit', () => {
      const { get, put } = cacheOf(80_000)
      const [large = '', small = ''] = urls
      put({ url: large }, 'x'.repeat(10_000))
      put({ url: small }, 'x'.repeat(9000))
      expect([get({ url: large }) !== null, get({ url: small }) !== null]).to.deep.equal([false, true])
    })

    it('counts the compressed forms of a response once they are made', () => {
      const { find, get, put, resize, lookupOf } = cacheOf(36_000)
      for (const url of urls) put({ url }, 'x'.repeat(1000))
      const [first = '', second = ''] = urls
      const slot = lookupOf({ url: second })
      const response = find(slot)
      get({ url: first })
      if (response === null) throw new Error('it is not cached')
      response.forms?.set('br', Buffer.alloc(2500))
      expect(urls.filter((url) => get({ url }) !== null)).to.have.lengthOf(20)
      for (const url of urls) if (url !== second) get({ url })
      resize(slot, response)
      expect(urls.filter((url) => get({ url }) !== null)).to.have.lengthOf.below(20)
      expect(get({ url: second })).not.to.equal(null)
      response.forms?.set('gzip', Buffer.alloc(2500))
      resize(slot, response)
      expect(get({ url: second }), 'larger than an eighth of the limit').to.equal(null)
    })

    it('evicts the former response if a later one is too large', () => {
      const { get, put } = cacheOf(80_000)
      put({}, 'former')
      put({}, 'x'.repeat(10_000))
      expect(get({})).to.equal(null)
    })

    it('caches file data up to a sixty-fourth of the limit', () => {
      expect(createResponseCache(6400, clock).maxDataBytes).to.equal(100)
    })

    it('caches nothing if the limit is 0', () => {
      const { get, put, maxDataBytes } = cacheOf(0)
      put({})
      expect(get({})).to.equal(null)
      expect(maxDataBytes).to.equal(0)
    })
  })

  describe('has no slot for a request', () => {
    const requests: Readonly<Record<string, TestRequest>> = {
      'with Cache-Control: no-cache': { headers: { 'cache-control': 'no-cache' } },
      'with Cache-Control: no-store': { headers: { 'cache-control': 'max-age=0, no-store' } },
      'with Prefer': { headers: { prefer: 'handling=strict' } },
      'with Range': { headers: { range: 'bytes=0-1' } },
      'with POST': { method: 'POST' },
      'with PUT': { method: 'PUT' },
      'with DELETE': { method: 'DELETE' },
      'with OPTIONS': { method: 'OPTIONS' },
      'with a token that is not valid': { identity: E.left({ _tag: 'InvalidToken' }) },
      'of somebody who has no role on the instance': { url: '/2/content' },
      'on no instance': { url: '/openapi.json' },
    }
    for (const [name, request] of Object.entries(requests))
      it(name, () => {
        expect(cacheLookupOf(testContext(request), 0)).to.equal(null)
      })

    it('but has one with other headers', () => {
      const headers = { 'cache-control': 'max-age=0', accept: 'text/html, */*;q=0.1', 'if-none-match': '"t"' }
      expect(cacheLookupOf(testContext({ headers }), 0)).not.to.equal(null)
    })
  })
})
