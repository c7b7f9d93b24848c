/** What a role sees: nothing that it may not, dead references as null, and rows that agree with the whole. */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import type { JsonObject } from '../json.js'
import { mayActAs } from '../role/role.js'
import { listOf } from '../value/list.js'
import { record } from '../value/record.js'
import { reference } from '../value/reference.js'
import { boolean, oneOf } from '../value/scalar.js'
import { text } from '../value/text.js'
import { computed, derived, stored, type AttributeTable } from './attribute.js'
import {
  anyRole,
  kindsOf,
  links,
  now,
  objectId,
  viewOn,
  withAddon,
  withoutAddon,
} from './attribute-table.arbitrary.js'
import { resources } from './resources.js'
import { stateOf } from './stored-state.arbitrary.js'
import { attributesOf } from './variant.js'
import { isAliveIn, lookupsOf, rowOf, targetsOf, viewOf } from './view.js'
import type { View } from './view-context.js'

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
  length: computed('number', 'Length.', () => 7),
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

const viewWith = (rest: Partial<View> = {}): View => ({
  id: objectId,
  role: 'admin',
  now,
  settings: withAddon,
  links,
  find: (collection, id) => alive[`${collection}/${id}`],
  ...rest,
})

const without = (dead: string): View =>
  viewWith({
    find: (collection, id) => (`${collection}/${id}` === dead ? undefined : alive[`${collection}/${id}`]),
  })

describe('a view', () => {
  it('has what its role may see, in the order of the table', () => {
    const seenBy = (rest: Partial<View>) => Object.keys(viewOf(shape, state, viewWith(rest)))
    expect(seenBy({ role: 'public_user' })).to.have.members([...everybody, 'sponsored'])
    expect(seenBy({ role: 'reader' })).to.have.members([...everybody, 'sponsored', 'contact'])
    expect(seenBy({ role: 'editor' })).to.have.members([...everybody, 'sponsored', 'contact', 'place'])
    expect(seenBy({ role: 'admin' })).to.deep.equal(
      Object.keys(attributes).filter((name) => !['hash', 'length', 'only_a'].includes(name)),
    )
    expect(seenBy({ role: 'public_user', settings: withoutAddon })).to.have.members(everybody)
  })

  it('has defaults for what was never stored, and the attributes of its variant', () => {
    expect(viewOf(shape, state, viewWith())).to.include({ title: 'none', address: `/1/files/${objectId}` })
    expect(viewOf(shape, { ...state, kind: 'a' }, viewWith())).to.include({ only_a: null })
  })

  it('has null for a dead reference, and leaves out the item that is nothing without it', () => {
    expect(viewOf(shape, state, without('sections/s1'))['section']).to.equal(null)
    expect(viewOf(shape, state, without('content/c1'))['targets']).to.deep.equal([
      { id: 'c2', image: null, title: null },
    ])
    expect(viewOf(shape, state, without('files/f1'))['targets']).to.deep.equal([
      { id: 'c1', image: null, title: 'x' },
      { id: 'c2', image: null, title: null },
    ])
  })

  it('finds a file dead that is not of the kind the reference wants', () => {
    const isAlive = isAliveIn(() => ({ mimetype: 'imagery/x' }))
    expect(isAlive({ path: '', collection: 'files', id: 'f1', media: 'image' })).to.equal(false)
    expect(isAliveIn(() => ({}))({ path: '', collection: 'files', id: 'f1', media: 'audio' })).to.equal(false)
    expect(isAlive({ path: '', collection: 'files', id: 'f1' })).to.equal(true)
  })

  it('agrees with a row, where what it has not is null', () => {
    fc.assert(
      fc.property(anyRole, fc.boolean(), fc.constantFrom('a', 'b'), (role, addon, kind) => {
        const view = viewWith({ role, settings: addon ? withAddon : withoutAddon })
        const shown = viewOf(shape, { ...state, kind }, view)
        const names = [...Object.keys(attributes), 'unknown']
        expect(rowOf(shape, names, { ...state, kind }, view)).to.deep.equal(
          names.map((name) => (Object.hasOwn(shown, name) ? shown[name] : null)),
        )
      }),
    )
  })
})

describe('look-ups', () => {
  it('name every reference that the attributes need, chains included', () => {
    const found = lookupsOf(shape, state).map(
      ({ reference: { collection, id }, chain }) => `${collection}/${id} ${chain ?? ''}`,
    )
    expect(found).to.have.members([
      'sections/s1 ',
      'content/c1 ',
      'content/c2 ',
      'files/f1 ',
      'sections/s1 parent_uuid',
    ])
    expect(lookupsOf(shape, state, ['title'])).to.deep.equal([])
    expect(lookupsOf(shape, state, ['place'])).to.have.lengthOf(1)
    expect(targetsOf(shape)).to.have.members(['sections', 'content', 'files'])
  })
})

for (const resource of resources)
  for (const { name, variant } of kindsOf(resource))
    describe(`the view of ${resource.collection}: ${name}`, () => {
      it('never holds what its role, variant or instance may not see', () => {
        fc.assert(
          fc.property(stateOf(resource, variant), anyRole, fc.boolean(), (each, role, addon) => {
            const settings = addon ? withAddon : withoutAddon
            const table = attributesOf(resource, each)
            for (const shown of Object.keys(
              viewOf(resource, each, viewOn(resource, each, { role, settings })),
            )) {
              const attribute = table[shown]
              if (attribute === undefined || attribute.kind === 'computed')
                return expect.fail(`${shown} is shown`)
              expect(attribute.kind === 'stored' && attribute.internal === true, shown).to.equal(false)
              expect(
                attribute.visibleTo === undefined || mayActAs(role, attribute.visibleTo),
                shown,
              ).to.equal(true)
              expect(attribute.addon === undefined || addon, shown).to.equal(true)
            }
          }),
          { numRuns: 30 },
        )
      })

      it('asks for no object that its look-ups do not name', () => {
        fc.assert(
          fc.property(stateOf(resource, variant), (each) => {
            const named = new Set(
              lookupsOf(resource, each).map(({ reference: { collection, id } }) => `${collection}/${id}`),
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
