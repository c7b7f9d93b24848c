/** Words, queries and passages (docs/behaviour/search.md). */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import { resources } from '../resource/resources.js'
import { searchedAttributes } from '../resource/highlight-attribute.js'
import { highlight } from './highlight.js'
import { plainText } from './plain-text.js'
import { parseSearchTerms, searchLimits, type SearchTerm } from './search-terms.js'
import { maxWordLength, visitWords, type Word } from './words.js'

const wordsIn = (text: string): readonly Word[] => {
  const words: Word[] = []
  visitWords(text, (word) => words.push(word) > 0)
  return words
}

const wordsOf = (text: string): readonly string[] => wordsIn(text).map(({ word }) => word)

const termsOf = (text: string): readonly SearchTerm[] => {
  const terms = parseSearchTerms(text)
  return E.isRight(terms) ? terms.right : expect.fail(terms.left)
}

const faultOf = (text: string): string => {
  const terms = parseSearchTerms(text)
  return E.isLeft(terms) ? terms.left : expect.fail('no fault')
}

describe('words', () => {
  it('are folded runs of letters and digits', () => {
    expect(wordsOf('Élan vital, 24/7: rock’n’roll')).to.deep.equal([
      'elan',
      'vital',
      '24',
      '7',
      'rock',
      'n',
      'roll',
    ])
    expect(wordsOf('東京都に住む')[0]).to.equal('東京')
    expect(wordsOf('… – !?')).to.deep.equal([])
  })

  it('have only letters and digits, a bounded length, and positions in the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        let end = 0
        for (const word of wordsIn(text)) {
          expect(word.word).to.match(/^[\p{L}\p{N}]+$/u)
          expect([...word.word].length).to.be.at.most(maxWordLength)
          expect(word.start).to.be.at.least(end)
          expect(word.end).to.be.above(word.start)
          end = word.end
        }
        expect(end).to.be.at.most(text.length)
      }),
    )
  })

  it('are the same after folding', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'É', 'ß', 'İ', 'Σ', 'ﬁ', ' ', '1') }), (text) => {
        const words = wordsOf(text)
        expect(wordsOf(words.join(' '))).to.deep.equal(words)
      }),
    )
  })
})

describe('the text of markup', () => {
  const cases = [
    ['<p>one <b>wo</b>rd</p><p>two</p>', ' one word  two '],
    ['a<br/>b', 'a b'],
    ['&amp;&#233;&#xe9;&lt;b&gt;', '&éé<b>'],
    ['a<!-- <p>hidden</p> -->b', 'ab'],
    ['<a href="x>y" title=\'a>b\'>link</a>', 'link'],
    ['plain & simple', 'plain & simple'],
    ['&#1114112;', ' '],
  ] as const
  for (const [markup, text] of cases)
    it(markup, () => {
      expect(plainText(markup)).to.equal(text)
    })
})

describe('terms', () => {
  it('are words, of which the last one is a prefix, and phrases', () => {
    expect(termsOf('one Two')).to.deep.equal([
      { words: ['one'], isPrefix: false },
      { words: ['two'], isPrefix: true },
    ])
    expect(termsOf('"old man" sea')).to.deep.equal([
      { words: ['old', 'man'], isPrefix: false },
      { words: ['sea'], isPrefix: true },
    ])
    expect(termsOf('sea “old man”')).to.deep.equal([
      { words: ['sea'], isPrefix: false },
      { words: ['old', 'man'], isPrefix: false },
    ])
  })

  it('ignore a quotation mark without a second one, and duplicates', () => {
    expect(termsOf('"old man').map(({ words }) => words)).to.deep.equal([['old'], ['man']])
    expect(termsOf('a "b c" "d').map(({ words }) => words)).to.deep.equal([['a'], ['b', 'c'], ['d']])
    expect(termsOf('a a a b')).to.have.length(2)
  })

  it('have limits', () => {
    expect(faultOf('!')).to.equal('must contain a word')
    expect(faultOf('')).to.equal('must contain a word')
    expect(faultOf('a '.repeat(searchLimits.words + 1))).to.include('at most 32 words')
    expect(faultOf('a'.repeat(searchLimits.characters + 1))).to.include('1000 characters')
  })
})

describe('a passage', () => {
  it('marks the words, and is around the first one', () => {
    expect(highlight(['The old mill', 'mill'], termsOf('mill'))).to.equal('The old <mark>mill</mark>')
    expect(highlight(['nothing', 'Été & fall'], termsOf('ete f'))).to.equal(
      '<mark>Été</mark> &#38; <mark>fall</mark>',
    )
    expect(highlight(['nothing'], termsOf('x'))).to.equal(null)
    const long = highlight([`${'before '.repeat(100)}here ${'after '.repeat(100)}`], termsOf('here')) ?? ''
    expect(long).to.match(/^… (before )+<mark>here<\/mark>( after)+ …$/)
    expect(long.length).to.be.below(300)
  })

  it('contains no other markup, whatever the text', () => {
    const unit = fc.constantFrom(
      'a',
      'b',
      ' ',
      '<',
      '>',
      '&',
      '"',
      "'",
      '<mark>',
      '</mark>',
      '<script>',
      '&lt;',
    )
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 300 }), (text) => {
        const passage = highlight([text], termsOf('a mark b')) ?? ''
        expect(passage.replaceAll(/<mark>[^<>&"']*<\/mark>/g, '')).to.match(/^(?:[^<>&"']|&#\d+;)*$/)
        expect(passage.length).to.be.below(5000)
      }),
    )
  })
})

describe('searched attributes', () => {
  it('are visible to every role', () => {
    const searched = resources.flatMap(({ attributes }) =>
      searchedAttributes(attributes).map(({ name }) => attributes[name]),
    )
    expect(searched).to.have.length.above(10)
    for (const attribute of searched) {
      expect(attribute).to.not.have.any.keys('visibleTo', 'internal', 'addon', 'writeOnly', 'concealed')
    }
  })
})
