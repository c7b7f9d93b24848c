/** What a redirect may lead from and to (docs/behaviour/paths.md#redirects). */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import type { ValueType } from '../value/value-type.js'
import { redirectPattern, redirectTemplate } from './redirect-texts.js'

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
