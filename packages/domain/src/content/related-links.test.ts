/** Related links off the wire, and as a role reads them. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import type { JsonObject } from '../json.js'
import { draftItems } from '../resource/draft-attributes.js'
import type { ViewContext } from '../resource/view-context.js'
import type { Role } from '../role/permissions.js'
import { codes, links as addresses, now, valueContext, viewer, withAddon } from '../testing/index.js'
import {
  linkCountFaults,
  maxRelatedLinks,
  noLinks,
  parseRelatedLinksQuery,
  relatedLink,
  relatedLinksOf,
  viewLinks,
} from './related-links.js'

const story = 'aaaaaaaa-0000-4000-8000-000000000001'
const draft = 'aaaaaaaa-0000-4000-8000-000000000002'
const place = 'bbbbbbbb-0000-4000-8000-000000000001'

const states: Readonly<Record<string, JsonObject>> = {
  [`content/${story}`]: { state: 'published', live_from: '0' },
  [`content/${draft}`]: { state: 'draft', live_from: null },
  [`locations/${place}`]: { state: 'published', live_from: '2026-02-01T00:00:00' },
}

const view: ViewContext = {
  id: '',
  role: 'editor',
  now,
  settings: withAddon,
  links: addresses,
  canScale: () => true,
  find: (collection, id) => states[`${collection}/${id}`],
  count: () => 0,
}

const read = (items: readonly JsonObject[], strict = false) =>
  draftItems(relatedLink, { items }, { ...valueContext, strict }, maxRelatedLinks)

const sent: readonly JsonObject[] = [
  { type: 'content', target_uuid: story },
  { type: 'url', link_url: 'https://example.org/', text: 'There' },
  { type: 'content', target_uuid: draft },
  { type: 'location', target_uuid: place },
]

const queryOf = (state: string, role: Role = 'editor') => parseRelatedLinksQuery({ state }, viewer(role))

describe('related links', () => {
  it('refer to objects of the kind of their type', () => {
    const { references, faults } = read(sent)
    expect(faults).to.deep.equal([])
    expect(references.map(({ path, collection, id }) => [path, collection, id])).to.deep.equal([
      ['items.0.target_uuid', 'content', story],
      ['items.2.target_uuid', 'content', draft],
      ['items.3.target_uuid', 'locations', place],
    ])
  })

  it('need what their type needs', () => {
    const { faults } = read([
      { type: 'content' },
      { type: 'location', target_uuid: 'x' },
      { type: 'url', text: 'x' },
      { type: 'file', target_uuid: story },
      {},
    ])
    expect(faults.map(({ path }) => path)).to.deep.equal([
      'items.0.target_uuid',
      'items.1.target_uuid',
      'items.2.link_url',
      'items.3.type',
      'items.4.type',
    ])
  })

  it('are read with their positions and addresses, and can be sent back', () => {
    const { items } = read(sent)
    const shown = viewLinks({ items }, view, [])
    expect(shown).to.deep.equal([
      { type: 'content', ord: 1, uuid: story, url: `/1/content/${story}` },
      { type: 'url', ord: 2, text: 'There', link_url: 'https://example.org/' },
      { type: 'content', ord: 3, uuid: draft, url: `/1/content/${draft}` },
      { type: 'location', ord: 4, uuid: place, url: `/1/locations/${place}` },
    ])
    for (const strict of [false, true]) {
      const again = read(shown, strict)
      expect(again.faults).to.deep.equal([])
      expect(again.items).to.deep.equal(items)
    }
  })

  it('exclude those whose target is deleted or does not have the state', () => {
    const { items } = read([...sent, { type: 'content', target_uuid: place }])
    const shown = (state: string) => {
      const query = queryOf(state)
      return E.isLeft(query)
        ? []
        : viewLinks({ items }, view, query.right).map(({ type, uuid = null, ord }) => [type, uuid, ord])
    }
    expect(viewLinks({ items }, view, [])).to.have.lengthOf(4)
    expect(shown('live')).to.deep.equal([
      ['content', story, 1],
      ['url', null, 2],
      ['location', place, 3],
    ])
    expect(shown('draft')).to.deep.equal([
      ['url', null, 1],
      ['content', draft, 2],
    ])
  })

  it('can be filtered by states that the role may see', () => {
    for (const query of [queryOf('x'), queryOf('draft', 'public_user')])
      expect(E.isLeft(query) && query.left.map(({ path }) => path)).to.deep.equal(['state'])
    const twice = parseRelatedLinksQuery({ state: ['live', 'live'] }, view)
    expect(E.isLeft(twice) && twice.left.map(({ path }) => path)).to.deep.equal(['state'])
    expect(parseRelatedLinksQuery({}, view)).to.deep.equal(E.right([]))
  })

  it('have a maximum number for each content object', () => {
    const links = Array.from({ length: maxRelatedLinks + 1 }, () => ({ type: 'url' }))
    expect(linkCountFaults(links.slice(1))).to.deep.equal([])
    expect(codes(linkCountFaults(links))).to.deep.equal({ items: 'limit' })
  })

  it('are empty for content that was stored without them', () => {
    expect(relatedLinksOf({})).to.deep.equal(noLinks)
    expect(relatedLinksOf({ related_links: { items: [{ type: 'url' }] } })).to.deep.equal({
      items: [{ type: 'url' }],
    })
  })
})
