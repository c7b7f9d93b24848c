/**
 * Which addresses a link may lead to, by example.
 */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { linkFault } from './link-fault.js'

describe('an address of a link', () => {
  for (const address of [
    'http://example.org',
    'https://example.org/path?query=1#fragment',
    'HTTPS://EXAMPLE.ORG/',
    'https://user:secret@example.org:8443/',
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
    ['mailto:', 'goes on after mailto:'],
    ['tel:', 'goes on after tel:'],
    ['1x:y', 'no colon'],
    ['&amp;avascript:alert(1)', 'no colon'],
    ['ｊavascript:alert(1)', 'no colon'],
    [':x', 'no colon'],
  ] as const) {
    it(`may not be ${JSON.stringify(address)}`, () => expect(linkFault(address)).to.include(right))
  }
})
