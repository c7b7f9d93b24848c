/** What a location is made of, and what of it each role reads (docs/behaviour/locations.md). */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import type { JsonObject } from '../json.js'
import { viewOf } from '../resource/read-plan.js'
import { locationTypesReference } from '../tags/tag.js'
import { anyRole, stateOf } from '../testing/arbitraries.js'
import {
  command,
  later,
  links,
  messages,
  now,
  objectId,
  storedState,
  viewOn,
  withAddon,
  withoutAddon,
  write,
} from '../testing/index.js'
import type { NaiveDateTime } from '../time/naive-date-time.js'
import { couponAttributes, listingAttributes } from './listing-attributes.js'
import { location } from './location.js'

const bare = { title: 'A place', urlname: 'a-place' }
const image = '5e0d9d3c-0b6f-4c8e-9a57-3f1d2c4b6a70'

const stateFrom = (input: JsonObject): JsonObject => storedState(location, { ...bare, ...input })

const messagesFor = (input: JsonObject): Readonly<Record<string, string>> =>
  messages(write(location, command('put', { ...bare, ...input }, null)).draft.faults)

const publicView = (state: JsonObject, at: NaiveDateTime = now): JsonObject =>
  viewOf(location, state, viewOn(location, state, { role: 'public_user', at }))

describe('a location', () => {
  it('needs a title and a urlname, and has the defaults that clients rely on', () => {
    expect(write(location, command('put', {}, null)).draft.faults.map(({ path }) => path)).to.deep.equal([
      'title',
      'urlname',
    ])
    expect(publicView(stateFrom({}))).to.include({
      state: 'published',
      closed: false,
      fb_show_faces: true,
      fb_show_stream: true,
      is_listing: false,
      sponsored: false,
      listing_active: false,
      lat: null,
      long: null,
    })
  })

  it('accepts coords and also returns lat and long', () => {
    expect(publicView(stateFrom({ coords: [48.2, 16.4] }))).to.deep.include({
      coords: [48.2, 16.4],
      lat: 48.2,
      long: 16.4,
    })
  })

  it('ignores lat and long, which are read only', () => {
    expect(publicView(stateFrom({ coords: [48.2, 16.4], lat: 1, long: 'x' }))).to.include({
      lat: 48.2,
      long: 16.4,
    })
  })

  it('stores opening hours unchanged, with line breaks of every kind', () => {
    for (const opening_hours of ['Mo–Fr 9–18\nSa 9–12', ' Mo\r\n\r\nTu \t', '\n', '', 'a\rb\u2028c'])
      expect(publicView(stateFrom({ opening_hours }))).to.include({ opening_hours })
    fc.assert(
      fc.property(fc.array(fc.constantFrom('\n', '\r', '\t', ' ', 'Mo', '–', '😀')), (parts) => {
        const opening_hours = parts.join('')
        expect(publicView(stateFrom({ opening_hours }))).to.include({ opening_hours })
      }),
    )
  })

  it('orders by sort_title if it has one, else by title', () => {
    expect(stateFrom({ title: 'The Édge' })).to.include({
      title_order: 'the edge',
      sort_title_order: 'the edge',
    })
    expect(stateFrom({ title: 'The Édge', sort_title: 'Edge' })).to.include({ sort_title_order: 'edge' })
  })

  it('has faults at the attribute, and for coordinates at the index', () => {
    expect(messagesFor({ coords: [91, 0], price_index: 'cheap', geoname_id: 0, fb_uid: 'x/' })).to.have.keys([
      'coords.0',
      'price_index',
      'geoname_id',
      'fb_uid',
    ])
  })
})

describe('location_types', () => {
  const tags = [
    'aaaaaaaa-0000-4000-8000-000000000001',
    'aaaaaaaa-0000-4000-8000-000000000002',
    'aaaaaaaa-0000-4000-8000-000000000003',
  ]
  const state = {
    ...stateFrom({}),
    taggings: tags.map((tag) => ({ tag, predicate: 'describes', created: now })),
  }
  const typesOf = (members: readonly string[] | null, dead: readonly string[] = []): unknown =>
    viewOf(location, state, {
      ...viewOn(location, state),
      find: (collection, id) => {
        if (collection === 'tags' && !dead.includes(id))
          return { last_name_or_title: `Type ${tags.indexOf(id)}` }
        if (collection === 'tag_categories' && id === locationTypesReference.id && members !== null)
          return { members }
        return undefined
      },
    })['location_types']

  it('are the titles of its tags in the category of types, in the order of its tags', () => {
    expect(typesOf([tags[2] ?? '', tags[0] ?? ''])).to.deep.equal(['Type 0', 'Type 2'])
  })

  it('are empty without tags in the category or without the category, and exclude deleted tags', () => {
    expect(typesOf([])).to.deep.equal([])
    expect(typesOf(null)).to.deep.equal([])
    expect(typesOf(tags, tags)).to.deep.equal([])
    expect(viewOf(location, stateFrom({}), viewOn(location, stateFrom({})))['location_types']).to.deep.equal(
      [],
    )
  })
})

