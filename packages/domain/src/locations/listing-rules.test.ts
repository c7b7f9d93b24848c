/** The rules on writing listings (docs/behaviour/locations.md#listing-patch). */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { JsonObject } from '../json.js'
import type { WriteMode } from '../resource/draft-attributes.js'
import { command, later, messages, storedState, withAddon, withoutAddon, write } from '../testing/index.js'
import { couponAttributes } from './listing-attributes.js'
import { location } from './location.js'

const image = '5e0d9d3c-0b6f-4c8e-9a57-3f1d2c4b6a70'
const bare = { title: 'A place', urlname: 'a-place' }

const attempt = (
  mode: WriteMode,
  input: JsonObject,
  previous: JsonObject | null,
  settings = withAddon,
): { readonly faults: Readonly<Record<string, string>>; readonly state: JsonObject } => {
  const { draft, state } = write(location, command(mode, input, previous, { now: later, settings }))
  return { faults: messages(draft.faults), state }
}

const patch = (input: JsonObject, previous: JsonObject, settings = withAddon) =>
  attempt('patch', input, previous, settings)

const stored = (input: JsonObject): JsonObject => storedState(location, { ...bare, ...input })

const plain = stored({})
const listing = stored({
  is_listing: true,
  contact_person: 'Ada',
  coupon_img_uuid: image,
  coupon_title: 'Half',
})

const everyAttribute = {
  sponsored: true,
  contact_person: 'Bob',
  contact_email: 'bob@example.org',
  listing_start: '2026-01-01T00:00:00',
  listing_expires: '2027-01-01T00:00:00',
  coupon_img_uuid: '6e0d9d3c-0b6f-4c8e-9a57-3f1d2c4b6a70',
  coupon_title: 'Two for one',
  coupon_description: 'Today.',
  coupon_start: '2026-02-01T00:00:00',
  coupon_expires: '2026-12-01T00:00:00',
}

describe('a PATCH of a listing', () => {
  it('needs is_listing: true for each listing or coupon attribute that it changes', () => {
    for (const previous of [plain, listing])
      for (const word of [{}, { is_listing: false }]) {
        const { faults } = patch({ ...everyAttribute, ...word, title: 'New' }, previous)
        expect(faults).to.have.all.keys(Object.keys(everyAttribute))
        for (const message of Object.values(faults))
          expect(message).to.equal('can only be changed together with is_listing: true')
      }
    expect(patch({ ...everyAttribute, is_listing: true, title: 'New' }, plain).faults).to.deep.equal({})
  })

  it('reports a wrong value together with attributes that cannot be changed', () => {
    expect(Object.keys(patch({ sponsored: 'yes', contact_person: 'Bob' }, plain).faults)).to.have.members([
      'sponsored',
      'contact_person',
    ])
  })

  it('may clear an attribute only with is_listing: true', () => {
    expect(patch({ contact_person: null }, listing).faults).to.have.keys(['contact_person'])
    expect(patch({ contact_person: null, is_listing: true }, listing).state).to.include({
      contact_person: null,
    })
  })

  it('may repeat current values, and change other attributes', () => {
    const { faults, state } = patch({ contact_person: 'Ada', sponsored: false, title: 'New' }, listing)
    expect(faults).to.deep.equal({})
    expect(state).to.include({ title: 'New', contact_person: 'Ada', is_listing: true })
  })

  it('makes a plain location a listing, from now on', () => {
    expect(patch({ is_listing: true }, plain)).to.deep.include({ faults: {} })
    expect(patch({ is_listing: true }, plain).state).to.include({ is_listing: true, listing_start: later })
  })

  it('makes a listing a plain location, and keeps what it has as a listing', () => {
    const { faults, state } = patch({ is_listing: false }, listing)
    expect(faults).to.deep.equal({})
    expect(state).to.deep.include({
      is_listing: false,
      contact_person: 'Ada',
      coupon_img_uuid: image,
      coupon_title: 'Half',
      listing_start: listing['listing_start'],
      listed_until: null,
      sponsored_listing: false,
    })
    expect(patch({ is_listing: true }, state).state).to.include({ listing_start: listing['listing_start'] })
  })

  it('is replaced by a PUT: attributes that are not sent are reset, those of a GET response are kept', () => {
    const read = { ...listing, is_listing: false }
    expect(attempt('put', read, listing).state).to.include({ contact_person: 'Ada', coupon_title: 'Half' })
    for (const word of [{}, { is_listing: false }, { is_listing: true }])
      expect(attempt('put', { ...bare, ...word }, listing).state).to.include({
        contact_person: null,
        coupon_title: null,
        sponsored: false,
      })
  })

  it('can be changed without this rule in a PUT', () => {
    expect(attempt('put', { ...bare, contact_person: 'Bob' }, listing).faults).to.deep.equal({})
    expect(attempt('put', { ...bare, ...everyAttribute }, null).faults).to.deep.equal({})
  })
})

