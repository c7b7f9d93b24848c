import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import {
  acceptsJson,
  bypassesCache,
  bearerToken,
  entityTags,
  isHost,
  prefersStrict,
  requestId,
} from './request-headers.js'

const token = fc.stringMatching(/^[\w.~+/-]{1,40}=*$/)

/** The same letters in any case. */
const inAnyCase = (word: string): fc.Arbitrary<string> =>
  fc
    .array(fc.boolean(), { minLength: word.length, maxLength: word.length })
    .map((upper) => [...word].map((letter, i) => (upper[i] ? letter.toUpperCase() : letter)).join(''))

describe('the header Accept', () => {
  it('accepts JSON if it is absent or contains a range that includes JSON, in any case and with any parameters', () => {
    for (const accept of [undefined, '', ' ']) expect(acceptsJson(accept)).to.equal(true)
    const ranges = fc.constantFrom('*/*', 'application/*', 'application/json').chain(inAnyCase)
    const parameters = fc.constantFrom('', ';charset=utf-8', '; q=0.1', ';q=1.000', ' ; version=2 ; q=0.001')
    const others = fc.array(fc.constantFrom<string>('text/html', 'image/*;q=0.8', 'application/xml'))
    fc.assert(
      fc.property(ranges, parameters, others, fc.nat(), (range, parameter, rest, at) => {
        const list = rest.toSpliced(at % (rest.length + 1), 0, `${range}${parameter}`)
        expect(acceptsJson(list.join(', '))).to.equal(true)
      }),
    )
  })

  it('does not accept JSON if it contains only other formats, or JSON with quality 0', () => {
    for (const accept of [
      'text/html',
      'application/xml, text/*',
      'application/json;q=0',
      '*/*; q=0.000',
      'application/jsonp',
      'json',
    ])
      expect(acceptsJson(accept), accept).to.equal(false)
  })
})

describe('the header Prefer', () => {
  it('is strict only with handling=strict', () => {
    for (const prefer of ['handling=strict', 'respond-async, Handling="strict"', 'a=b; handling = strict'])
      expect(prefersStrict(prefer), prefer).to.equal(true)
    for (const prefer of ['', 'handling=lenient', 'handling=strictly', 'xhandling=strict'])
      expect(prefersStrict(prefer), prefer).to.equal(false)
  })
})

describe('the header Authorization', () => {
  it('contains a token after the word Bearer in any case', () =>
    fc.assert(
      fc.property(inAnyCase('bearer'), token, fc.constantFrom(' ', '   '), (word, text, gap) => {
        expect(bearerToken(`${word}${gap}${text}`)).to.equal(text)
      }),
    ))

  it('contains none otherwise', () => {
    for (const header of ['', 'Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a b', 'Bearer ü', 'xBearer a'])
      expect(bearerToken(header), header).to.equal(null)
  })

  it('is parsed in time linear in its length', () => {
    expect(bearerToken(`Bearer ${'='.repeat(100_000)} x`)).to.equal(null)
    expect(bearerToken(`Bearer${' '.repeat(100_000)}`)).to.equal(null)
  })
})

describe('entity tags', () => {
  it('are read as they were written', () => {
    const tags = fc
      .tuple(fc.boolean(), fc.stringMatching(/^[\w,;*/ -]*$/))
      .map(([weak, text]) => `${weak ? 'W/' : ''}"${text}"`)
    fc.assert(
      fc.property(fc.array(tags), fc.constantFrom(',', ', ', ' , '), (list, between) => {
        expect(entityTags(list.join(between))).to.deep.equal(list)
      }),
    )
  })

  it('match any with an asterisk, and none without quotes', () => {
    expect(entityTags(' * ')).to.equal('*')
    expect(entityTags('abc')).to.deep.equal([])
  })
})

describe('a request id', () => {
  it('is that of the client if it is a valid token', () => {
    for (const id of ['a', 'A-1_b.c:d', 'x'.repeat(128)]) expect(requestId(id)).to.equal(id)
    for (const id of ['', 'a b', 'ü', 'a\n', '<script>', 'x'.repeat(129)])
      expect(requestId(id), id).to.equal(null)
  })
})

describe('a request that bypasses caches', () => {
  it('has no-cache or no-store, in any case, among other directives', () => {
    for (const header of ['no-cache', 'NO-STORE', 'max-age=0, no-cache', 'no-cache="x"', 'no-cache,a'])
      expect(bypassesCache(header), header).to.equal(true)
    for (const header of ['', 'max-age=0', 'xno-cache', 'no-cached'])
      expect(bypassesCache(header), header).to.equal(false)
  })
})

describe('the header Host', () => {
  it('is a host with an optional port', () => {
    for (const host of [
      'x',
      'api.example.org',
      'a-b_c.example:8080',
      '192.0.2.1:65535',
      '[::1]',
      '[2001:db8::1]:80',
    ])
      expect(isHost(host), host).to.equal(true)
    expect(isHost('x:'), 'an empty port').to.equal(true)
    for (const host of [
      '',
      ':80',
      'x/y',
      'a@x',
      'x y',
      'x, y',
      'x:65536',
      'x:a',
      'x:1:2',
      '[::1',
      '::1',
      '"',
      '<b>',
      '%zz',
    ])
      expect(isHost(host), host).to.equal(false)
  })
})
