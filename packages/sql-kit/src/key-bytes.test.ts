import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { compareKeyValues, type KeyValue } from '@publishing-service/ports'
import { keyBytes, keyFrom } from './statement.js'

const texts = fc.string({ unit: 'binary', minLength: 1 }).map((text) => text.toWellFormed())
// Keys have no -0.
const numbers = fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0)

const kinds = [
  ['text', texts],
  ['number', numbers],
  ['boolean', fc.boolean()],
] as const

describe('the bytes of keys', () => {
  for (const [type, values] of kinds) {
    const value: fc.Arbitrary<KeyValue> = fc.oneof(values, fc.constant(null))

    it(`${type}: are in the order of the values`, () => {
      fc.assert(
        fc.property(value, value, (a, b) => {
          const order = Buffer.compare(keyBytes(a), keyBytes(b))
          expect(Math.sign(order)).to.equal(Math.sign(compareKeyValues(a, b)))
        }),
      )
    })

    it(`${type}: are read back as the value`, () => {
      fc.assert(fc.property(value, (each) => Object.is(keyFrom(type, keyBytes(each)), each)))
    })
  }
})
