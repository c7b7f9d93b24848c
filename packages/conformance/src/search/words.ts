/** Tests of the words, prefixes and phrases that are found in a text. */
import { describe, it } from 'mocha'
import { expect } from 'chai'
import fc from 'fast-check'
import { searchSentences } from '../document-store/sentences.js'
import type { SearchLevel, SearchTerm } from '@publishing-service/domain/search'
import { either, levels, phrase, prefix, word, type SearchStage } from './stage.js'

export const wordTests = (stage: SearchStage): void => {
  const { declareCases, find, insert, newInstance } = stage

  describe(searchSentences.folded, () => {
    declareCases([
      ['letter case', { title: 'Big TOWN' }, [word('big'), word('town')], [word('tow'), word('own')]],
      [
        'accents',
        { title: 'Élan, Ångström, Škoda' },
        [word('elan'), word('angstrom'), word('skoda')],
        [word('lan')],
      ],
      [
        'letters without a decomposition',
        { title: 'Straße in Łódź, Ærø' },
        [word('strasse'), word('lodz'), word('aero')],
        [word('stra'), word('dz')],
      ],
      [
        'invisible characters',
        { title: 'Donau\u00addampf\u200bschiff مدرســة', content: '<p>soft&#173;entity</p>' },
        [word('donaudampfschiff'), word('مدرسة'), word('softentity'), prefix('donaud')],
        [word('donau'), word('dampf')],
      ],
      ['a combined accent', { title: 'e\u0301te\u0301' }, [word('ete')], [word('e')]],
      [
        'compatibility characters',
        { title: 'ﬁne Ｆｕｌｌ x²' },
        [word('fine'), word('full'), word('x2')],
        [],
      ],
      ['Greek and Cyrillic', { title: 'Ἀθῆναι МОСКВА' }, [word('αθηναι'), word('москва')], []],
      ['digits', { title: 'Route 66 in 1926' }, [word('66'), word('1926')], [word('192'), word('6')]],
      [
        'punctuation',
        { title: 'rock-n-roll, l’été (a_b)' },
        [word('rock'), word('roll'), word('ete'), word('b')],
        [],
      ],
      [
        'texts of a list',
        { names: ['First One', 'second'] },
        [word('one'), word('second')],
        [phrase('one', 'second')],
      ],
      [
        'values that are no texts',
        { title: 1, names: [true, null, 'x', { a: 'b' }] },
        [word('x')],
        [word('1'), word('true'), word('b')],
      ],
    ])
  })

  describe(searchSentences.prefix, () => {
    declareCases([
      [
        'each length',
        { title: 'Lighthouses' },
        Array.from('lighthouses', (_, i) => prefix('lighthouses'.slice(0, i + 1))),
        [prefix('lighthousesx'), prefix('ight')],
      ],
      [
        'letters beyond ASCII',
        { title: 'Москва 東京都' },
        [prefix('м'), prefix('моск'), prefix('東')],
        [prefix('к')],
      ],
      ['letters beyond 16 bits', { title: '𐐨𐐩𐐪𐐫𐐬' }, [prefix('𐐨'), prefix('𐐨𐐩𐐪𐐫')], [prefix('𐐩')]],
    ])

    it('of thousands of words', async () => {
      const instance = newInstance()
      const words = Array.from({ length: 1200 }, (_, i) => `prefixed${i}`)
      const id = await insert(instance, { content: words.join(' ') })
      const second = await insert(instance, { content: 'prefixed' })
      expect(await find(instance, [prefix('prefixe')])).to.deep.equal([id, second])
      expect(await find(instance, [prefix('prefixed119')])).to.deep.equal([id])
    })
  })

  describe(searchSentences.phrase, () => {
    declareCases([
      [
        'in its order',
        { title: 'the old man and the sea' },
        [phrase('old', 'man'), phrase('the', 'sea'), phrase('the', 'old', 'man', 'and', 'the', 'sea')],
        [phrase('man', 'old'), phrase('old', 'and'), phrase('sea', 'the')],
      ],
      [
        'not across texts',
        { title: 'old', description: 'man', names: ['the', 'sea'] },
        [],
        [phrase('old', 'man'), phrase('the', 'sea')],
      ],
      ['across elements', { content: '<p>old</p><p>man</p>' }, [phrase('old', 'man')], []],
      [
        'of a repeated word',
        { title: 'very very good' },
        [phrase('very', 'very'), phrase('very', 'good')],
        [phrase('very', 'very', 'very')],
      ],
    ])
  })

  describe(searchSentences.linked, () => {
    declareCases([
      [
        'a text with links',
        { title: 'Mr O’Brien’s e-mail and the rock-n-roll arrived' },
        [
          word('email'),
          word('obrien'),
          word('rocknroll'),
          word('mail'),
          prefix('em'),
          prefix('ema'),
          phrase('email', 'and', 'the', 'rocknroll'),
          phrase('mail', 'and', 'the', 'rock'),
          either('e mail', 'email'),
          either('and the e mail', 'and the email', 'roll arrived'),
        ],
        [word('ailand'), phrase('email', 'rocknroll'), phrase('and', 'email')],
      ],
      [
        'a text without links',
        { title: 'OBrien sent an email to the coffee shop' },
        [
          either('o brien', 'obrien'),
          either('an e mail to', 'an email to'),
          either('coffee shop', 'coffeeshop'),
          { readings: [['e', 'ma'], ['ema']], isPrefix: true },
        ],
        [word('brien'), word('mail'), either('the an', 'thean')],
      ],
    ])
  })

  describe(searchSentences.terms, () => {
    it('all of them', async () => {
      const instance = newInstance()
      const both = await insert(instance, { title: 'red', content: 'green' })
      const red = await insert(instance, { title: 'red' })
      expect(await find(instance, [word('green'), word('red')])).to.deep.equal([both])
      expect(await find(instance, [word('red'), prefix('gre')])).to.deep.equal([both])
      expect(await find(instance, [word('red')])).to.deep.equal([both, red])
      expect(await find(instance, [word('red'), word('blue')])).to.deep.equal([])
    })

    it('random texts, as a simple model finds them', async () => {
      const vocabulary = ['a', 'ab', 'abc', 'abcd', 'abcde', 'b', 'ba', 'bab']
      const text = fc.array(fc.constantFrom(...vocabulary), { maxLength: 5 }).map((words) => words.join(' '))
      const value = fc.record({ title: text, description: text, content: text })
      const term = fc.oneof(
        fc.constantFrom(...vocabulary).map(word),
        fc.constantFrom(...vocabulary).map(prefix),
        fc
          .array(fc.constantFrom(...vocabulary), { minLength: 2, maxLength: 3 })
          .map((words) => phrase(...words)),
        fc
          .tuple(fc.constantFrom(...vocabulary), fc.constantFrom(...vocabulary))
          .map(([first, last]): SearchTerm => ({
            readings: [[first, last], [first + last]],
            isPrefix: true,
          })),
      )
      const contains = (each: string, { readings, isPrefix }: SearchTerm): boolean =>
        readings.some((words) => ` ${each} `.includes(` ${words.join(' ')}${isPrefix ? '' : ' '}`))
      await fc.assert(
        fc.asyncProperty(
          fc.array(value, { minLength: 1, maxLength: 6 }),
          fc.array(term, { minLength: 1, maxLength: 3 }),
          async (values, terms) => {
            const instance = newInstance()
            const expectedLevels: (readonly [string, SearchLevel | undefined])[] = []
            for (const each of values) {
              const texts = [each.title, each.description, each.content]
              const best = levels.find((_, i) =>
                terms.every((wanted) => texts.slice(0, i + 1).some((one) => contains(one, wanted))),
              )
              expectedLevels.push([await insert(instance, each), best])
            }
            const expected = (wanted: (level: SearchLevel | undefined) => boolean) =>
              expectedLevels.filter(([, best]) => wanted(best)).map(([id]) => id)
            expect(await find(instance, terms)).to.deep.equal(expected((best) => best !== undefined))
            for (const level of levels)
              expect(
                await find(instance, [], { words: { terms, best: level }, insertion: 'desc', limit: 2 }),
              ).to.deep.equal(expected((best) => best === level).toReversed())
          },
        ),
        { numRuns: 10 },
      )
    })
  })

  describe(searchSentences.markup, () => {
    declareCases([
      [
        'inline elements',
        { content: '<p>one <b>wo</b>rd <a href="http://example.org/hidden">li<i>nk</i></a></p>' },
        [word('word'), word('link')],
        [word('wo'), word('href'), word('hidden')],
      ],
      [
        'blocks and line breaks',
        { content: '<ul><li>one</li><li>two</li></ul>three<br/>four' },
        [word('one'), word('two'), word('three'), word('four')],
        [word('onetwo'), word('threefour')],
      ],
      [
        'references and comments',
        { content: '<p>caf&#233; &amp; b&#xe4;r<!-- note --></p>' },
        [word('cafe'), word('bar')],
        [word('amp'), word('note')],
      ],
      ['texts that are no markup', { title: '<b>bold</b>' }, [word('b'), word('bold')], []],
    ])
  })

  describe(searchSentences.scripts, () => {
    declareCases([
      ['Japanese', { title: '東京都に住んでいます' }, [word('東京'), prefix('東京')], [word('京都')]],
      ['Chinese', { content: '<p>我们在北京学习</p>' }, [word('北京'), word('学习')], []],
      ['Thai', { title: 'สวัสดีชาวโลก' }, [prefix('สวส')], []],
      [
        'Korean',
        { title: '서울 시장' },
        [word('서울'.normalize('NFKD')), prefix('시'.normalize('NFKD'))],
        [],
      ],
      [
        'Arabic and Hebrew',
        { title: 'مرحبا بالعالم שלום עולם' },
        [word('مرحبا'), word('שלום'), prefix('עו')],
        [],
      ],
    ])
  })
}
