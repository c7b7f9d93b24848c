/** The parameters of a collection, and the faults of all invalid ones (docs/behaviour/collections.md). */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { toBase64url } from '../base64url.js'
import { content } from '../content/content.js'
import { file } from '../files/file.js'
import { E } from '../fp.js'
import { instanceIndex } from '../instances/instance-index.js'
import type { Role } from '../role/permissions.js'
import { section } from '../sections/section.js'
import { messages, now, viewer } from '../testing/index.js'
import {
  fieldsOf,
  pageLimits,
  parseCollectionQuery,
  type CollectionQuery,
  type Queryable,
} from './collection-query.js'
import type { Filter } from './filter.js'
import type { Parameters } from './collection-filter.js'
import { placeText } from './listing.js'
import { resources } from './resources.js'

const as = (role: Role) => viewer(role)

const ask = (
  resource: Queryable,
  parameters: Parameters,
  role: Role = 'editor',
  strict = false,
): CollectionQuery => {
  const result = parseCollectionQuery(resource, parameters, as(role), strict)
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

const faultsOf = (resource: Queryable, parameters: Parameters, role: Role = 'editor', strict = false) => {
  const result = parseCollectionQuery(resource, parameters, as(role), strict)
  return E.isLeft(result) ? messages(result.left) : {}
}

const faultyNames = (
  resource: Queryable,
  parameters: Parameters,
  role: Role = 'editor',
  strict = false,
): readonly string[] => Object.keys(faultsOf(resource, parameters, role, strict))

const first = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'
const second = '00000000-0000-4000-8000-000000000000'

describe('fields', () => {
  it('default to url', () => {
    expect(ask(content, {})).to.deep.equal({
      fields: ['url'],
      include: [],
      restrictions: {},
      test: null,
      counting: null,
      where: [],
      order: [],
      sequence: [],
      nearestTo: null,
      page: 1,
      rpp: 20,
      after: null,
    })
  })

  it('are separated by hyphens or commas, in the order of the row, and may be repeated', () => {
    expect(ask(section, { fields: 'urlname-title,url-title' }).fields).to.deep.equal([
      'urlname',
      'title',
      'url',
      'title',
    ])
  })

  it('have their documented names, older ones included', () => {
    const named = 'hide_in_nav-ord-parentid-title-url-urlname-uuid'
    expect(ask(section, { fields: named }).fields).to.deep.equal([
      'hide_in_nav',
      'ord',
      'parent_uuid',
      'title',
      'url',
      'urlname',
      'uuid',
    ])
    expect(ask(file, { fields: 'title-url-mimetype-filename' }).fields).to.have.lengthOf(4)
  })

  it('can be any fields of every resource', () => {
    for (const resource of resources) {
      const names = [...fieldsOf(resource).keys()]
      fc.assert(
        fc.property(
          fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 9 }),
          fc.constantFrom('-', ','),
          (wanted, separator) => {
            expect(ask(resource, { fields: wanted.join(separator) }).fields).to.deep.equal(
              wanted.map((name) => fieldsOf(resource).get(name)),
            )
          },
        ),
        { numRuns: 20 },
      )
    }
  })

  it('are the attributes that are returned for one object, never internal or computed ones', () => {
    for (const name of [
      'slots',
      'placed_slots',
      'live_from',
      'title_order',
      'taggings',
      'toString',
      '__proto__',
      '',
    ])
      expect(faultyNames(content, { fields: name }), name).to.deep.equal(['fields'])
    for (const resource of resources)
      expect([...fieldsOf(resource).keys()]).to.include.members(
        Object.entries(resource.attributes).flatMap(([name, attribute]) =>
          attribute.kind === 'computed' || (attribute.kind === 'stored' && attribute.internal) ? [] : [name],
        ),
      )
    for (const name of ['blob', 'sha256', 'upload'])
      expect(faultyNames(file, { fields: name })).to.deep.equal(['fields'])
  })

  it('that are unknown are reported, with a list of all fields', () => {
    const { fields } = faultsOf(section, { fields: 'title-nope-neither' })
    expect(fields).to.contain('unknown names «nope», «neither»').and.to.contain('hide_in_nav')
    expect(faultsOf(section, { fields: 'x'.repeat(10_000) })['fields']?.length).to.be.below(1000)
    expect(faultsOf(section, { fields: 'a-'.repeat(10_000) })['fields']?.length).to.be.below(1000)
  })

  it('are at most 200', () => {
    expect(faultyNames(section, { fields: Array(201).fill('url').join('-') })).to.deep.equal(['fields'])
  })
})

