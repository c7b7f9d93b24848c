/**
 * The check takes time linear in the text. The test counts work, not time: how many characters are read.
 */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { checkMarkup } from '../value/markup.js'

/** How many characters the methods that read texts go over during the run. */
const characterReads = (run: () => void): number => {
  const string = Object.getOwnPropertyDescriptors(String.prototype)
  const regExp = Object.getOwnPropertyDescriptors(RegExp.prototype)
  // They are called below with their text as `this`.
  // oxlint-disable-next-line typescript/unbound-method
  const { charCodeAt, codePointAt, indexOf, slice } = String.prototype
  // oxlint-disable-next-line typescript/unbound-method
  const { exec } = RegExp.prototype
  let reads = 0
  String.prototype.charCodeAt = function (index) {
    reads += 1
    return charCodeAt.call(this, index)
  }
  String.prototype.codePointAt = function (index) {
    reads += 1
    return codePointAt.call(this, index)
  }
  String.prototype.indexOf = function (sought, from = 0) {
    const index = indexOf.call(this, sought, from)
    reads += (index === -1 ? this.length : index) - from + 1
    return index
  }
  String.prototype.slice = function (from, to) {
    const piece = slice.call(this, from, to)
    reads += piece.length
    return piece
  }
  RegExp.prototype.exec = function (text) {
    const from = this.global || this.sticky ? this.lastIndex : 0
    const match = exec.call(this, text)
    reads += (match === null ? text.length : match.index + match[0].length) - from + 1
    return match
  }
  try {
    run()
  } finally {
    Object.defineProperties(String.prototype, string)
    Object.defineProperties(RegExp.prototype, regExp)
  }
  return reads
}

const size = 1 << 18
const filled = (piece: string): string => piece.repeat(Math.ceil(size / piece.length))
const slot = (index: number): string =>
  `<slot id="00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}"/>`

const texts: Readonly<Record<string, string>> = {
  paragraphs: filled('<p>Some <em>text</em> &amp; a <a href="https://example.org/">link</a>.</p>\n'),
  'one long text': `<p>${filled('lorem ipsum ')}</p>`,
  references: `<p>${filled('&amp;')}</p>`,
  'references without an end': `<p>${filled('&amp')}</p>`,
  'one number': `<p>&#${filled('1')};</p>`,
  'empty elements': filled('<p/>'),
  slots: Array.from({ length: size / 50 }, (_, index) => slot(index)).join(''),
  'a deep nest': `<p>${filled('<em>')}`,
  'opening brackets': filled('<'),
  'closing square brackets': `<p>${filled(']')}</p>`,
  'closing tags': `<p>${filled('</em>')}`,
  'white space': filled('\r\n'),
  'white space, then text': `<ul>${filled(' ')}x`,
  'white space within a tag': `<p${filled(' ')}/>`,
  'white space within a closing tag': `<p></p${filled(' ')}>`,
  'white space before a fault of an attribute': `<p><a ${filled(' ')}href${filled(' ')}=${filled(' ')}"data:x"/></p>`,
  'a long name': `<${filled('x')}>`,
  'a long closing name': `<p></${filled('x')}>`,
  attributes: `<p${filled(' x=""')}/>`,
  'attributes without value': `<p${filled(' x')}/>`,
  'a long path': `<p><a href="${filled('x')}">x</a></p>`,
  'a long user': `<p><a href="http://${filled('x@')}">x</a></p>`,
  'a long host': `<p><a href="http://${filled('x')}:${filled('1')}x">x</a></p>`,
  'a long title': `<p><a href="/" title="${filled('&lt;\n')}">x</a></p>`,
  'a fault at the end of a long line': `<p>${filled('😀')}</p><main/>`,
  'a fault after many lines': `${filled('\n')}<main/>`,
  'many data attributes': `<p${Array.from({ length: size / 16 }, (_, index) => ` data-a${index}="x"`).join('')}/>`,
  'many attributes of a slot': `<slot id="00000000-0000-4000-8000-000000000000"${Array.from({ length: size / 16 }, (_, index) => ` a${index}="x"`).join('')}/>`,
  'a long srcset': `<img src="/" srcset="${filled('/a,b 2x, ')}"/>`,
  'a srcset of commas': `<img src="/" srcset="${filled(',')}x${filled(',')}x"/>`,
  comments: filled('<p/><!-- x -->'),
  'one long comment': `<!--${filled(' & <p>')}-->`,
  'comments without their end': filled('<!-- x '),
  'a comment of hyphens': `<!--${filled('-')}-->`,
  'single hyphens in a comment': `<!--${filled('- ')}-->`,
  'a slot alone in each paragraph': Array.from(
    { length: size / 60 },
    (_, index) => `<p> <!--x-->${slot(index)} </p>`,
  ).join(''),
  'paragraphs in items': filled('<ul><li><p>x</p></li></ul>'),
  'a deep nest of links': filled('<a href="/"><b>'),
  'faults that are ignored within a script': `<script>${filled('a < b; an ordinary line; c & d <e f=g> </h> another line <?i?> ')}`,
  'faults after a long text': `<p>${filled('x')}${'& <main> </x> <p a b=c> '.repeat(10)}`,
  'one tag with many faults': `<p ${filled('" ')}`,
  'a forbidden character at the end': `<p>${filled('x')}\u0000`,
}

describe('the work of checking a body', () => {
  for (const [title, text] of Object.entries(texts)) {
    it(`is linear for ${title}`, () => {
      const reads = characterReads(() => checkMarkup(text, { slots: true }))
      expect(reads).to.be.within(1, text.length * 12)
    })
  }
})
