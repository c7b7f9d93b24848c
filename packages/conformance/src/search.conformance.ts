/**
 * The contract of queries for words as a mocha suite: what a document store finds. Each sentence
 * of the comment of `WordsCondition` is the title of its tests.
 */
import { changes, nextPosition } from './document-store/changes.js'
import { searchSentences } from './document-store/sentences.js'
import { expect } from 'chai'
import fc from 'fast-check'
import { after, before as beforeAll, describe, it } from 'mocha'
import type { JsonObject } from '@publishing-service/domain/json'
import type { SearchLevel, SearchTerm } from '@publishing-service/domain/search'
import type { Collection, DocumentStore, Query } from '@publishing-service/ports'
import { type Conformance, declareContract } from './contract.js'
import {
  all,
  type DocumentStoreSubject,
  idsOf,
  type OpenSubject,
  soon,
  walk,
} from './document-store/stage.js'
import { valueOf } from './task-outcome.js'

export type SearchConformance = Conformance<'search', OpenSubject>

const articles: Collection = {
  name: 'articles',
  heavy: ['content'],
  keys: { kind: 'text', rank: 'number', tags: 'texts' },
  indexes: [['kind'], ['rank'], ['tags'], ['kind', 'rank'], ['tags', 'rank']],
  groupCounts: [],
  searched: [
    { name: 'title', level: 'title', isMarkup: false },
    { name: 'description', level: 'description', isMarkup: false },
    { name: 'names', level: 'description', isMarkup: false },
    { name: 'content', level: 'body', isMarkup: true },
  ],
}

const levels = ['title', 'description', 'body'] as const satisfies readonly SearchLevel[]

const word = (text: string): SearchTerm => ({ readings: [[text]], isPrefix: false })
const prefix = (text: string): SearchTerm => ({ readings: [[text]], isPrefix: true })
const phrase = (...words: readonly string[]): SearchTerm => ({ readings: [words], isPrefix: false })
const either = (...readings: readonly string[]): SearchTerm => ({
  readings: readings.map((words) => words.split(' ')),
  isPrefix: false,
})

