/** A store with articles, and functions that insert into it and search it. */
import { expect } from 'chai'
import { it } from 'mocha'
import type { JsonObject } from '@publishing-service/domain/json'
import type { SearchLevel, SearchTerm } from '@publishing-service/domain/search'
import {
  type Collection,
  type DocumentStore,
  estimatingSample,
  isSampled,
  type Query,
  sampleFor,
  textCounts,
} from '@publishing-service/ports'
import { changes } from '../document-store/changes.js'
import { all, idsOf, walk } from '../document-store/stage.js'
import { valueOf } from '../task-outcome.js'

export const articles: Collection = {
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

export const levels = ['title', 'description', 'body'] as const satisfies readonly SearchLevel[]

export const word = (text: string): SearchTerm => ({ readings: [[text]], isPrefix: false })
export const prefix = (text: string): SearchTerm => ({ readings: [[text]], isPrefix: true })
export const phrase = (...words: readonly string[]): SearchTerm => ({ readings: [words], isPrefix: false })
export const either = (...readings: readonly string[]): SearchTerm => ({
  readings: readings.map((words) => words.split(' ')),
  isPrefix: false,
})

/** A text with the terms that find it, and terms that do not. */
type Case = readonly [
  name: string,
  value: JsonObject,
  found: readonly SearchTerm[],
  missed: readonly SearchTerm[],
]

export type SearchStage = {
  readonly store: () => DocumentStore
  readonly newInstance: () => number
  /** Resolves with the id. */
  readonly insert: (instance: number, value: JsonObject, id?: string) => Promise<string>
  /** Resolves with the ids of all documents that are found, page by page. */
  readonly find: (
    instance: number,
    terms: readonly SearchTerm[],
    query?: Partial<Query>,
  ) => Promise<readonly string[]>
  readonly declareCases: (cases: readonly Case[]) => void
}

/** The functions for the store that `store` returns. */
export const searchStage = (store: () => DocumentStore): SearchStage => {
  let instances = 0
  let ids = 0
  const newInstance = (): number => ++instances
  const insert = async (instance: number, value: JsonObject, id = `a-${++ids}`): Promise<string> =>
    (await valueOf(changes(store()).insert('articles', instance, { id, unique: null, value }))).id
  const find = async (instance: number, terms: readonly SearchTerm[], query: Partial<Query> = {}) => {
    const whole: Query = { ...all, words: { terms }, ...query }
    const { where, words = { terms } } = whole
    const count = await valueOf(store().count('articles', instance, { where, words }, 1000))
    const counted = await valueOf(store().countTexts('articles', instance, ['kind'], { where, words }, 1))
    const pages = await walk((each) => store().find('articles', instance, each), whole)
    const documents = pages.flatMap((page) => page.documents)
    expect(count, 'count').to.equal(documents.length)
    const inSample = (oneIn: number) => documents.filter(({ position }) => isSampled(position, oneIn))
    const oneIn = sampleFor(inSample(estimatingSample).length, 1)
    expect(counted.oneIn, 'sample').to.equal(oneIn)
    expect(counted.texts[0], 'kinds').to.have.deep.members(
      textCounts(
        inSample(oneIn).map(({ value: { kind } }) => (typeof kind === 'string' && kind !== '' ? [kind] : [])),
      ),
    )
    return idsOf(documents)
  }

  /** Whether each of some documents is found. */
  const declareCases = (cases: readonly Case[]): void => {
    for (const [name, value, found, missed] of cases)
      it(name, async () => {
        const instance = newInstance()
        const id = await insert(instance, value)
        await insert(instance, { title: 'zzz' })
        for (const term of found)
          expect(await find(instance, [term]), JSON.stringify(term)).to.deep.equal([id])
        for (const term of missed)
          expect(await find(instance, [term]), JSON.stringify(term)).to.deep.equal([])
      })
  }

  return { store, newInstance, insert, find, declareCases }
}
