import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { JsonObject } from '../json.js'
import { messages, codes } from '../testing/index.js'
import { integer } from '../value/scalar.js'
import { text } from '../value/text.js'
import { stored } from './attribute.js'
import { needFaults, type Need, onlyWithFaults } from './attribute-tables.js'

const needs: readonly Need[] = [
  { variant: 'letter', oneOf: ['street', 'box'] },
  { variant: 'call', where: { attribute: 'by', values: ['phone', 'fax'] }, oneOf: ['number'] },
  { variant: 'call', where: { attribute: 'by', values: ['relay'] }, oneOf: ['numbers'] },
]

const faultsOf = (state: JsonObject) => messages(needFaults(needs, 'kind', state))

describe('what a variant needs', () => {
  it('is at least one of some attributes, with the fault at the first', () => {
    expect(faultsOf({ kind: 'letter' })).to.deep.equal({
      street: 'is required for kind letter, unless box is sent',
    })
    for (const one of ['street', 'box']) expect(faultsOf({ kind: 'letter', [one]: 'x' })).to.deep.equal({})
  })

  it('can depend on the value of another attribute', () => {
    for (const by of ['phone', 'fax']) {
      expect(faultsOf({ kind: 'call', by })).to.deep.equal({ number: `is required for ${by}` })
      expect(faultsOf({ kind: 'call', by, number: '1' })).to.deep.equal({})
    }
    expect(faultsOf({ kind: 'call', by: 'relay', number: '1' })).to.deep.equal({
      numbers: 'is required for relay',
    })
    expect(faultsOf({ kind: 'call', by: 'pigeon' })).to.deep.equal({})
  })

  it('is missing if it is null or an empty list', () => {
    expect(faultsOf({ kind: 'letter', street: null })).to.have.all.keys('street')
    expect(faultsOf({ kind: 'call', by: 'relay', numbers: [] })).to.deep.equal({
      numbers: 'must not be empty for relay',
    })
    expect(faultsOf({ kind: 'call', by: 'relay', numbers: ['1'] })).to.deep.equal({})
  })

  it('does not apply to other variants', () => {
    expect(faultsOf({ kind: 'visit' })).to.deep.equal({})
    expect(faultsOf({})).to.deep.equal({})
  })
})

const byEngine = { onlyWith: { attribute: 'kind', values: ['bike', 'car'] } } as const
const driven = {
  kind: stored(text({ max: 9 }), 'The kind.'),
  speed: stored(integer({ min: 0, max: 9 }), 'The speed.', byEngine),
  gears: stored(text({ max: 9 }), 'The gears.', byEngine),
}

describe('attributes that need a value of another', () => {
  it('may have values if it has one of the values', () => {
    for (const kind of ['bike', 'car'])
      expect(onlyWithFaults(driven, { kind, speed: 3, gears: '7' })).to.deep.equal([])
  })

  it('each have a fault if it has another value or none', () => {
    for (const kind of ['boat', null])
      expect(codes(onlyWithFaults(driven, { kind, speed: 3, gears: '7' }))).to.deep.equal({
        speed: 'rule',
        gears: 'rule',
      })
  })

  it('may always be empty', () => {
    expect(onlyWithFaults(driven, { kind: 'boat', speed: null, gears: '' })).to.deep.equal([])
    expect(onlyWithFaults(driven, {})).to.deep.equal([])
  })
})