describe('without the directory add-on', () => {
  it('each attribute that is true or not null has a fault', () => {
    for (const mode of ['put', 'patch'] as const)
      for (const word of [{}, { is_listing: true }]) {
        const { faults } = attempt(mode, { ...bare, ...everyAttribute, ...word }, listing, withoutAddon)
        expect(faults).to.have.all.keys([...Object.keys(everyAttribute), ...Object.keys(word)])
        for (const message of Object.values(faults)) expect(message).to.match(/directory add-on/)
      }
  })

  it('false and null are ignored, and stored values are kept', () => {
    const nothing = Object.fromEntries(Object.keys(everyAttribute).map((name) => [name, null]))
    for (const mode of ['put', 'patch'] as const)
      for (const input of [{}, { is_listing: false, sponsored: false }, { ...nothing, is_listing: null }]) {
        const { faults, state } = attempt(mode, { ...bare, ...input }, listing, withoutAddon)
        expect(faults).to.deep.equal({})
        for (const name of ['is_listing', ...Object.keys(everyAttribute)])
          expect(state[name], name).to.deep.equal(listing[name])
      }
  })

  it('a new location is a plain one', () => {
    expect(attempt('put', { ...bare, is_listing: false }, null, withoutAddon).state).to.include({
      is_listing: false,
      listing_start: null,
    })
  })
})

describe('a coupon', () => {
  it('needs an image, with the fault at coupon_img_uuid', () => {
    for (const part of [
      { coupon_title: 'Half' },
      { coupon_description: 'Today.' },
      { coupon_start: '2026-02-01' },
      { coupon_expires: '2026-12-01' },
    ]) {
      expect(attempt('put', { ...bare, is_listing: true, ...part }, null).faults).to.have.keys([
        'coupon_img_uuid',
      ])
      expect(patch({ is_listing: true, ...part }, plain).faults).to.have.keys(['coupon_img_uuid'])
      expect(patch({ is_listing: true, ...part, coupon_img_uuid: image }, plain).faults).to.deep.equal({})
      expect(patch({ is_listing: true, ...part }, listing).faults).to.deep.equal({})
    }
  })

  it('is removed when a change removes its image', () => {
    const ended = patch({ is_listing: true, coupon_img_uuid: null }, listing)
    expect(ended.faults).to.deep.equal({})
    for (const name of Object.keys(couponAttributes)) expect(ended.state[name] ?? null, name).to.equal(null)
    expect(ended.state).to.include({ is_listing: true, listing_start: listing['listing_start'] })
    expect(patch({ coupon_img_uuid: null }, listing).faults).to.have.keys(['coupon_img_uuid'])
    expect(
      patch({ is_listing: true, coupon_img_uuid: null, coupon_title: 'New' }, listing).faults,
    ).to.have.keys(['coupon_img_uuid'])
  })

  it('needs no image to clear attributes, or if they are unchanged since the image was deleted', () => {
    const orphan = { ...listing, coupon_img_uuid: null }
    expect(patch({ title: 'New' }, orphan).faults).to.deep.equal({})
    expect(patch({ coupon_title: 'Half', is_listing: true }, orphan).faults).to.deep.equal({})
    expect(patch({ coupon_title: null, is_listing: true }, orphan).faults).to.deep.equal({})
    expect(patch({ coupon_title: 'New', is_listing: true }, orphan).faults).to.have.keys(['coupon_img_uuid'])
  })
})

describe('the window of a listing or a coupon', () => {
  const noon = '2026-06-01T12:00:00'

  for (const [start, expires, more] of [
    ['listing_start', 'listing_expires', {}],
    ['coupon_start', 'coupon_expires', { coupon_img_uuid: image }],
  ] as const)
    it(`does not end before it begins, and may be empty: ${expires}`, () => {
      const put = (from: string | null, to: string) =>
        attempt('put', { ...bare, is_listing: true, ...more, [start]: from, [expires]: to }, null).faults
      for (const end of ['2026-06-01T12:00:00.001', noon]) expect(put(noon, end)).to.deep.equal({})
      for (const end of ['2026-06-01T11:59:59', '2020-01-01'])
        expect(put(noon, end)).to.deep.equal({ [expires]: `must not be before ${start}` })
      const previous = stored({ is_listing: true, ...more, [start]: noon })
      expect(patch({ is_listing: true, [expires]: '2026-05-01' }, previous).faults).to.have.keys([expires])
    })

  it('starts now if a listing has no start', () => {
    const put = (listing_expires: string) =>
      attempt('put', { ...bare, is_listing: true, listing_expires }, null)
    expect(put('2026-03-01T08:00:00').faults).to.have.keys(['listing_expires'])
    for (const end of [later, '2026-03-02T08:30:01']) expect(put(end).faults).to.deep.equal({})
    expect(attempt('put', { ...bare, listing_expires: '2020-01-01' }, null).faults).to.deep.equal({})
    const expired = stored({ listing_expires: '2020-01-01' })
    expect(patch({ is_listing: true }, expired).faults).to.have.keys(['listing_expires'])
  })

  it('may have no start for a coupon', () => {
    const past = { is_listing: true, coupon_img_uuid: image, coupon_expires: '2020-01-01' }
    expect(attempt('put', { ...bare, ...past }, null).faults).to.deep.equal({})
  })
})
