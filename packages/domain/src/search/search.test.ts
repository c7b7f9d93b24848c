/** Words, queries and passages (docs/behaviour/search.md). */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import { resources } from '../resource/resources.js'
import { searchedAttributes } from '../resource/search-filter.js'
import { anyCharacter } from '../testing/legal-markup.js'
import { slugOf } from '../value/fold.js'
import { highlight } from './highlight.js'
import { plainText, parseSearchTerms, searchLimits, type SearchTerm } from './searched-texts.js'
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

  it('have no invisible characters, and are whole where the text has them', () => {
    const text = 'Donau\u00addampf\u00adschiff Long\u200bword مدرســة \u2067x\u2069y'
    expect(wordsIn(text).map(({ word, start, end }) => [word, text.slice(start, end)])).to.deep.equal([
      ['donaudampfschiff', 'Donau\u00addampf\u00adschiff'],
      ['longword', 'Long\u200bword'],
      ['مدرسة', 'مدرســة'],
      ['xy', 'x\u2069y'],
    ])
  })

  it('of Latin letters are those of urlnames, with and without a decomposition', () => {
    const letters = Array.from({ length: 0x2000 }, (_, i) => String.fromCodePoint(0xc0 + i))
      .concat(Array.from({ length: 0x700 }, (_, i) => String.fromCodePoint(0xa720 + i)))
      .filter((letter) => /\p{L}/u.test(letter) && /\p{sc=Latin}/u.test(letter))
    expect(letters).to.have.length.above(900)
    const differing = letters.filter((letter) => ![wordsOf(letter).join('-'), ''].includes(slugOf(letter)))
    expect(differing.join('')).to.equal('')
    expect(wordsOf('Straße GRÖSSE Ørsted Łódź Ægir Œuvre đ ð Þ ıħŋ ﬁne')).to.deep.equal(
      'strasse grosse orsted lodz aegir oeuvre d d th ihng fine'.split(' '),
    )
  })

  it('are linked by one apostrophe or hyphen', () => {
    const linked = (text: string) =>
      wordsIn(text)
        .filter(({ isLinked }) => isLinked)
        .map(({ word }) => word)
    for (const link of "'’‘ʼ´`-‐‑")
      expect(linked(`é${link}mail o${link}x`), link).to.deep.equal(['mail', 'x'])
    for (const text of ['a - b', "a 'b'", 'a--b', 'a–b', 'a/b', 'a b'])
      expect(linked(text), text).to.deep.equal([])
  })

  it('have only letters and digits, a bounded length, and positions in the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
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
      fc.property(fc.string({ unit: fc.constantFrom(...'aÉßİΣςﬁŉæ\u00ad 1') }), (text) => {
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
      { readings: [['one']], isPrefix: false },
      { readings: [['two']], isPrefix: true },
    ])
    expect(termsOf('"old man" sea')).to.deep.equal([
      { readings: [['old', 'man']], isPrefix: false },
      { readings: [['sea']], isPrefix: true },
    ])
    expect(termsOf('sea “old man”')).to.deep.equal([
      { readings: [['sea']], isPrefix: false },
      { readings: [['old', 'man']], isPrefix: false },
    ])
  })

  it('have two readings if an apostrophe or a hyphen links words', () => {
    expect(termsOf('e-mail "Mr O’Brien said" rock\'n')).to.deep.equal([
      { readings: [['e', 'mail'], ['email']], isPrefix: false },
      {
        readings: [
          ['mr', 'o', 'brien', 'said'],
          ['mr', 'obrien', 'said'],
        ],
        isPrefix: false,
      },
      { readings: [['rock', 'n'], ['rockn']], isPrefix: true },
    ])
  })

  it('ignore a quotation mark without a second one, and duplicates', () => {
    const readingsOf = (text: string) => termsOf(text).flatMap(({ readings }) => readings)
    expect(readingsOf('"old man')).to.deep.equal([['old'], ['man']])
    expect(readingsOf('a "b c" "d')).to.deep.equal([['a'], ['b', 'c'], ['d']])
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

  it('begins and ends at a word, also without spaces', () => {
    const sentence = 'A long night, and a storm at sea. '
    for (let before = 60; before < 100; before += 1) {
      const text = `${sentence.repeat(4).slice(-before)} needle ${sentence.repeat(9)}`
      const passage = (highlight([text], termsOf('needle')) ?? '').replaceAll(/<\/?mark>/g, '')
      expect(passage).to.match(/^… .* …$/)
      const [start, end] = [passage.slice(2, 22), passage.slice(-22, -2)]
      expect(text[text.indexOf(start) - 1] ?? ' ', passage).to.equal(' ')
      expect(text[text.indexOf(end) + end.length] ?? ' ', passage).to.match(/[ ,.]/)
    }
    const japanese =
      highlight([`${'東京都に住む'.repeat(20)}針${'東京都に住む'.repeat(60)}`], termsOf('針')) ?? ''
    expect(japanese).to.match(/^… (東京|都|に|住む).*<mark>針<\/mark>.* …$/)
    expect(japanese.length).to.be.below(300)
  })

  it('marks linked words as one, in both readings, and words with invisible characters', () => {
    for (const [text, query, marked] of [
      ['an e-mail today', 'email', 'an <mark>e-mail</mark> today'],
      ['an e-mail today', 'ema', 'an <mark>e-mail</mark> today'],
      ['an e-mail today', 'e-mail', 'an <mark>e-mail</mark> today'],
      ['an e-mail today', 'mail', 'an e-<mark>mail</mark> today'],
      ['an email today', 'e-mail', 'an <mark>email</mark> today'],
      ['O’Brien’s o', 'OBrien', '<mark>O’Brien’s</mark> o'],
      ['O’Brien’s o', 'OBrien "o"', '<mark>O’Brien</mark>’s <mark>o</mark>'],
      ['o dear, O’Brien', "O'Brien", 'o dear, <mark>O’Brien</mark>'],
      [
        'the e-mail of Mr O’Brien',
        '"email of mr"',
        'the <mark>e-mail</mark> <mark>of</mark> <mark>Mr</mark> O’Brien',
      ],
      ['a Donau\u00addampfer', 'donaudampfer', 'a <mark>Donau\u00addampfer</mark>'],
    ] as const)
      expect(highlight([text], termsOf(query)), `${text}: ${query}`).to.equal(marked)
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
        expect(passage.replaceAll(/<mark>(?:[^<>&"']|&#39;)*<\/mark>/g, '')).to.match(
          /^(?:[^<>&"']|&#\d+;)*$/,
        )
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
      expect(attribute).to.not.have.any.keys('visibleTo', 'internal', 'addon', 'writeOnly', 'nullableInViews')
    }
  })
})
