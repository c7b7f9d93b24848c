/** Lists of other objects within an object: each once, in order, and what they may contain. */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { listingImages } from '../locations/location.js'
import { categoryTags } from '../tags/tag-category.js'
import { codes, messages, valueContext, viewer, withoutAddon } from '../testing/index.js'
import { draftItem, draftItems } from './draft-attributes.js'
import { memberCountFaults, membersOf, withMembers } from './member-list.js'

const one = 'aaaaaaaa-0000-4000-8000-000000000001'
const two = 'aaaaaaaa-0000-4000-8000-000000000002'

describe('member lists', () => {
  for (const list of [categoryTags, listingImages])
    describe(`${list.attribute} of ${list.resource.collection}`, () => {
      it('are stored in an internal attribute that is initially empty', () => {
        expect(list.resource.attributes[list.attribute]).to.deep.include({
          kind: 'stored',
          internal: true,
          initial: [],
        })
        expect(membersOf(list, {})).to.deep.equal([])
      })

      it('contain each member once, in the order of its first occurrence', () => {
        fc.assert(
          fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), (sent) => {
            const state = withMembers(list, { title: 'x' }, sent)
            expect(membersOf(list, state)).to.deep.equal([...new Set(sent)])
            expect(withMembers(list, state, membersOf(list, state))).to.deep.equal(state)
            expect(state).to.include({ title: 'x' })
          }),
        )
      })

      it('decode their items, with a fault for each invalid one', () => {
        const items = [{ [list.item]: one.toUpperCase() }, { [list.item]: two }]
        const draft = draftItems(list.shape, { items }, valueContext, list.max)
        expect(draft.items).to.deep.equal([{ [list.item]: one }, { [list.item]: two }])
        expect(draft.references.map(({ path, collection, id }) => [path, collection, id])).to.deep.equal([
          [`items.0.${list.item}`, list.target, one],
          [`items.1.${list.item}`, list.target, two],
        ])
        const faulty = draftItems(
          list.shape,
          { items: [{}, { [list.item]: 'x' }, 7] },
          valueContext,
          list.max,
        )
        expect(faulty.faults.map(({ path }) => path)).to.deep.equal([
          `items.0.${list.item}`,
          `items.1.${list.item}`,
          'items.2',
        ])
      })

      it('have a maximum length', () => {
        const items = Array.from({ length: list.max + 1 }, () => ({ [list.item]: one }))
        expect(codes(draftItems(list.shape, { items }, valueContext, list.max).faults)).to.deep.equal({
          items: 'length',
        })
        expect(
          draftItems(list.shape, { items: items.slice(1) }, valueContext, list.max).faults,
        ).to.deep.equal([])
      })
    })

  it('cannot exceed the maximum of their list', () => {
    const members = Array.from({ length: listingImages.max + 1 }, (_, index) => String(index))
    expect(memberCountFaults(listingImages, members.slice(1))).to.deep.equal([])
    expect(messages(memberCountFaults(listingImages, members))).to.deep.equal({
      uuid: `would be more than ${listingImages.max} images`,
    })
  })

  it('of a listing exist only with the directory add-on', () => {
    expect(listingImages.exists(viewer('admin'))).to.equal(true)
    expect(listingImages.exists(viewer('admin', { settings: withoutAddon }))).to.equal(false)
    expect(categoryTags.exists(viewer('public_user', { settings: withoutAddon }))).to.equal(true)
  })
})

describe('received items', () => {
  const strict = { ...valueContext, strict: true }

  it('are a list, and other attributes are faults with strict handling', () => {
    for (const items of [undefined, null, {}, 'x', 7])
      expect(
        draftItems(categoryTags.shape, items === undefined ? {} : { items }, valueContext, 9).faults.map(
          ({ path }) => path,
        ),
      ).to.deep.equal(['items'])
    const input = { items: [], auto: true, unknown: 1 }
    expect(draftItems(categoryTags.shape, input, valueContext, 9).faults).to.deep.equal([])
    expect(
      draftItems(categoryTags.shape, input, strict, 9, ['auto']).faults.map(({ path }) => path),
    ).to.deep.equal(['unknown'])
    expect(
      draftItems(categoryTags.shape, { unknown: 1 }, strict, 9).faults.map(({ path }) => path),
    ).to.deep.equal(['items', 'unknown'])
  })

  it('that are sent alone have faults without an index', () => {
    expect(draftItem(categoryTags.shape, {}, valueContext).faults.map(({ path }) => path)).to.deep.equal([
      'tag_uuid',
    ])
    expect(draftItem(categoryTags.shape, [], valueContext).faults.map(({ path }) => path)).to.deep.equal([''])
    expect(draftItem(categoryTags.shape, { tag_uuid: one }, valueContext)).to.deep.equal({
      items: [{ tag_uuid: one }],
      references: [{ path: 'tag_uuid', collection: 'tags', id: one }],
      faults: [],
    })
  })
})