describe('order', () => {
  it('is a list of options with a direction, ascending by default', () => {
    expect(ask(section, { order: 'urlname' }).order).to.deep.equal([{ key: 'urlname', direction: 'asc' }])
    expect(ask(section, { order: 'ord.desc-title.asc,urlname' }).order).to.deep.equal([
      { key: 'ord', direction: 'desc' },
      { key: 'title_order', direction: 'asc' },
      { key: 'urlname', direction: 'asc' },
    ])
  })

  it('uses the first direction of a repeated option', () => {
    expect(ask(section, { order: 'title.desc-title.asc' }).order).to.deep.equal([
      { key: 'title_order', direction: 'desc' },
    ])
  })

  it('accepts every option of every resource', () => {
    for (const resource of resources)
      for (const option of Object.keys(resource.orders))
        for (const direction of ['', '.asc', '.desc'])
          expect(ask(resource, { order: `${option}${direction}` }).order).to.have.lengthOf(1)
  })

  for (const order of [
    '',
    'nope',
    'title.',
    'title.up',
    'title.asc.desc',
    'TITLE',
    'title.ASC',
    'toString',
    '__proto__',
    'title--ord',
  ])
    it(`rejects «${order}»`, () => {
      expect(faultyNames(section, { order })).to.deep.equal(['order'])
    })
})

describe('an option of a subcollection', () => {
  const dtstart = { dtstart: '2026-01-01_' }

  it('is accepted if a filter selects the subcollection', () => {
    for (const ctypes of ['events', 'events-events']) {
      const { order, where } = ask(content, { ...dtstart, ctypes, order: 'dtstart.desc-sort_title' })
      expect(order).to.deep.equal([
        { key: 'dtstart', direction: 'desc' },
        { key: 'sort_title_order', direction: 'asc' },
      ])
      expect(where).to.deep.include({ key: 'dtstart', atLeast: '2026-01-01T00:00:00' })
    }
  })

  it('is a fault otherwise, with the filter in the message', () => {
    for (const parameters of [
      {},
      { ctypes: 'articles' },
      { ctypes: 'events-articles' },
      { ctypes: ['events'] },
    ])
      for (const asked of [{ order: 'title-dtstart' }, dtstart]) {
        const faults = faultsOf(content, { ...parameters, ...asked })
        expect(faults[Object.keys(asked)[0] ?? '']).to.match(/needs ctypes=events$/)
      }
    expect(faultyNames(section, { order: 'dtstart' })).to.deep.equal(['order'])
  })

  it('is a known parameter for strict handling', () => {
    expect(faultyNames(content, { ...dtstart, ctypes: 'events', x: '1' }, 'editor', true)).to.deep.equal([
      'x',
    ])
    expect(faultyNames(section, dtstart, 'editor', true)).to.deep.equal(['dtstart'])
  })
})

