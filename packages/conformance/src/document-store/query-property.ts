/**
 * Random documents and queries, compared with the model: every filter, every order, pages of every size. A failing run
 * prints what is needed to repeat it.
 */
import { changes } from './changes.js'
import { it } from 'mocha'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Cursor, Filter, KeyFilter, Order, Query, TextsQuery } from '@publishing-service/ports'
import { expectedResult, expectedTextCounts, expectedTexts } from './query-model.js'
import { all, idsOf, type Stage, things, walk } from './stage.js'
import { valueOf } from '../task-outcome.js'
import { anyText, textsInOrder } from './texts.js'

const text = fc.oneof(fc.constantFrom('', 'a', 'b', 'a', ...textsInOrder), anyText(3))
const number = fc.oneof(
  fc.constantFrom(-1, 0, -0, 1, 2, 0.1, 1e21, 2 ** 60),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const orNull = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | null> => fc.option(arbitrary, { freq: 4 })

/** Few texts, so that documents share them, and entries that are not texts. */
const tag = fc.oneof(fc.constantFrom('x', 'y', 'z', 'x y', 'x a z'), text)
const list = fc.oneof(
  { weight: 6, arbitrary: fc.array(tag, { maxLength: 5 }) },
  fc.array(fc.oneof(tag, number, fc.constantFrom(null, true, [], {}, ['x'])), { maxLength: 5 }),
  text,
  fc.constant({ x: 'x' }),
)

const value = fc.record(
  {
    title: orNull(text),
    kind: orNull(fc.constantFrom('x', 'y', 'z')),
    rank: orNull(number),
    open: orNull(fc.boolean()),
    tags: orNull(list),
    places: orNull(list),
  },
  { requiredKeys: [], noNullPrototype: true },
)

/** Mostly documents with texts, for queries for texts. */
const valueWithTexts = fc.oneof(
  value,
  fc.record(
    {
      kind: fc.constantFrom('x', 'y'),
      tags: fc.array(tag, { minLength: 1, maxLength: 3 }),
      places: fc.array(tag, { minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: ['tags'], noNullPrototype: true },
  ),
)

const anyValue = fc.oneof(
  { weight: 3, arbitrary: text },
  number,
  fc.boolean(),
  fc.constant(null),
  fc.constant([]),
  fc.constant({}),
)
const key = fc.constantFrom('title', 'kind', 'rank', 'open')

const range = fc.oneof(
  ...[
    { key: fc.constantFrom('title', 'kind'), bound: text },
    { key: fc.constant('rank'), bound: number },
  ].map(
    ({
      key: ranged,
      bound,
    }: {
      readonly key: fc.Arbitrary<string>
      readonly bound: fc.Arbitrary<string | number>
    }) =>
      fc.record(
        { key: ranged, atLeast: bound, above: bound, below: bound, atMost: bound },
        { requiredKeys: ['key'], noNullPrototype: true },
      ),
  ),
)

const textRange = fc.oneof(
  fc.record({ atLeast: tag, below: tag }),
  fc.constantFrom({ atLeast: '', below: '\u{10ffff}' }, { atLeast: 'x', below: 'z' }),
)

/** A key of lists, and a range of its texts. */
const keyAndRange = fc.oneof(
  fc.record({ key: fc.constantFrom('tags', 'places'), range: textRange }),
  fc.record({
    key: fc.constant('places'),
    range: fc.record({ atLeast: tag, below: tag, endsAbove: tag }, { noNullPrototype: true }),
  }),
)

const keyFilter: fc.Arbitrary<KeyFilter> = fc.oneof(
  fc.record({ key, equals: anyValue }),
  fc.constantFrom<KeyFilter>(
    { key: 'kind', equals: 'x' },
    { key: 'kind', equals: null },
    { key: 'open', equals: true },
  ),
  fc.record({ key, oneOf: fc.array(anyValue, { maxLength: 4 }) }),
  fc.constant<KeyFilter>({ key: 'kind', oneOf: ['x', 'y', null] }),
  range,
  { weight: 2, arbitrary: fc.record({ key: fc.constantFrom('tags', 'tags', 'places'), has: tag }) },
  fc.record({ key: fc.constantFrom('tags', 'places'), hasNone: fc.array(tag, { maxLength: 3 }) }),
  keyAndRange.map(({ key: ofList, range: hasIn }) => ({ key: ofList, hasIn })),
)

const filter: fc.Arbitrary<Filter> = fc.oneof(
  { weight: 4, arbitrary: keyFilter },
  fc.record({ anyOf: fc.array(fc.array(keyFilter, { maxLength: 2 }), { maxLength: 3 }) }),
)

const order: fc.Arbitrary<Order> = fc.record({ key, direction: fc.constantFrom('asc', 'desc') })

/** Ids of documents, and of none. */
const ids = fc.array(fc.integer({ min: 0, max: 20 }).map(String), { maxLength: 8 })

const query = fc.record(
  {
    where: fc.array(filter, { maxLength: 2 }),
    order: fc.array(order, { maxLength: 4 }),
    limit: fc.integer({ min: 1, max: 7 }),
    skip: fc.integer({ min: 0, max: 5 }),
    ids,
    notIds: ids,
  },
  { requiredKeys: ['where', 'order', 'limit', 'skip'], noNullPrototype: true },
)

const restOfTextsQuery = fc.record({
  where: fc.array(filter, { maxLength: 1 }),
  limit: fc.integer({ min: 1, max: 7 }),
  skip: fc.integer({ min: 0, max: 5 }),
  detail: fc.constantFrom<'light' | 'full'>('light', 'full'),
})

const textsQuery = fc
  .tuple(keyAndRange, restOfTextsQuery)
  .map(([selected, rest]) => ({ ...selected, ...rest }))

/** Milliseconds after which a property that has held so far begins no further run: FerretDB reads whole collections for each page. */
const patience = 15_000

const check = <A>(property: fc.IAsyncProperty<A>): Promise<void> =>
  fc.assert(property, { numRuns: 10, interruptAfterTimeLimit: patience })

/** Declares the property that queries for texts of a store and the model agree. */
export const textsQueryProperty = ({ store, newInstance }: Stage): void => {
  it('random documents and ranges of texts, page by page', () => {
    return check(
      fc.asyncProperty(
        fc.array(valueWithTexts, { maxLength: 16 }),
        fc.array(textsQuery, { minLength: 1, maxLength: 6 }),
        async (values, drawn) => {
          const instance = newInstance()
          const inserted = values.map((each, i) => ({ id: `${i}`, value: each }))
          for (const document of inserted)
            await valueOf(changes(store()).insert('things', instance, { ...document, unique: null }))
          const find = async (wanted: TextsQuery) => {
            const { texts, next } = await valueOf(store().findTexts('things', instance, wanted))
            return { texts: texts.map(({ text: found, document: { id } }) => [found, id]), next }
          }
          for (const { skip, ...each } of drawn) {
            const expected = expectedTexts(things, inserted, each)
            const found = []
            for (let after: Cursor | undefined; ;) {
              const page = await find({ ...each, skip: 0, ...(after === undefined ? {} : { after }) })
              found.push(...page.texts)
              if (page.next === null) break
              expect(page.texts).to.have.length(each.limit)
              const further = await find({ ...each, skip, after: page.next })
              expect(further.texts).to.deep.equal(
                expected.slice(found.length + skip, found.length + skip + each.limit),
              )
              after = page.next
            }
            expect(found).to.deep.equal(expected)
            expect((await find({ ...each, skip })).texts).to.deep.equal(
              expected.slice(skip, skip + each.limit),
            )
          }
        },
      ),
    )
  })
}

/** Declares the property that a store's queries and the model agree. */
export const queryProperty = ({ store, newInstance }: Stage): void => {
  it('random documents and queries, page by page', () => {
    return check(
      fc.asyncProperty(
        fc.array(value, { maxLength: 16 }),
        fc.array(query, { minLength: 1, maxLength: 6 }),
        async (values, drawn) => {
          const instance = newInstance()
          const inserted = values.map((each, i) => ({ id: `${i}`, value: each }))
          for (const document of inserted)
            await valueOf(changes(store()).insert('things', instance, { ...document, unique: null }))
          const find = (wanted: Query) => store().find('things', instance, wanted)
          for (const { skip, ...wanted } of drawn) {
            const { limit } = wanted
            const plain: Query = { ...all, ...wanted }
            const expected = expectedResult(things, inserted, plain).map(({ id }) => id)
            const pages = await walk(find, plain)
            expect(pages.flatMap(({ documents }) => idsOf(documents))).to.deep.equal(expected)
            expect(pages.map(({ documents }) => documents.length)).to.deep.equal(
              pages.map((_, i) => Math.min(limit, expected.length - i * limit)),
            )
            expect(await valueOf(store().count('things', instance, plain, skip + 1))).to.equal(
              Math.min(expected.length, skip + 1),
            )
            const counted = ['tags', 'places', 'title']
            const { texts } = await valueOf(store().countTexts('things', instance, counted, plain, 1000))
            for (const [i, each] of counted.entries())
              expect(texts[i]).to.have.deep.members(expectedTextCounts(things, inserted, each, plain))
            // Skipping, from the start and after every page.
            expect(idsOf((await valueOf(find({ ...plain, skip }))).documents)).to.deep.equal(
              expected.slice(skip, skip + limit),
            )
            for (const [i, { next }] of pages.entries()) {
              if (next === null) continue
              const start = (i + 1) * limit + skip
              const page = await valueOf(find({ ...plain, after: next, skip }))
              expect(idsOf(page.documents)).to.deep.equal(expected.slice(start, start + limit))
              expect(page.next === null).to.equal(start + limit >= expected.length)
            }
          }
        },
      ),
    )
  })
}