describe('a listing', () => {
  const window = { listing_start: '2026-03-01T13:00:00', listing_expires: '2026-03-02T08:30:00' }
  const coupon = {
    coupon_img_uuid: image,
    coupon_title: 'Half price',
    coupon_start: '2026-03-01T18:00:00',
    coupon_expires: '2026-03-01T20:00:00',
  }
  const state = stateFrom({
    is_listing: true,
    sponsored: true,
    contact_person: 'Ada',
    contact_email: 'ada@example.org',
    ...window,
    ...coupon,
  })
  const at = (text: string): NaiveDateTime => text as NaiveDateTime

  it('starts now by default', () => {
    expect(stateFrom({ is_listing: true })).to.include({ listing_start: now })
    expect(stateFrom({})).to.include({ listing_start: null })
    expect(stateFrom({ is_listing: true, listing_start: '2030-01-01' })).to.include({
      listing_start: '2030-01-01T00:00:00',
    })
  })

  it('is public from its start until its end', () => {
    const shown = (moment: string) => publicView(state, at(moment))
    expect(shown('2026-03-01T12:59:59.999')).to.include({
      is_listing: true,
      sponsored: null,
      listing_active: false,
    })
    expect(shown('2026-03-01T13:00:00')).to.include({
      is_listing: true,
      sponsored: true,
      listing_active: true,
    })
    expect(shown('2026-03-02T08:29:59.999')).to.include({ is_listing: true, listing_active: true })
    const over = shown('2026-03-02T08:30:00')
    expect(over).to.include({
      is_listing: true,
      sponsored: null,
      listing_active: false,
      listing_start: null,
      listing_expires: null,
    })
    expect(over).to.include({ title: 'A place' })
  })

  it('has a public coupon only within the window of the coupon', () => {
    const shown = (moment: string) => publicView(state, at(moment))
    for (const moment of ['2026-03-01T17:59:59', '2026-03-01T20:00:00'])
      expect(shown(moment)).to.include({
        coupon_img_uuid: null,
        coupon_img_url: null,
        coupon_title: null,
        coupon_start: null,
        coupon_expires: null,
      })
    for (const moment of ['2026-03-01T18:00:00', '2026-03-01T19:59:59'])
      expect(shown(moment)).to.include({ ...coupon, coupon_img_url: `/1/files/${image}/download/7` })
  })

  it('is always a listing for other roles', () => {
    for (const role of ['reader', 'editor', 'admin'] as const)
      for (const moment of ['2020-01-01T00:00:00', '2026-03-01T13:00:00', '2030-01-01T00:00:00'])
        expect(viewOf(location, state, viewOn(location, state, { role, at: at(moment) }))).to.include({
          ...window,
          ...coupon,
          is_listing: true,
          sponsored: true,
          contact_person: 'Ada',
          listing_active: moment === '2026-03-01T13:00:00',
        })
  })

  it('never returns the contact to public_user', () => {
    for (const moment of ['2020-01-01T00:00:00', '2026-03-01T18:00:00', '2030-01-01T00:00:00'])
      expect(publicView(state, at(moment))).to.include({ contact_person: null, contact_email: null })
  })

  it('is returned by the rules of each role for any windows', () => {
    const names = Object.keys(listingAttributes)
    const coupons = new Set(Object.keys(couponAttributes))
    const plain = viewOf(location, stateFrom({}), viewOn(location, stateFrom({})))
    const moments = fc
      .constantFrom('1980-06-01', '2026-03-01', '2100-01-01')
      .map((day) => at(`${day}T13:00:00`))
    const isIn = (each: JsonObject, moment: string, start: string, end: string): boolean =>
      String(each[start] ?? '') <= moment && moment < String(each[end] ?? '9999')
    fc.assert(
      fc.property(stateOf(location, null), anyRole, moments, fc.boolean(), (each, role, moment, addon) => {
        const settings = addon ? withAddon : withoutAddon
        const all = viewOf(location, each, viewOn(location, each, { at: moment }))
        const shown = viewOf(location, each, viewOn(location, each, { role, at: moment, settings }))
        const listed = each['is_listing'] === true && isIn(each, moment, 'listing_start', 'listing_expires')
        const offered = listed && isIn(each, moment, 'coupon_start', 'coupon_expires')
        for (const name of names) {
          const isContact = name.startsWith('contact_')
          if ((!addon && !isContact) || all[name] === undefined) expect(shown[name], name).to.equal(undefined)
          else if (role !== 'public_user') expect(shown[name], name).to.deep.equal(all[name])
          else if (isContact) expect(shown[name], name).to.equal(null)
          else if (coupons.has(name)) expect(shown[name], name).to.equal(offered ? all[name] : null)
          else if (listed || name === 'is_listing') expect(shown[name], name).to.equal(all[name])
          else if (name === 'listing_active') expect(shown[name], name).to.equal(false)
          else expect(shown[name], name).to.equal(each['is_listing'] === true ? null : plain[name])
        }
      }),
      { numRuns: 200 },
    )
  })

  it('has separate addresses', () => {
    expect(publicView(state, later)).to.include({ uuid: objectId, url: links.object('locations', objectId) })
  })
})
