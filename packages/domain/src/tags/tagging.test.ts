/** Tags are attached and detached, both idempotent (docs/behaviour/tags.md#taggings). */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import type { JsonObject } from '../json.js'
import { codes, later, now, valueContext, viewer } from '../testing/index.js'
import {
  predicateNames,
  acceptsPredicate,
  maxTaggings,
  taggedAs,
  taggingAttributes,
  taggingsOf,
} from './tag.js'
import {
  attachTag,
  detachTag,
  findTagging,
  hasMaxTaggings,
  filterTaggings,
  filtersForKind,
  taggedIndex,
  taggedKinds,
} from './tagging.js'
import { fieldsOf, parseCollectionQuery } from '../resource/collection-query.js'
import type { Filter } from '../resource/filter.js'
import type { Parameters } from '../resource/collection-filter.js'

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

// The list of the objects of a tag, made from the declarations of their kinds (docs/behaviour/tags.md#objects-of-a-tag).

const tag = '00000001-0000-4000-8000-000000000000'

const whereOf = (parameters: Parameters): readonly Filter[] => {
  const query = parseCollectionQuery(taggedIndex, parameters, viewer('editor'), true)
  return E.isRight(query) ? query.right.where : expect.fail(JSON.stringify(query.left))
}

/** The filters for objects of a kind, of which every attribute is a key. */
const filtersOf = (name: string, parameters: Parameters): readonly Filter[] | null => {
  const kind = taggedKinds.find((each) => each.name === name)
  if (kind === undefined) return expect.fail(name)
  const { type: _kind, ...keys } = kind.attributes
  return filtersForKind(kind, whereOf(parameters), (key) => Object.hasOwn(keys, key))
}

describe('the list of the objects of a tag', () => {
  it('has the fields, orders and filters of all kinds, and the kind as type', () => {
    for (const kind of taggedKinds) {
      expect([...fieldsOf(taggedIndex).keys()]).to.include.members([...fieldsOf(kind).keys()])
      expect(taggedIndex.orders).to.include(kind.orders)
      const { predicate: _inPath, ...filters } = kind.filters
      expect(taggedIndex.filters).to.include.keys(...Object.keys(filters), 'type')
    }
    expect(taggedIndex.filters).not.to.have.property('predicate')
  })

  it('has each filter of several kinds with the same keys', () => {
    for (const { filters, name } of taggedKinds)
      for (const [filter, { keys }] of Object.entries(filters))
        if (filter !== 'predicate' && filter !== 'type')
          expect(taggedIndex.filters[filter]?.keys, `${name} ${filter}`).to.deep.equal(keys)
  })

  it('has filters that objects of a kind meet, meet never, or may meet', () => {
    const type = 'location-file'
    expect(filtersOf('location', { type })).to.deep.equal([])
    expect(filtersOf('content', { type })).to.equal(null)
    expect(filtersOf('location', { type, closed: 'true' })).to.deep.equal(whereOf({ closed: 'true' }))
    expect(filtersOf('file', { type, closed: 'true' })).to.equal(null)
    expect(filtersOf('file', { closed: 'false' })).to.equal(null)
    expect(filtersOf('file', { tags: tag })).to.deep.equal(whereOf({ tags: tag }))
    expect(filtersOf('file', { created: '2026-01-01_', type })).to.deep.equal(
      whereOf({ created: '2026-01-01_' }),
    )
    expect(filtersOf('blog', { created: '2026-01-01_' })).to.equal(null)
  })

  it('has objects without a state as published ones', () => {
    for (const state of ['published', 'live']) {
      expect(filtersOf('file', { state })).to.deep.equal([])
      expect(filtersOf('location', { state })).to.deep.equal(whereOf({ state }))
    }
    expect(filtersOf('blog', { state: 'draft' })).to.equal(null)
  })

  it('has the groups of alternatives that objects of a kind may meet', () => {
    const [kind] = taggedKinds
    if (kind === undefined) return expect.fail('no kinds')
    const of = (...anyOf: Extract<Filter, { readonly anyOf: unknown }>['anyOf'][number][]) =>
      filtersForKind(kind, [{ anyOf }], (key) => key === 'a')
    const a = { key: 'a', equals: 1 }
    const never = { key: 'b', equals: 1 }
    const always = { key: 'b', equals: null }
    expect(of([a, never], [a])).to.deep.equal([{ anyOf: [[a]] }])
    expect(of([a, always], [never])).to.deep.equal([{ anyOf: [[a]] }])
    expect(of([a], [always])).to.deep.equal([])
    expect(of([never], [never, a])).to.equal(null)
    expect(of()).to.equal(null)
  })
})