describe('page and rpp', () => {
  it('are whole numbers from 1, rpp to 100', () => {
    expect(ask(section, { page: '7', rpp: '100' })).to.include({ page: 7, rpp: 100 })
    expect(ask(section, { page: '1000000000' }).page).to.equal(pageLimits.maxPage)
    for (const wrong of ['', '0', '-1', '1.5', '1e2', '0x10', ' 1', '1 ', 'x', '9999999999999999999', '٣'])
      expect(faultyNames(section, { page: wrong, rpp: wrong }), wrong).to.have.members(['page', 'rpp'])
    expect(faultyNames(section, { rpp: '101' })).to.deep.equal(['rpp'])
  })

  it('start at the place of a link, which needs no escape', () => {
    const after = placeText(7, [['é"&=', 7], null])
    expect(after).to.match(/^[A-Za-z0-9_-]+$/)
    expect(ask(section, { after })).to.deep.include({ page: 7, after: [['é"&=', 7], null] })
    expect(ask(section, { after, page: '7' }).after).to.deep.equal([['é"&=', 7], null])
    const json = [
      '',
      'x',
      '7',
      '[]',
      '[7, null, null]',
      '[0, 1, null]',
      '[1.5, 1, null]',
      '["7", 1, null]',
      '[7, 1, 2, 3]',
      '{"0": 7, "1": 1}',
      `[7, "${'x'.repeat(20_000)}"]`,
    ]
    for (const wrong of ['[["a", 7], null]', `${after}=`, `${after}%3D`, '_w', ...json.map(toBase64url)])
      expect(faultyNames(section, { after: wrong }), wrong.slice(0, 20)).to.deep.equal(['after'])
  })

  it('do not start at the place of another page', () => {
    const after = placeText(7, [['a', 7], null])
    expect(ask(section, { after, page: '8' })).to.include({ page: 8, after: null })
  })
})

describe('any parameter', () => {
  it('must be sent only once', () => {
    for (const name of ['fields', 'order', 'page', 'rpp', 'parent'])
      expect(faultsOf(section, { [name]: ['a', 'a'] })).to.deep.equal({ [name]: 'must be sent only once' })
  })

  it('that is faulty is reported together with all others', () => {
    const asked = {
      fields: 'x',
      order: 'x',
      page: 'x',
      rpp: 'x',
      state: 'x',
      issued: 'x',
      ctypes: 'x',
      sections: 'x',
    }
    expect(faultyNames(content, asked)).to.have.members(Object.keys(asked))
  })

  it('that is unknown is ignored, but a fault with strict handling', () => {
    const hostile = JSON.parse('{"nope": "1", "__proto__": "2", "toString": "3", "page": "2"}') as Parameters
    expect(ask(section, hostile)).to.include({ page: 2 })
    expect(faultyNames(section, hostile, 'editor', true)).to.have.members(['nope', '__proto__', 'toString'])
    expect(
      faultyNames(
        content,
        { state: 'live', fields: 'url', order: 'title', page: '1', rpp: '1' },
        'editor',
        true,
      ),
    ).to.deep.equal([])
  })
})

const keysOf = (filter: Filter): readonly string[] =>
  'anyOf' in filter ? filter.anyOf.flatMap((group) => group.map(({ key }) => key)) : [filter.key]

