import { expect } from 'chai'
import { describe, it } from 'mocha'
import { content } from '../content/content.js'
import { fault, type Fault } from '../fault.js'
import type { JsonObject } from '../json.js'
import { attributesWithout, itemsWithout, namedAttributes } from './left-out.js'

const taken = fault('urlname', 'taken', 'is taken')

describe('attributesWithout', () => {
  const without = (attributes: JsonObject, ...faults: readonly Fault[]) =>
    attributesWithout(content, namedAttributes(attributes), faults)

  it('leaves out attributes that have a fault, with a note for each', () => {
    const reduced = without(
      { title: 'A', issued: 'x', rrule: {} },
      fault('issued', 'format', 'a'),
      fault('rrule.freq', 'required', 'b'),
      fault('rrule.count', 'range', 'c'),
    )
    expect(reduced?.rest.attributes).to.deep.equal({ title: 'A' })
    expect(reduced?.notes.map(({ kind }) => kind)).to.deep.equal(['attribute', 'attribute'])
  })

  it('leaves out no body, nothing that is required, and nothing that was not sent', () => {
    const attributes = { title: '', content: '<p>' }
    for (const path of ['title', 'content', 'urlname', 'dtstart'])
      expect(without(attributes, fault(path, 'format', 'a')), path).to.equal(null)
  })

  it('numbers a urlname that is taken, and makes one of another text', () => {
    const names: string[] = []
    let named = namedAttributes({ urlname: 'part-2' })
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const reduced = attributesWithout(content, named, [taken])
      if (reduced === null) throw new Error('no urlname')
      named = reduced.rest
      names.push(String(named.attributes['urlname']))
    }
    expect(names).to.deep.equal(['part-2-2', 'part-2-3', 'part-2-4'])
    const long = without({ urlname: 'a'.repeat(255) }, taken)
    expect(String(long?.rest.attributes['urlname'])).to.match(/^a+-2$/)
    expect(without({ urlname: 'Ü b' }, fault('urlname', 'format', 'a'))?.rest.name).to.equal('U-b')
    expect(without({ urlname: '' }, fault('urlname', 'format', 'a'))).to.equal(null)
  })
})

describe('itemsWithout', () => {
  it('leaves out items that have a fault, and nothing if the list has one', () => {
    const items = [{ a: 1 }, { a: 2 }, { a: 3 }]
    const reduced = itemsWithout('the list', items, [
      fault('items.1.a', 'type', 'x'),
      fault('items.1.b', 'type', 'y'),
    ])
    expect(reduced?.rest).to.deep.equal([{ a: 1 }, { a: 3 }])
    expect(reduced?.notes).to.have.lengthOf(1)
    expect(itemsWithout('the list', items, [fault('items', 'limit', 'x')])).to.equal(null)
  })
})
