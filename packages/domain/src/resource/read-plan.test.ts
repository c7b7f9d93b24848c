/** What a role sees: nothing hidden, dangling references as null, and rows that agree with the object. */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { mayActAs } from '../role/permissions.js'
import { anyRole, kindsOf, stateOf } from '../testing/arbitraries.js'
import { links, now, objectId, viewOn, withAddon, withoutAddon } from '../testing/index.js'
import { byVariant } from '../value/value-type.js'
import { listOf, record } from '../value/record.js'
import { reference } from '../value/reference.js'
import { boolean, oneOf } from '../value/scalar.js'
import { text, uuid } from '../value/text.js'
import { computed, derived, stored, type AttributeTable } from './attribute.js'
import { resources } from './resources.js'
import { attributesOf, type Shape } from './attribute-tables.js'
import { isAliveIn, readPlan, viewOf } from './read-plan.js'
import { type JsonObject, rowBytes } from '../json.js'
import type { ViewContext } from './view-context.js'

const target = record({
  id: stored(reference('content'), 'Target.', { required: true }),
  image: stored(reference('files', { media: 'image' }), 'Image.'),
  title: stored(text({ max: 9 }), 'Title.'),
})

const attributes: AttributeTable = {
  kind: stored(oneOf(['a', 'b']), 'Kind.'),
  title: stored(text({ max: 9 }), 'Title.', { initial: 'none' }),
  contact: stored(text({ max: 9 }), 'Contact.', { visibleTo: 'reader' }),
  budget: stored(text({ max: 9 }), 'Budget.', { visibleTo: 'admin' }),
  sponsored: stored(boolean, 'Sponsored.', { addon: true }),
  hash: stored(text({ max: 9 }), 'Hash.', { internal: true }),
  section: stored(reference('sections'), 'Section.'),
  targets: stored(listOf(target, 9), 'Targets.'),
  only_a: stored(text({ max: 9 }), 'Only a.', { only: ['a'] }),
  address: derived({ type: 'string' }, 'Address.', (_state, view) => view.links.object('files', view.id)),
  place: derived({ type: 'string' }, 'Place.', (state) => `in ${String(state['section'])}`, {
    needs: ['section'],
    chain: 'parent_uuid',
    visibleTo: 'editor',
  }),
  length: computed('number', 'Length.', [], () => 7),
}

const shape = { attributes, variant: 'kind' }
const everybody = ['kind', 'title', 'section', 'targets', 'address']

const state: JsonObject = {
  kind: 'b',
  contact: 'c',
  budget: 'd',
  sponsored: true,
  hash: 'e',
  section: 's1',
  targets: [
    { id: 'c1', image: 'f1', title: 'x' },
    { id: 'c2', image: null, title: null },
  ],
  length: 7,
}

const alive: Readonly<Record<string, JsonObject>> = {
  'sections/s1': {},
  'content/c1': {},
  'content/c2': {},
  'files/f1': { mimetype: 'image/png' },
}

const viewWith = (rest: Partial<ViewContext> = {}): ViewContext => ({
  canScale: () => true,
  id: objectId,
  role: 'admin',
  now,
  settings: withAddon,
  links,
  find: (collection, id) => alive[`${collection}/${id}`],
  count: () => 0,
  ...rest,
})

const without = (dead: string): ViewContext =>
  viewWith({
    find: (collection, id) => (`${collection}/${id}` === dead ? undefined : alive[`${collection}/${id}`]),
  })

describe('a view', () => {
  it('has every attribute in the order of the table, null if the role may not see it', () => {
    const shown = Object.keys(attributes).filter((name) => !['hash', 'length', 'only_a'].includes(name))
    const seenBy = (rest: Partial<ViewContext>) => {
      const view = viewOf(shape, state, viewWith(rest))
      expect(Object.keys(view)).to.deep.equal(
        shown.filter((name) => name !== 'sponsored' || rest.settings !== withoutAddon),
      )
      return Object.keys(view).filter((name) => view[name] !== null)
    }
    const all = [...everybody, 'sponsored']
    expect(seenBy({ role: 'public_user' })).to.have.members(all)
    expect(seenBy({ role: 'reader' })).to.have.members([...all, 'contact'])
    expect(seenBy({ role: 'editor' })).to.have.members([...all, 'contact', 'place'])
    expect(seenBy({ role: 'admin' })).to.have.members(shown)
    expect(seenBy({ role: 'public_user', settings: withoutAddon })).to.have.members(everybody)
  })

  it('has defaults for attributes that were never stored, and the attributes of its variant', () => {
    expect(viewOf(shape, state, viewWith())).to.include({ title: 'none', address: `/1/files/${objectId}` })
    expect(viewOf(shape, { ...state, kind: 'a' }, viewWith())).to.include({ only_a: null })
  })

  it('has null for a deleted target, and leaves out items that require it', () => {
    expect(viewOf(shape, state, without('sections/s1'))['section']).to.equal(null)
    expect(viewOf(shape, state, without('content/c1'))['targets']).to.deep.equal([
      { id: 'c2', image: null, title: null },
    ])
    expect(viewOf(shape, state, without('files/f1'))['targets']).to.deep.equal([
      { id: 'c1', image: null, title: 'x' },
      { id: 'c2', image: null, title: null },
    ])
  })

  it('treats a file of another kind as deleted', () => {
    const isAlive = isAliveIn(() => ({ mimetype: 'imagery/x' }))
    expect(isAlive({ path: '', collection: 'files', id: 'f1', media: 'image' })).to.equal(false)
    expect(isAliveIn(() => ({}))({ path: '', collection: 'files', id: 'f1', media: 'audio' })).to.equal(false)
    expect(isAlive({ path: '', collection: 'files', id: 'f1' })).to.equal(true)
  })

  it('reads a repeated name once, and measures the row as it is sent', () => {
    let reads = 0
    const counted = {
      attributes: {
        ...attributes,
        text: derived({ type: 'string' }, 'Counts its reads.', () => {
          reads += 1
          return 'é"\\n漢'
        }),
      },
    }
    const names = ['text', 'title', 'text', 'text', 'unknown', 'title']
    const row = readPlan(counted, viewWith(), names).row(state, viewWith())
    expect(row[2]).to.equal(row[0])
    expect(reads).to.equal(1)
    const sent = JSON.stringify(row).replace(/[\u0080-\uffff]/g, '\\u0000')
    expect(rowBytes(names, row)).to.be.within(sent.length, sent.length + 1)
  })

  it('agrees with a row, in which absent attributes are null', () => {
    fc.assert(
      fc.property(anyRole, fc.boolean(), fc.constantFrom('a', 'b'), (role, addon, kind) => {
        const view = viewWith({ role, settings: addon ? withAddon : withoutAddon })
        const shown = viewOf(shape, { ...state, kind }, view)
        const names = [...Object.keys(attributes), 'unknown']
        expect(readPlan(shape, view, names).row({ ...state, kind }, view)).to.deep.equal(
          names.map((name) => (Object.hasOwn(shown, name) ? shown[name] : null)),
        )
      }),
    )
  })
})

