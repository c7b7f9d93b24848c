import { expect } from 'chai'
import { describe, it } from 'mocha'
import fc from 'fast-check'
import { E } from '../fp.js'
import type { ValueType } from '../value/value-type.js'
import {
  redirectPattern,
  redirectTemplate,
  applyRedirect,
  isEndless,
  redirectKey,
  redirectKeys,
} from './redirect.js'
import { parseSitePath } from '../paths/public-path.js'

// What a redirect may lead from and to (docs/behaviour/paths.md#redirects).

const accepts = (type: ValueType<string>, text: string): boolean =>
  E.isRight(type.decode(text, { zone: 'UTC', streamingHosts: [], strict: false }))

describe('the pattern of a redirect', () => {
  for (const text of [
    '/',
    '/news/old-name/',
    '/**',
    '/blog/**/index.html',
    '/a*b/c',
    '/a*',
    '/a*b**c*d',
    '/index.php?id=7',
    '/über/1',
  ])
    it(`may be ${text}`, () => expect(accepts(redirectPattern, text)).to.equal(true))

  for (const text of [
    '',
    'news',
    '**',
    '/**/**',
    '/***',
    '/a***b',
    '//example.org/',
    '/\\example.org/',
    '/****',
    '/a b',
    '/a\n',
    'https://example.org/',
  ])
    it(`may not be ${JSON.stringify(text)}`, () => expect(accepts(redirectPattern, text)).to.equal(false))

  it('has a limit in bytes', () => {
    expect(accepts(redirectPattern, `/${'a'.repeat(999)}`)).to.equal(true)
    expect(accepts(redirectPattern, `/${'ü'.repeat(499)}`)).to.equal(true)
    expect(accepts(redirectPattern, `/${'ü'.repeat(500)}`)).to.equal(false)
  })

  it('is validated in time linear in its length', () => {
    expect(accepts(redirectPattern, `/${'*a'.repeat(498)}***`)).to.equal(false)
  })
})

describe('the template of a redirect', () => {
  for (const text of [
    '/',
    '/\\1',
    '/new/\\1/end/\\1',
    '/new?from=\\1#top',
    'https://www.example.org',
    'HTTP://example.org/\\1',
    'https://example.org?x=\\1',
  ])
    it(`may be ${text}`, () => expect(accepts(redirectTemplate, text)).to.equal(true))

  for (const text of [
    '',
    'new/',
    '//example.org/',
    '/\\2',
    '/\\',
    '/\\\\example.org',
    '/a b',
    'https://\\1.example.org/',
    'https://',
    'javascript:alert(1)',
    'ftp://example.org/',
    'www.example.org/',
  ])
    it(`may not be ${JSON.stringify(text)}`, () => expect(accepts(redirectTemplate, text)).to.equal(false))
})

const apply = (pattern: string, template: string, text: string): string | null => {
  const path = parseSitePath(text)
  return path === null ? null : applyRedirect({ pattern, template }, path)
}

describe('redirects', () => {
  it('insert what ** matched', () => {
    expect(apply('/old/**', '/new/\\1', '/old/a/b?c=d')).to.equal('/new/a/b?c=d')
    expect(apply('/old/**', '/new/\\1', '/old/')).to.equal('/new/')
    expect(apply('/**/print', '/\\1/\\1/', '/a/PRINT/')).to.equal('/a/a/')
    expect(apply('/**.html', 'https://www.example.org/\\1', '/a.html?b')).to.equal(
      'https://www.example.org/a',
    )
    expect(apply('/a**a', '/\\1', '/a')).to.equal(null)
  })

  it('match whole paths, without regard to letter case and a slash at the end', () => {
    for (const text of ['/Old', '/old/', '/OLD//', '/old?x', '/old/#x'])
      expect(apply('/old', '/new', text), text).to.equal('/new')
    for (const text of ['/older', '/old/x', '/', '/x/old'])
      expect(apply('/old', '/new', text), text).to.equal(null)
    expect(apply('/old/', '/new', '/old')).to.equal('/new')
    expect(apply('/', '/new', '/')).to.equal('/new')
  })

  it('do not insert characters that are not allowed in addresses, nor another host', () => {
    expect(apply('/x/**', '/\\1', '/x///a\\b c\n')).to.equal('/a%5Cb%20c%0A')
    expect(apply('/x/**', '/\\1', '/x/$&$1')).to.equal('/$&$1')
  })

  it('match every way to write a letter, and insert what the path has', () => {
    for (const text of ['/über-uns/', '/%C3%BCber-uns', '/ÜBER-UNS/', '/u\u0308ber-uns/', '/u%CC%88ber-uns/'])
      for (const pattern of ['/über-uns/', '/%C3%BCber-uns/', '/%c3%9cber-uns', '/u\u0308ber-uns/'])
        expect(apply(pattern, '/new', text), `${pattern} ${text}`).to.equal('/new')
    expect(apply('/%C3%BCber/**', '/new/\\1', '/u\u0308ber/K%C3%A4se/E\u0301')).to.equal(
      '/new/K%C3%A4se/E\u0301',
    )
    expect(apply('/**/ü', '/new/\\1', '/%41/%C3%9C/')).to.equal('/new/%41')
    expect(apply('/x?q=ü', '/new', '/x?q=%C3%BC')).to.equal('/new')
    expect(apply('/a/b', '/new', '/a%2Fb')).to.equal(null)
  })

  it('are endless if they lead to the same path, or to more and more copies of what ** matched', () => {
    for (const [pattern, template] of [
      ['/grow/**', '/grow/\\1\\1'],
      ['/grow/**/', '/Grow/x/\\1/\\1/'],
      ['/**', '/\\1'],
      ['/a', '/A/'],
      ['/a', '/a?b=c'],
      ['/ü/**', '/%C3%BC/\\1'],
    ] as const)
      expect(isEndless({ pattern, template }), template).to.equal(true)
    for (const [pattern, template] of [
      ['/blog/**', '/blog/archive/\\1'],
      ['/grow/**', '/grown/\\1\\1'],
      ['/a/**', '/a/'],
      ['/a', '/b'],
      ['/**', 'https://example.org/\\1\\1'],
      ['/a?b=c', '/a'],
    ] as const)
      expect(isEndless({ pattern, template }), template).to.equal(false)
  })

  it('are found by one of the keys of every path that they match', () => {
    const piece = fc.string({
      unit: fc.constantFrom('a', 'B', '/', '.', '?', 'é', 'E\u0301', '%C3%A9', '%', '💡'),
      maxLength: 300,
    })
    fc.assert(
      fc.property(piece, piece, piece, fc.boolean(), (start, middle, end, isWild) => {
        const pattern = isWild ? `/${start}**${end}` : `/${start}`
        const path = parseSitePath(isWild ? `/${start}${middle}${end}` : `/${start.toUpperCase()}/`)
        if (path === null || applyRedirect({ pattern, template: '/' }, path) === null) return
        expect(redirectKeys(path)).to.include(redirectKey(pattern))
      }),
    )
  })
})