describe('filters', () => {
  const whereOf = (resource: Queryable, parameters: Parameters, role?: Role) =>
    ask(resource, parameters, role).where

  it('by UUIDs accept several separated by underscores, in either case, and words', () => {
    expect(whereOf(section, { parent: `root_${first.toUpperCase()}` })).to.deep.equal([
      { key: 'parent_uuid', oneOf: [null, first] },
    ])
    expect(whereOf(content, { sections: `${first}_${second}` })).to.deep.equal([
      { key: 'section_uuid', oneOf: [first, second] },
    ])
    for (const wrong of ['', 'x', `${first}-${second}`, `${first}_`, 'ROOT', 'toString'])
      expect(faultyNames(section, { parent: wrong }), wrong).to.deep.equal(['parent'])
    expect(faultyNames(content, { sections: 'root' })).to.deep.equal(['sections'])
    expect(faultyNames(section, { parent: Array(101).fill(first).join('_') })).to.deep.equal(['parent'])
  })

  it('by content type accept plural names, including groups', () => {
    expect(whereOf(content, { ctypes: 'articles-roundups,reviews_album' })).to.deep.equal([
      { key: 'content_type', oneOf: ['article', 'roundup_location', 'roundup_content', 'review_album'] },
    ])
    expect(whereOf(content, { ctypes: 'reviews-reviews_book' })).to.deep.equal([
      {
        key: 'content_type',
        oneOf: ['review_album', 'review_book', 'review_product', 'review_movie', 'review_location'],
      },
    ])
    for (const wrong of ['', 'article', 'articles-', 'toString'])
      expect(faultyNames(content, { ctypes: wrong })).to.deep.equal(['ctypes'])
  })

  it('by period include its start but not its end, and no objects without a date', () => {
    expect(whereOf(content, { issued: '2026-01-01_2026-02-01T10:30' })).to.deep.equal([
      { key: 'issued', atLeast: '2026-01-01T00:00:00', below: '2026-02-01T10:30:00' },
    ])
    expect(whereOf(content, { created: '_2026-02-01' })).to.deep.equal([
      { key: 'created', atLeast: '0', below: '2026-02-01T00:00:00' },
    ])
    expect(whereOf(content, { modified: '2026-02-01_' })).to.deep.equal([
      { key: 'modified', atLeast: '2026-02-01T00:00:00' },
    ])
    for (const wrong of ['', '2026-01-01', '2026-02-30_', 'x_y', '2026-01-01_2026-01-02_2026-01-03'])
      expect(faultyNames(content, { issued: wrong }), wrong).to.deep.equal(['issued'])
  })

  it('by state accept live, published and draft; public_user only live', () => {
    const live = { key: 'live_from', above: '', atMost: now }
    expect(whereOf(content, { state: 'live' })).to.deep.equal([live])
    expect(whereOf(content, { state: 'draft' })).to.deep.equal([{ key: 'state', equals: 'draft' }])
    expect(whereOf(content, {}, 'public_user')).to.deep.equal([live])
    expect(whereOf(content, { state: 'live' }, 'public_user')).to.deep.equal([live, live])
    for (const state of ['draft', 'published'])
      expect(faultyNames(content, { state }, 'public_user')).to.deep.equal(['state'])
    for (const state of ['', 'Live', 'toString'])
      expect(faultyNames(content, { state })).to.deep.equal(['state'])
  })

  it('by MIME type accept types that contain hyphens', () => {
    expect(
      whereOf(file, { mimetypes: 'image/jpeg-application/x-tar,application/vnd.ms-excel' }),
    ).to.deep.equal([
      { key: 'mimetype', oneOf: ['image/jpeg', 'application/x-tar', 'application/vnd.ms-excel'] },
      { key: 'byte_size', atLeast: 0 },
    ])
    expect(whereOf(file, { groups: 'Image-unknown,application' })).to.deep.equal([
      { key: 'mimetype_group', oneOf: ['image', 'unknown', 'application'] },
    ])
    for (const wrong of ['', 'image', 'image/', '-image/jpeg', 'image/a b'])
      expect(faultyNames(file, { mimetypes: wrong })).to.deep.equal(['mimetypes'])
    for (const wrong of ['', 'image-', 'im4ge', 'image/jpeg'])
      expect(faultyNames(file, { groups: wrong })).to.deep.equal(['groups'])
  })

  it('use only their declared keys', () => {
    for (const resource of resources)
      for (const [name, filter] of Object.entries(resource.filters))
        for (const text of [
          'live',
          'draft',
          'root',
          first,
          'articles',
          '2026-01-01_',
          'image',
          'image/png',
        ]) {
          const parsed = parseCollectionQuery(resource, { [name]: text }, as('editor'), false)
          if (E.isRight(parsed))
            for (const key of parsed.right.where.flatMap(keysOf))
              // Conditions on derived attributes are replaced before a store receives them.
              if (resource.attributes[key]?.kind !== 'derived') expect(filter.keys, name).to.include(key)
        }
  })
})

describe('the list of collections', () => {
  it('is queried like a collection', () => {
    expect(ask(instanceIndex, { fields: 'name-url', page: '2' })).to.include({ page: 2 })
    expect(faultyNames(instanceIndex, { fields: 'title', order: 'name' })).to.have.members([
      'fields',
      'order',
    ])
  })
})