describe('look-ups', () => {
  it('contain every reference that the attributes need, with chains', () => {
    const plan = readPlan(shape, viewWith())
    const found = plan
      .lookups(state)
      .map(({ reference: { collection, id }, chain }) => `${collection}/${id} ${chain ?? ''}`)
    expect(found).to.have.members([
      'sections/s1 ',
      'content/c1 ',
      'content/c2 ',
      'files/f1 ',
      'sections/s1 parent_uuid',
    ])
    expect(readPlan(shape, viewWith(), ['title']).lookups(state)).to.deep.equal([])
    expect(readPlan(shape, viewWith(), ['place']).lookups(state)).to.have.lengthOf(1)
  })
})

for (const resource of resources)
  for (const { name, variant } of kindsOf(resource))
    describe(`the view of ${resource.collection}: ${name}`, () => {
      it('never contains what is hidden from its role, variant or instance', () => {
        fc.assert(
          fc.property(stateOf(resource, variant), anyRole, fc.boolean(), (each, role, addon) => {
            const settings = addon ? withAddon : withoutAddon
            const table = attributesOf(resource, each)
            const view = viewOf(resource, each, viewOn(resource, each, { role, settings }))
            for (const shown of Object.keys(view)) {
              const attribute = table[shown]
              if (attribute === undefined || attribute.kind === 'computed')
                return expect.fail(`${shown} is shown`)
              expect(attribute.kind === 'stored' && attribute.internal === true, shown).to.equal(false)
              if (attribute.visibleTo !== undefined && !mayActAs(role, attribute.visibleTo))
                expect(view[shown], shown).to.equal(null)
              expect(attribute.addon !== true || addon, shown).to.equal(true)
            }
          }),
          { numRuns: 30 },
        )
      })

      it('reads only the objects of its look-ups', () => {
        fc.assert(
          fc.property(stateOf(resource, variant), (each) => {
            const named = new Set(
              readPlan(resource, viewOn(resource, each))
                .lookups(each)
                .map(({ reference: { collection, id } }) => `${collection}/${id}`),
            )
            const circumstances = viewOn(resource, each)
            viewOf(resource, each, {
              ...circumstances,
              find: (collection, id) => {
                expect([...named]).to.include(`${collection}/${id}`)
                return circumstances.find(collection, id)
              },
            })
          }),
          { numRuns: 30 },
        )
      })
    })

describe('an attribute whose type depends on the variant', () => {
  const owned: Shape = {
    attributes: {
      kind: stored(oneOf(['story', 'place']), 'Kind.'),
      target: stored(
        byVariant(uuid, { story: reference('content'), place: reference('locations') }),
        'Target.',
        {
          writeOnly: true,
        },
      ),
      shown: derived({ type: 'string' }, 'Target.', (each) => each['target'] ?? null, { needs: ['target'] }),
    },
    variant: 'kind',
  }

  it('refers to the kind of object of the variant', () => {
    const looked = (kind: string) =>
      readPlan(owned, viewWith(), ['shown'])
        .lookups({ kind, target: objectId })
        .map(({ reference: { collection } }) => collection)
    expect(looked('story')).to.deep.equal(['content'])
    expect(looked('place')).to.deep.equal(['locations'])
    expect(looked('neither')).to.deep.equal([])
  })

  it('that is only sent is not read', () => {
    expect(viewOf(owned, { kind: 'story', target: objectId }, viewWith())).to.deep.equal({
      kind: 'story',
      shown: objectId,
    })
  })
})

describe('a count of other objects', () => {
  const count = { collection: 'comments', key: 'counted', text: 'x', within: 'content_uuid' }
  const counting: Shape = {
    attributes: {
      number: derived({ type: 'integer' }, 'Number.', (_state, view) => view.count(count), { counts: count }),
      title: stored(text({ max: 9 }), 'Title.'),
    },
  }

  it('is requested by the attributes that read it, and depends on the counted collection', () => {
    expect(readPlan(counting, viewWith()).counts).to.deep.equal([count])
    expect(readPlan(counting, viewWith(), ['title']).counts).to.deep.equal([])
    expect(viewOf(counting, {}, viewWith({ count: () => 7 }))).to.include({ number: 7 })
  })
})
