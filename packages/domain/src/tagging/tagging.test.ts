/** Tags are attached and detached, both idempotent (docs/behaviour/tags.md#taggings). */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import type { JsonObject } from '../json.js'
import { codes, later, now, valueContext } from '../testing/index.js'
import {
  predicateNames,
  acceptsPredicate,
  maxTaggings,
  taggedAs,
  taggingAttributes,
  taggingsOf,
} from './tagging-attributes.js'
import { attachTag, detachTag, findTagging, hasMaxTaggings, filterTaggings } from './tagging.js'

const wine = 'aaaaaaaa-0000-4000-8000-000000000001'
const ada = 'aaaaaaaa-0000-4000-8000-000000000002'
const article: JsonObject = { content_type: 'article', title: 'x', taggings: [] }

const attach = (state: JsonObject, tag: string, predicate: string, input: JsonObject = {}, at = now) =>
  attachTag('content', state, { tag, predicate }, input, { now: at, context: valueContext })

const attached = (state: JsonObject, tag: string, predicate: string, input: JsonObject = {}, at = now) => {
  const result = attach(state, tag, predicate, input, at)
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

const faults = (result: ReturnType<typeof attach>) => (E.isLeft(result) ? result.left : [])

describe('a tagging', () => {
  it('is created now by default', () => {
    expect(taggingsOf(attached(article, wine, 'describes'))).to.deep.equal([
      { tag: wine, predicate: 'describes', created: now },
    ])
    expect(
      findTagging(attached(article, wine, 'describes', { created: '2020-01-01' }), wine, 'describes'),
    ).to.include({
      created: '2020-01-01T00:00:00',
    })
  })

  it('accepts the bodies that clients send', () => {
    for (const input of [{}, { '': null }, { '': 'x' }, { created: null }, { unknown: 1 }])
      expect(taggingsOf(attached(article, wine, 'describes', input))).to.have.lengthOf(1)
  })

  it('is rejected with an invalid date, and with unknown attributes with strict handling', () => {
    expect(
      faults(attach(article, wine, 'describes', { created: 'soon' })).map(({ path }) => path),
    ).to.deep.equal(['created'])
    const strict = { now, context: { ...valueContext, strict: true } }
    const sent = (input: JsonObject) =>
      attachTag('content', article, { tag: wine, predicate: 'describes' }, input, strict)
    expect(faults(sent({ unknown: 1 })).map(({ path }) => path)).to.deep.equal(['unknown'])
    expect(E.isRight(sent({ '': null }))).to.equal(true)
  })

  it('that exists changes only if a date is sent', () => {
    const once = attached(article, wine, 'describes')
    expect(attached(once, wine, 'describes', {}, later)).to.deep.equal(once)
    const dated = attached(once, wine, 'describes', { created: '2020-01-01T10:00' }, later)
    expect(taggingsOf(dated)).to.deep.equal([
      { tag: wine, predicate: 'describes', created: '2020-01-01T10:00:00' },
    ])
  })

  it('is rejected if the kind of object does not accept the predicate', () => {
    for (const predicate of predicateNames)
      expect(E.isRight(attach(article, wine, predicate)), predicate).to.equal(
        acceptsPredicate(predicate, 'content', article),
      )
    for (const predicate of ['likes', 'toString', '', 'photographed'])
      expect(faults(attach(article, wine, predicate)).map(({ path }) => path)).to.deep.equal(['predicate'])
  })

  it('is one of at most 500 on one object', () => {
    const tags = Array.from({ length: maxTaggings }, (_, index) => `tag ${index}`)
    const full = {
      ...article,
      taggings: tags.map((tag) => ({ tag, predicate: 'describes', created: now })),
    }
    expect(codes(faults(attach(full, wine, 'describes')))).to.deep.equal({ tag: 'limit' })
    expect(attached(full, 'tag 7', 'describes')).to.deep.equal(full)
    expect(hasMaxTaggings(full)).to.equal(true)
    expect(hasMaxTaggings(detachTag(full, 'tag 7', 'describes'))).to.equal(false)
    expect(E.isRight(attach(detachTag(full, 'tag 7', 'describes'), wine, 'describes'))).to.equal(true)
  })

  it('is detached alone, or with all others of a tag', () => {
    const state = attached(attached(attached(article, ada, 'authored'), ada, 'edited'), wine, 'describes')
    expect(taggingsOf(detachTag(state, ada, 'authored')).map(({ predicate }) => predicate)).to.deep.equal([
      'edited',
      'describes',
    ])
    const withoutAda = (from: JsonObject) => taggingsOf(filterTaggings(from, (tag) => tag !== ada))
    expect(withoutAda(state).map(({ tag }) => tag)).to.deep.equal([wine])
    expect(withoutAda({})).to.deep.equal([])
  })

  it('behaves like a set of tags and predicates in insertion order', () => {
    const pairs = fc.record({
      tag: fc.constantFrom(wine, ada),
      predicate: fc.constantFrom('describes', 'authored', 'edited'),
    })
    const step = fc.record({ kind: fc.constantFrom('attach', 'detach', 'forget'), pair: pairs })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let state = article
        const model = new Set<string>()
        for (const { kind, pair } of steps) {
          const { tag, predicate } = pair
          const text = taggedAs(predicate, tag)
          if (kind === 'attach') {
            state = attached(state, tag, predicate)
            model.add(text)
          } else if (kind === 'detach') {
            state = detachTag(state, tag, predicate)
            model.delete(text)
          } else {
            state = filterTaggings(state, (each) => each !== tag)
            for (const each of model) if (each.endsWith(tag)) model.delete(each)
          }
          expect(taggingAttributes.tagged_as.compute(state)).to.deep.equal([...model])
          expect(taggingAttributes.tagged.compute(state)).to.deep.equal([
            ...new Set([...model].map((each) => each.split(' ')[1])),
          ])
          const { taggings: _taggings, ...rest } = state
          expect(rest).to.deep.equal({ content_type: 'article', title: 'x' })
        }
      }),
    )
  })
})
