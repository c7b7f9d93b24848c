import { expect } from 'chai'
import { describe, it } from 'mocha'
import { codes } from '../testing/index.js'
import { onlyWithFaults, type OnlyWith } from './only-with.js'

const onlyWith: OnlyWith = {
  attributes: ['speed', 'gears'],
  where: { attribute: 'kind', values: ['bike', 'car'] },
}

describe('attributes that need a value of another', () => {
  it('may have values if it has one of the values', () => {
    for (const kind of ['bike', 'car'])
      expect(onlyWithFaults(onlyWith, { kind, speed: 3, gears: '7' })).to.deep.equal([])
  })

  it('each have a fault if it has another value or none', () => {
    for (const kind of ['boat', null])
      expect(codes(onlyWithFaults(onlyWith, { kind, speed: 3, gears: '7' }))).to.deep.equal({
        speed: 'rule',
        gears: 'rule',
      })
  })

  it('may always be empty', () => {
    expect(onlyWithFaults(onlyWith, { kind: 'boat', speed: null, gears: '' })).to.deep.equal([])
    expect(onlyWithFaults(onlyWith, {})).to.deep.equal([])
  })
})
