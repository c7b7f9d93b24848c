import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import type { KeyValue } from '@publishing-service/ports'
import {
  storedGroupCounts,
  findStoredGroupCount,
  listIn,
  groupCountRange,
  groupCountText,
} from './stored-group-count.js'

const texts = fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 3 })
const value: fc.Arbitrary<KeyValue> = fc.oneof(
  fc.constantFrom('', '"', ',', '[', ']', '\\', null, true, false, 0, 1, 1.5, 10),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
)

/** As MongoDB compares: by the bytes of UTF-8. */
const isWithin = (text: string, [from, to]: readonly [string, string]): boolean =>
  Buffer.compare(Buffer.from(text), Buffer.from(from)) >= 0 &&
  Buffer.compare(Buffer.from(text), Buffer.from(to)) < 0

describe('keptTallies', () => {
  it('stores the longest of those with the same first values, and each other one once', () => {
    const declared = [
      { key: 'tags', within: [] },
      { key: 'tags', within: ['state', 'type'] },
      { key: 'tags', within: ['state'] },
      { key: 'tags', within: ['type'] },
      { key: 'tags', within: ['type'] },
      { key: 'places', within: [] },
    ]
    expect(storedGroupCounts(declared).map(({ name }) => name)).to.deep.equal([
      'tags-state-type',
      'tags-type',
      'places',
    ])
  })

  it('are found for each declared one, with keys in any order, and for no other', () => {
    const kept = storedGroupCounts([
      { key: 'tags', within: ['state'] },
      { key: 'tags', within: ['state', 'type'] },
    ])
    expect(findStoredGroupCount(kept, 'tags', ['type', 'state'])).to.deep.equal({
      name: 'tags-state-type',
      within: ['state', 'type'],
    })
    expect(findStoredGroupCount(kept, 'tags', ['state'])).to.deep.equal({
      name: 'tags-state-type',
      within: ['state'],
    })
    expect(findStoredGroupCount(kept, 'tags', ['type'])).to.equal(null)
    expect(findStoredGroupCount(kept, 'places', [])).to.equal(null)
  })
})

describe('tallyRange', () => {
  it('contains the texts that begin with the values, and no other', () => {
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 3 }),
        fc.array(value, { maxLength: 3 }),
        texts,
        (asked, held, list) => {
          const begins = asked.length <= held.length && asked.every((each, i) => Object.is(each, held[i]))
          expect(isWithin(groupCountText(held, list), groupCountRange(asked))).to.equal(begins)
          expect(listIn(groupCountText(held, list))).to.deep.equal(list)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('contains texts that begin with the values', () => {
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 3 }),
        fc.array(value, { maxLength: 2 }),
        texts,
        (asked, more, list) => {
          expect(isWithin(groupCountText([...asked, ...more], list), groupCountRange(asked))).to.equal(true)
        },
      ),
    )
  })
})
