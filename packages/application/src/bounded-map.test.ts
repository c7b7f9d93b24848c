import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { createBoundedMap } from './bounded-map.js'

describe('a bounded map', () => {
  it('holds what was used last, and no more than its limit', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.tuple(fc.constantFrom('get', 'set', 'delete'), fc.nat(7))),
        (limit, steps) => {
          const map = createBoundedMap<number, string>(limit)
          let model: readonly number[] = []
          for (const [what, key] of steps) {
            const without = model.filter((each) => each !== key)
            if (what === 'get') {
              expect(map.get(key)).to.equal(model.includes(key) ? `value ${key}` : undefined)
              if (model.includes(key)) model = [...without, key]
            } else if (what === 'set') {
              map.set(key, `value ${key}`)
              model = [...without, key].slice(-limit)
            } else {
              map.delete(key)
              model = without
            }
          }
          for (let key = 0; key < 8; key += 1)
            expect(map.get(key)).to.equal(model.includes(key) ? `value ${key}` : undefined)
        },
      ),
    ))
})
