import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import type { Json } from '../json.js'
import { kindsOf, stateOf } from '../testing/arbitraries.js'
import { oneOf } from '../value/scalar.js'
import { listOf } from '../value/record.js'
import { text } from '../value/text.js'
import { stored } from './attribute.js'
import { resources } from './resources.js'
import { storedTest } from './attribute-tables.js'

const others: readonly Json[] = ['a text', 42, true, [], {}]

/** What JSON a value is, as far as types differ in it. */
const kindOf = (value: Json): string => (Array.isArray(value) ? 'list' : typeof value)

describe('the test of stored states', () => {
  for (const resource of resources) {
    const { collection, attributes } = resource
    const isStored = storedTest(attributes)
    for (const { name, variant } of kindsOf(resource))
      it(`accepts what is stored of ${collection}: ${name}, and no other type of JSON`, () => {
        fc.assert(
          fc.property(stateOf(resource, variant), (state) => {
            expect(isStored(state)).to.equal(true)
            for (const [key, value] of Object.entries(state)) {
              if (value === null || attributes[key] === undefined) continue
              for (const other of others)
                if (kindOf(other) !== kindOf(value))
                  expect(isStored({ ...state, [key]: other }), `${key}: ${JSON.stringify(other)}`).to.equal(
                    false,
                  )
            }
          }),
          { numRuns: 3 },
        )
      })
  }

  const table = {
    colour: stored(oneOf(['red', 'blue']), 'Colour.'),
    names: stored(listOf(text({ max: 2 }), 2), 'Names.', { required: true }),
  }

  it('accepts absent, null and unknown attributes, and any length', () => {
    const isStored = storedTest(table)
    for (const state of [{}, { names: null }, { shade: 7 }, { names: ['longer', 'b', 'c'] }])
      expect(isStored(state), JSON.stringify(state)).to.equal(true)
  })

  it('checks words unless only types matter', () => {
    expect(storedTest(table)({ colour: 'green' })).to.equal(false)
    expect(storedTest(table, 'types')({ colour: 'green' })).to.equal(true)
    expect(storedTest(table, 'types')({ names: ['a', 1] })).to.equal(false)
  })
})