/** Declares the suite for the words that a document store finds. */
export const searchConformance = (options: SearchConformance): void => {
  declareContract('search', options, 30_000, () => {
    let opened: DocumentStoreSubject | undefined
    let instances = 0
    let ids = 0
    beforeAll(async () => {
      opened = await options.open([articles])
    })
    after(() => opened?.dispose())

    const store = (): DocumentStore => opened?.store ?? expect.fail('the store is not open yet')
    const insert = async (instance: number, value: JsonObject, id = `a-${++ids}`): Promise<string> =>
      (await valueOf(changes(store()).insert('articles', instance, { id, unique: null, value }))).id
    const find = async (instance: number, terms: readonly SearchTerm[], query: Partial<Query> = {}) =>
      idsOf(
        (
          await walk((each) => store().find('articles', instance, each), {
            ...all,
            words: { terms },
            ...query,
          })
        ).flatMap(({ documents }) => documents),
      )

    /** Whether each of some documents is found. */
    const declareCases = (
      cases: readonly (readonly [
        name: string,
        value: JsonObject,
        found: readonly SearchTerm[],
        missed: readonly SearchTerm[],
      ])[],
    ): void => {
      for (const [name, value, found, missed] of cases)
        it(name, async () => {
          const instance = ++instances
          const id = await insert(instance, value)
          await insert(instance, { title: 'zzz' })
          for (const term of found)
            expect(await find(instance, [term]), JSON.stringify(term)).to.deep.equal([id])
          for (const term of missed)
            expect(await find(instance, [term]), JSON.stringify(term)).to.deep.equal([])
        })
    }

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
        const instance = ++instances
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
        const instance = ++instances
        const both = await insert(instance, { title: 'red', content: 'green' })
        const red = await insert(instance, { title: 'red' })
        expect(await find(instance, [word('green'), word('red')])).to.deep.equal([both])
        expect(await find(instance, [word('red'), prefix('gre')])).to.deep.equal([both])
        expect(await find(instance, [word('red')])).to.deep.equal([both, red])
        expect(await find(instance, [word('red'), word('blue')])).to.deep.equal([])
      })

      it('random texts, as a simple model finds them', async () => {
        const vocabulary = ['a', 'ab', 'abc', 'abcd', 'abcde', 'b', 'ba', 'bab']
        const text = fc
          .array(fc.constantFrom(...vocabulary), { maxLength: 5 })
          .map((words) => words.join(' '))
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
              const instance = ++instances
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

    describe(searchSentences.levels, () => {
      it('titles, descriptions, bodies', async () => {
        const instance = ++instances
        const body = await insert(instance, { title: 'x', content: 'tram' })
        const title = await insert(instance, { title: 'tram', content: 'tram' })
        const both = await insert(instance, { title: 'old tram', description: 'new bus' })
        const names = await insert(instance, { title: 'x', names: ['tram', 'bus'] })
        const at = (level: SearchLevel, ...terms: readonly SearchTerm[]) =>
          find(instance, [], { words: { terms, best: level }, insertion: 'desc' })
        expect(await at('title', word('tram'))).to.deep.equal([both, title])
        expect(await at('description', word('tram'))).to.deep.equal([names])
        expect(await at('body', word('tram'))).to.deep.equal([body])
        expect(await at('title', word('tram'), prefix('b'))).to.deep.equal([])
        expect(await at('description', word('tram'), prefix('b'))).to.deep.equal([names, both])
        expect(await at('description', phrase('new', 'bus'))).to.deep.equal([both])
        expect(await at('title', phrase('old', 'tram'))).to.deep.equal([both])
        expect(await at('body', phrase('old', 'tram'))).to.deep.equal([])
      })
    })

    describe(searchSentences.combined, () => {
      it('the order of insertion, that of the calls', async () => {
        const instance = ++instances
        const inserted = await Promise.all(
          Array.from({ length: 20 }, (_, i) => insert(instance, { title: `concurrent c${instance}x${i}` })),
        )
        expect(await find(instance, [word('concurrent')])).to.deep.equal(inserted)
      })

      it('filters, orders and pages', async () => {
        const instance = ++instances
        const values = Array.from({ length: 30 }, (_, i) => ({
          title: i % 2 === 0 ? 'even' : 'odd',
          content: i % 3 === 0 ? 'third number' : 'number',
          kind: 'abc'.charAt(i % 4),
          rank: (i * 7) % 10,
          tags: [`t${i % 5}`],
        }))
        const inserted: string[] = []
        for (const value of values) inserted.push(await insert(instance, value))
        const where = [
          [],
          [{ key: 'kind', equals: 'b' }],
          [{ key: 'rank', atLeast: 4 }],
          [{ key: 'tags', has: 't2' }],
          [
            { key: 'kind', oneOf: ['a', 'c'] },
            { key: 'rank', below: 8 },
          ],
          [{ anyOf: [[{ key: 'kind', equals: 'a' }], [{ key: 'tags', has: 't1' }]] }],
        ] as const
        const limit = 10
        for (const filters of where) {
          const met = idsOf(
            (await valueOf(store().find('articles', instance, { ...all, where: filters }))).documents,
          )
          const isOf = (text: string) => (id: string) => {
            const value = values[inserted.indexOf(id)]
            return value !== undefined && `${value.title} ${value.content}`.includes(text)
          }
          for (const [terms, text] of [
            [[word('number')], 'number'],
            [[word('third')], 'third'],
            [[prefix('num'), word('even')], 'even'],
          ] as const) {
            const expected = met.filter(isOf(text))
            expect(await find(instance, terms, { where: filters, limit })).to.deep.equal(expected)
            expect(await find(instance, terms, { where: filters, limit, insertion: 'desc' })).to.deep.equal(
              expected.toReversed(),
            )
            for (const direction of ['asc', 'desc'] as const) {
              const order = [{ key: 'rank', direction }]
              const sorted = idsOf(
                (await valueOf(store().find('articles', instance, { ...all, where: filters, order })))
                  .documents,
              ).filter(isOf(text))
              expect(await find(instance, terms, { where: filters, order, limit })).to.deep.equal(sorted)
              const skipped = await valueOf(
                store().find('articles', instance, {
                  ...all,
                  words: { terms },
                  where: filters,
                  order,
                  skip: 3,
                }),
              )
              expect(idsOf(skipped.documents)).to.deep.equal(sorted.slice(3))
            }
          }
        }
      })
    })

    describe(searchSentences.current, () => {
      it('an insert and two replaces', async () => {
        const instance = ++instances
        const id = await insert(instance, { title: 'first', content: '<p>body</p>', rank: 1 })
        const replace = async (version: number, value: JsonObject) =>
          valueOf(changes(store()).replace('articles', instance, { id, unique: null, version, value }))
        expect(await find(instance, [word('first')])).to.deep.equal([id])
        await replace(1, { title: 'second', content: '<p>body</p>', rank: 2 })
        expect(await find(instance, [word('first')])).to.deep.equal([])
        expect(await find(instance, [word('second'), word('body')])).to.deep.equal([id])
        await replace(2, { title: 'second', rank: 3 })
        expect(await find(instance, [word('body')])).to.deep.equal([])
        expect(await find(instance, [prefix('seco')])).to.deep.equal([id])
      })

      it('a removed id that is inserted again, with other words', async () => {
        const instance = ++instances
        const id = await insert(instance, { title: 'first', content: '<p>before</p>' })
        await valueOf(changes(store()).remove('articles', instance, id, 1))
        await insert(instance, { title: 'second' }, id)
        for (const [term, expected] of [
          [word('second'), [id]],
          [word('first'), []],
          [prefix('bef'), []],
        ] as const)
          expect(await find(instance, [term]), JSON.stringify(term)).to.deep.equal(expected)
      })

      it('a document that is appended with a change of another', async () => {
        const instance = ++instances
        const id = await insert(instance, { title: 'changed' })
        const document = {
          id: 'appended',
          position: nextPosition(),
          unique: null,
          value: { title: 'appended' },
        }
        const change = { kind: 'remove', id, version: 1 } as const
        const appended = [{ collection: 'articles', instance, document }]
        await valueOf(store().write('articles', instance, change, appended))
        await soon(async () => expect(await find(instance, [word('appended')])).to.deep.equal(['appended']))
        expect(await find(instance, [word('changed')])).to.deep.equal([])
      })

      it('a write that fails', async () => {
        const instance = ++instances
        const id = await insert(instance, { title: 'kept' })
        await changes(store()).replace('articles', instance, {
          id,
          unique: null,
          version: 9,
          value: { title: 'lost' },
        })()
        await changes(store()).insert('articles', instance, { id, unique: null, value: { title: 'lost' } })()
        expect(await find(instance, [word('kept')])).to.deep.equal([id])
        expect(await find(instance, [prefix('lost')])).to.deep.equal([])
      })
    })

    describe(searchSentences.removed, () => {
      it('a removal, and the same words in several instances', async () => {
        const [here, there] = [++instances, ++instances]
        const id = await insert(here, { title: 'island' }, 'same')
        await insert(there, { title: 'island' }, 'same')
        await valueOf(changes(store()).remove('articles', there, 'same', 1))
        expect(await find(there, [word('island')])).to.deep.equal([])
        expect(await find(here, [prefix('isl')])).to.deep.equal([id])
        // If a store concatenated instance and word, 7 with «1x» could equal 71 with «x».
        for (const instance of [7_000_001, 70_000_011]) await insert(instance, { title: '1x 11x x' })
        for (const instance of [7_000_001, 70_000_011, 7_000_00])
          expect(await find(instance, [word('1x')])).to.have.length(instance === 7_000_00 ? 0 : 1)
      })
    })

    describe(searchSentences.long, () => {
      it('the first, one in the middle, and the last', async () => {
        const instance = ++instances
        const count = 4000
        const words = Array.from({ length: count }, (_, i) => `w${i}`)
        const id = await insert(instance, { content: `<p>${words.join(' ')}</p>` })
        for (const each of ['w0', `w${count / 2}`, `w${count - 1}`])
          expect(await find(instance, [word(each)])).to.deep.equal([id])
        expect(await find(instance, [phrase(`w${count / 2 - 1}`, `w${count / 2}`)])).to.deep.equal([id])
        expect(await find(instance, [word(`w${count}`)])).to.deep.equal([])
      })
    })

    describe(searchSentences.hostile, () => {
      it('operators, names and long words', async () => {
        const instance = ++instances
        const id = await insert(instance, { title: 'or and not near tokens rowid 0 NULL' })
        for (const each of ['or', 'and', 'not', 'near', 'tokens', 'rowid', '0', 'null'])
          expect(await find(instance, [word(each), prefix(each)]), each).to.deep.equal([id])
        expect(await find(instance, [word('x'.repeat(40))])).to.deep.equal([])
        const many = Array.from({ length: 32 }, (_, i) => word(`x${i}`))
        expect(await find(instance, many)).to.deep.equal([])
      })
    })

    describe(searchSentences.complete, () => {
      it('a collection that is declared with searched attributes later', async function () {
        if (options.deviations?.volatile !== undefined) return this.skip()
        const { searched: _none, ...before } = articles
        const subject = await options.open([before])
        try {
          for (let i = 0; i < 130; i += 1)
            await valueOf(
              changes(subject.store).insert('articles', 1, {
                id: `${i}`,
                unique: null,
                value: { title: `early w${i}` },
              }),
            )
          await subject.store.close()
          const later = await subject.reopen([articles])
          await valueOf(
            changes(later).insert('articles', 1, { id: 'new', unique: null, value: { title: 'late' } }),
          )
          const found = async (text: string) =>
            idsOf(
              (await valueOf(later.find('articles', 1, { ...all, words: { terms: [word(text)] } })))
                .documents,
            )
          expect(await found('late')).to.deep.equal(['new'])
          expect(await found('early')).to.have.length(130)
          expect(await found('w129')).to.deep.equal(['129'])
          await later.close()
        } finally {
          await subject.dispose()
        }
      })
    })
  })
}
