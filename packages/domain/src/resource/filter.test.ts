/** The result of a filter on one state is that of a store: compared with a simple model, case by case. */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import type { Json } from '../json.js'
import { anyCharacter } from '../testing/legal-markup.js'
import { matchesFilter, type Filter, type KeyFilter } from './filter.js'

type Bound = string | number

/** Absent, null and the empty text are the one least value. */
const plain = (value: Json | undefined): Json => (value === undefined || value === '' ? null : value)

const codePoints = (text: string): readonly number[] => [...text].map((each) => each.codePointAt(0) ?? 0)

/** Below zero if a is first, null if the two cannot be compared. */
const order = (a: Json, b: Json): number | null => {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a !== 'string' || typeof b !== 'string') return null
  const [left, right] = [codePoints(a), codePoints(b)]
  const at = left.findIndex((code, index) => code !== right[index])
  return at === -1 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1)
}

const model = (filter: Filter, value: Json | undefined): boolean => {
  if ('anyOf' in filter)
    return filter.anyOf.map((group) => group.every((each) => model(each, value))).includes(true)
  if ('has' in filter) return Array.isArray(value) && value.some((each) => each === filter.has)
  if ('hasIn' in filter) {
    const { atLeast, below, endsAbove } = filter.hasIn
    return (
      Array.isArray(value) &&
      value.some(
        (each) =>
          typeof each === 'string' &&
          each !== '' &&
          (order(each, plain(atLeast)) ?? 0) >= 0 &&
          (order(each, plain(below)) ?? 0) < 0 &&
          (endsAbove === undefined || (order(plain(/ (.*)$/s.exec(each)?.[1]), plain(endsAbove)) ?? 0) > 0),
      )
    )
  }
  if ('hasNone' in filter)
    return filter.hasNone.every((text) => text === '' || !model({ key: '', has: text }, value))
  const found = plain(value)
  if ('equals' in filter) return found === plain(filter.equals)
  if ('oneOf' in filter) return filter.oneOf.map(plain).includes(found)
  const holds = (bound: Bound | undefined, test: (difference: number) => boolean): boolean => {
    if (bound === undefined) return true
    const difference = order(found, plain(bound))
    return difference !== null && test(difference)
  }
  return (
    holds(filter.atLeast, (difference) => difference >= 0) &&
    holds(filter.above, (difference) => difference > 0) &&
    holds(filter.below, (difference) => difference < 0) &&
    holds(filter.atMost, (difference) => difference <= 0)
  )
}

const text = fc.oneof(
  fc.constantFrom('', 'a', 'ab', 'b', '0', '5', '2026-01-01', '2026-01-01T00:00:00', '\uffee', '\u{1f600}'),
  fc.string({ unit: anyCharacter, maxLength: 3 }),
)
const number = fc.oneof(fc.integer({ min: -3, max: 6 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
const value: fc.Arbitrary<Json> = fc.oneof(text, number, fc.boolean(), fc.constant(null))
const bound: fc.Arbitrary<Bound> = fc.oneof(text, number)

/** Values of a document under the key: also lists, of texts and of other values. */
const holding: fc.Arbitrary<Json | undefined> = fc.oneof(
  value,
  fc.constant(undefined),
  fc.array(fc.oneof(text, value, fc.constant(['a'])), { maxLength: 3 }),
  fc.constant({ a: 'a' }),
)

const keyFilter: fc.Arbitrary<KeyFilter> = fc.oneof(
  value.map((equals) => ({ key: 'a', equals })),
  fc.array(value, { maxLength: 4 }).map((oneOf) => ({ key: 'a', oneOf })),
  fc.constantFrom('a', 'b', 'ab', '5').map((has) => ({ key: 'a', has })),
  fc.array(text, { maxLength: 3 }).map((hasNone) => ({ key: 'a', hasNone })),
  fc
    .record(
      { atLeast: text, below: text, endsAbove: text },
      { requiredKeys: ['atLeast', 'below'], noNullPrototype: true },
    )
    .map((hasIn) => ({ key: 'a', hasIn })),
  fc.record(
    { key: fc.constant('a'), atLeast: bound, above: bound, below: bound, atMost: bound },
    { requiredKeys: ['key'], noNullPrototype: true },
  ),
)

const filter: fc.Arbitrary<Filter> = fc.oneof(
  keyFilter,
  fc.array(fc.array(keyFilter, { maxLength: 3 }), { maxLength: 3 }).map((anyOf) => ({ anyOf })),
)

describe('meets', () => {
  it('agrees with the model for any value and filter', () => {
    fc.assert(
      fc.property(filter, holding, (each, held) => {
        expect(matchesFilter(each, held === undefined ? {} : { a: held })).to.equal(model(each, held))
      }),
      { numRuns: 3000 },
    )
  })

  it('reads only its key', () => {
    expect(matchesFilter({ key: 'a', equals: 1 }, { b: 1 })).to.equal(false)
    expect(matchesFilter({ key: 'a', equals: null }, { b: 1 })).to.equal(true)
  })

  it('excludes absent values from a range with a start, and includes them in a range with only an end', () => {
    expect(matchesFilter({ key: 'a', atLeast: '0' }, { a: null })).to.equal(false)
    expect(matchesFilter({ key: 'a', below: '2026-01-01' }, { a: '' })).to.equal(true)
  })

  it('excludes the bound from a range above it, and absent values from a range above the empty text', () => {
    expect(matchesFilter({ key: 'a', above: 1 }, { a: 1 })).to.equal(false)
    expect(matchesFilter({ key: 'a', above: 1 }, { a: 1.5 })).to.equal(true)
    expect(matchesFilter({ key: 'a', above: '' }, { a: null })).to.equal(false)
    expect(matchesFilter({ key: 'a', above: '' }, { a: ' ' })).to.equal(true)
  })

  it('finds a text in a list of texts, and not in other values', () => {
    expect(matchesFilter({ key: 'a', has: 'x' }, { a: ['w', 'x', 'x'] })).to.equal(true)
    for (const held of ['x', { x: 'x' }, [['x']], [{ x: 'x' }], ['X', 'xx', ''], [], null])
      expect(matchesFilter({ key: 'a', has: 'x' }, { a: held }), JSON.stringify(held)).to.equal(false)
    expect(matchesFilter({ key: 'a', has: '1' }, { a: [1] })).to.equal(false)
    expect(matchesFilter({ key: 'a', has: 'x' }, {})).to.equal(false)
  })

  it('needs all conditions of one group; an empty group is met, an empty list of groups is not', () => {
    const anyOf = [
      [
        { key: 'a', has: 'x' },
        { key: 'b', above: 1 },
      ],
      [{ key: 'b', equals: null }],
    ]
    expect(matchesFilter({ anyOf }, { a: ['x'], b: 2 })).to.equal(true)
    expect(matchesFilter({ anyOf }, { a: ['x'], b: 1 })).to.equal(false)
    expect(matchesFilter({ anyOf }, { a: [] })).to.equal(true)
    expect(matchesFilter({ anyOf: [...anyOf, []] }, { a: ['x'], b: 1 })).to.equal(true)
    expect(matchesFilter({ anyOf: [] }, {})).to.equal(false)
  })
})
