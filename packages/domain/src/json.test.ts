/** Equality of JSON: what decides whether a write changes anything. */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { isJsonObject, jsonEqual, type Json } from './json.js'

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>

const sorted = (value: Json): Json => {
  if (Array.isArray(value)) return value.map((each: Json) => sorted(each))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  )
}

describe('jsonEqual', () => {
  it('agrees with the texts of values whose keys are sorted', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(jsonEqual(a, b)).to.equal(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)))
      }),
    )
  })

  it('finds a copy equal, with its keys in another order too', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(jsonEqual(value, JSON.parse(JSON.stringify(value)) as Json)).to.equal(true)
        expect(jsonEqual(value, sorted(value))).to.equal(true)
      }),
    )
  })

  it('distinguishes lists from objects, null from absent, and own keys from inherited ones', () => {
    expect(jsonEqual([], {})).to.equal(false)
    expect(jsonEqual({ a: null }, {})).to.equal(false)
    expect(jsonEqual({ a: null }, { b: null })).to.equal(false)
    expect(jsonEqual([1, 2], [2, 1])).to.equal(false)
    expect(jsonEqual(JSON.parse('{"__proto__": 1}') as Json, { toString: 1 })).to.equal(false)
    expect(jsonEqual({ toString: 1 }, { valueOf: 1 })).to.equal(false)
  })
})
