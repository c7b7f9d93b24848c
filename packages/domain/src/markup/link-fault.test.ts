/**
 * Which addresses markup may contain, by example.
 */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { imageCandidates, linkFault, schemeDanger } from './link-fault.js'

describe('an address of a link', () => {
  for (const address of [
    'http://example.org',
    'https://example.org/path?query=1#fragment',
    'HTTPS://EXAMPLE.ORG/',
    'https://example.org:8443/@user',
    'http://[::1]:8080/',
    'http://bücher.example/ä',
    'mailto:someone@example.org',
    'mailto:?subject=x',
    'tel:+43-1-234',
    '/path',
    '/',
    '/a:b',
    'path/to',
    '../up',
    './a:b',
    '?query=1:2',
    '#fragment',
    '/go?to=https://example.org//x',
    'javascript%3Aalert(1)',
  ]) {
    it(`may be ${address}`, () => expect(linkFault(address)).to.equal(null))
  }

  for (const [address, right] of [
    ['', 'not empty'],
    ['javascript:alert(1)', 'starts with http:, https:, mailto:, tel:, or a path'],
    ['JaVaScRiPt:alert(1)', 'starts with http:'],
    ['data:text/html,x', 'starts with http:'],
    ['vbscript:x', 'starts with http:'],
    ['file:///etc/passwd', 'starts with http:'],
    ['ftp://example.org', 'starts with http:'],
    [' javascript:alert(1)', 'without white space'],
    ['java\tscript:alert(1)', 'without white space'],
    ['java\nscript:alert(1)', 'without white space'],
    ['\u0001javascript:alert(1)', 'without white space'],
    ['\u00a0javascript:alert(1)', 'without white space'],
    ['\ufeffjavascript:alert(1)', 'without white space'],
    ['https://example.org/a b', 'without white space'],
    ['https://example.org\\@evil.example', 'backslashes'],
    ['/\\evil.example', 'backslashes'],
    ['//evil.example/', 'with its scheme'],
    ['///evil.example/', 'with its scheme'],
    ['https:/example.org', 'names its host'],
    ['https:example.org', 'names its host'],
    ['https://', 'names its host'],
    ['https:///path', 'names its host'],
    ['https://?query', 'names its host'],
    ['https://:80/', 'names its host'],
    ['https://user@/', 'names its host'],
    ['https://example.org:99999/', 'host can exist'],
    ['https://[::1/', 'names its host'],
    ['https://256.256.256.256/', 'host can exist'],
    ['https://1.2.3.4.5/', 'host can exist'],
    ['https://user:secret@example.org:8443/', 'without a user name'],
    ['https://token@example.org/', 'without a user name'],
    ['mailto:', 'continues after mailto:'],
    ['tel:', 'continues after tel:'],
    ['1x:y', 'no colon'],
    ['&amp;avascript:alert(1)', 'no colon'],
    ['ｊavascript:alert(1)', 'no colon'],
    [':x', 'no colon'],
  ] as const) {
    it(`may not be ${JSON.stringify(address)}`, () => expect(linkFault(address)).to.include(right))
  }
})

describe('the addresses of srcset', () => {
  for (const value of [
    '/a.jpg',
    '/a.jpg 2x',
    'a.jpg 1.5x, b.jpg 2x',
    'https://example.org/w_400,h_300/a.jpg 400w, /b.jpg 800w',
    '/a.jpg 480w 320h',
    ' /a.jpg\t480w ,\n/b.jpg , /c.jpg,',
    '/a.jpg,, /b.jpg',
  ])
    it(`may be ${JSON.stringify(value)}`, () => expect(imageCandidates(value)).to.have.property('right'))

  for (const [value, right] of [
    ['', 'at least one'],
    [' , ', 'at least one'],
    ['javascript:alert(1)', 'starts with http:'],
    ['/a.jpg 2x, data:image/png;base64,x 3x', 'starts with http:'],
    ['/a.jpg, //evil.example/b.jpg', 'with its scheme'],
    ['/a.jpg 2x javascript:alert(1)', 'a width'],
    ['/a.jpg 2', 'a width'],
    ['/a.jpg w', 'a width'],
    ['/a.jpg -2x', 'a width'],
    ['/a.jpg 2x 480w', 'a width'],
    ['/a\u00a0.jpg 2x', 'without white space'],
  ] as const)
    it(`may not be ${JSON.stringify(value)}`, () =>
      expect(imageCandidates(value)).to.have.property('left').that.includes(right))
})

describe('a value with a dangerous scheme', () => {
  for (const value of [
    'javascript:alert(1)',
    'JAVASCRIPT:x',
    ' \u0001java\tscr\nipt\r:x',
    'vbscript:x',
    'data:text/html,x',
  ])
    it(`is ${JSON.stringify(value)}`, () => expect(schemeDanger(value)).to.be.a('string'))

  for (const value of ['', 'https://example.org/javascript:x', 'constructor:x', 'javascript', 'a data: b'])
    it(`is not ${JSON.stringify(value)}`, () => expect(schemeDanger(value)).to.equal(null))
})
