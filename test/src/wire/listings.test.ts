/** docs/behaviour/locations.md#listings, on every store. */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import {
  columnOf,
  expectError,
  expectFaults,
  expectOk,
  objectsOf,
  uuidOf,
} from '../harness/expect-response.js'
import type { Api } from '../harness/http-client.js'
import { storeImage } from '../harness/stored-files.js'
import { fresh, onEveryStore, type TestContext } from '../harness/on-every-store.js'
import { createPublication } from '../harness/publication.js'

const plain = {
  is_listing: false,
  sponsored: false,
  listing_start: null,
  listing_expires: null,
  listing_active: false,
  coupon_img_uuid: null,
  coupon_img_url: null,
  coupon_title: null,
  coupon_description: null,
  coupon_start: null,
  coupon_expires: null,
} as const

/** What public_user reads of a listing outside its window. */
const closed = { ...plain, is_listing: true, sponsored: null } as const

const contacts = { contact_person: null, contact_email: null } as const

const creator =
  (place: Pick<TestContext, 'home'>) =>
  async (urlname: string, more: JsonObject = {}): Promise<string> =>
    uuidOf(await place.home.editor.post('/locations', { title: urlname, urlname, ...more }))

onEveryStore('listings', { directory_addon: true }, (place) => {
  const create = creator(place)
  const read = async (id: string, api = place.home.editor): Promise<JsonObject> =>
    expectOk(await api.get(`/locations/${id}`)).object
  const patch = (id: string, body: JsonObject) => place.home.editor.patch(`/locations/${id}`, body)
  const names = async (query: string, api = place.home.reader): Promise<readonly Json[]> =>
    columnOf(await api.get(`/locations?fields=urlname&order=urlname&${query}`))

  it('return listing attributes whether or not the location is a listing', async () => {
    const id = await create('a')
    expect(await read(id)).to.include({ ...plain, ...contacts })
    expect(await read(id, place.home.visitor)).to.include(plain)
  })

  // docs/behaviour/locations.md#contacts
  it('return contact fields as null to public_user, in rows as well', async () => {
    const id = await create('a', {
      is_listing: true,
      contact_person: 'Ann',
      contact_email: 'ann@example.org',
    })
    expect(await read(id, place.home.reader)).to.include({
      contact_person: 'Ann',
      contact_email: 'ann@example.org',
    })
    expect(await read(id, place.home.visitor)).to.include({ contact_person: null, contact_email: null })
    const query = '/locations?fields=contact_person-contact_email'
    expect(objectsOf(await place.home.visitor.get(query))).to.deep.equal([[null, null]])
    expect(objectsOf(await place.home.reader.get(query))).to.deep.equal([['Ann', 'ann@example.org']])
  })

  // docs/behaviour/locations.md#listing-patch
  it('require is_listing: true for a PATCH of listing or coupon attributes, with one fault for each attribute', async () => {
    const image = await storeImage(place.home.editor)
    const listing = {
      sponsored: true,
      contact_person: 'x',
      contact_email: 'x@example.org',
      listing_start: '2026-01-01',
      listing_expires: '2027-01-01',
      coupon_img_uuid: image.id,
      coupon_title: 'x',
      coupon_description: 'x',
      coupon_start: '2026-01-01',
      coupon_expires: '2027-01-01',
    }
    for (const start of [{}, { is_listing: true }]) {
      const id = await create(randomUUID(), start)
      const before_ = await read(id)
      expectFaults(await patch(id, listing), ...Object.keys(listing))
      expectFaults(await patch(id, { ...listing, is_listing: false }), ...Object.keys(listing))
      expectFaults(await patch(id, { ...listing, title: true }), 'title', ...Object.keys(listing))
      expect(await read(id)).to.deep.equal(before_)
      expectOk(await patch(id, { ...listing, is_listing: true }))
      expect(await read(id)).to.include({ is_listing: true, sponsored: true, coupon_title: 'x' })
      expectOk(await patch(id, { title: 'Another' }))
    }
  })

  // docs/behaviour/locations.md#listings
  it('are created by PATCH with is_listing true; false makes a plain location and keeps the stored attributes', async () => {
    const id = await create('a')
    expectOk(await patch(id, { is_listing: true, sponsored: true, contact_person: 'Ann' }))
    expect(await read(id)).to.include({
      is_listing: true,
      listing_active: true,
      listing_start: '2026-03-01T13:00:00',
      sponsored: true,
    })
    expect(await names('type=sponsored', place.home.visitor)).to.deep.equal(['a'])
    expectOk(await patch(id, { is_listing: false }))
    expect(await read(id)).to.include({
      is_listing: false,
      listing_active: false,
      sponsored: true,
      contact_person: 'Ann',
    })
    expect(await read(id, place.home.visitor)).to.include(plain)
    expect(await names('type=sponsored')).to.deep.equal([])
    expectOk(await patch(id, { is_listing: true }))
    expect(await read(id)).to.include({ sponsored: true, contact_person: 'Ann' })
  })

  it('are replaced whole by PUT: attributes that it does not send are lost, with is_listing false too', async () => {
    const id = await create('a')
    expectOk(await patch(id, { is_listing: true, sponsored: true, contact_person: 'Ann' }))
    const put = (input: JsonObject) => place.home.editor.put(`/locations/${id}`, input)
    expectOk(await put({ ...(await read(id)), is_listing: false }))
    expect(await read(id)).to.include({ is_listing: false, sponsored: true, contact_person: 'Ann' })
    expectOk(await put({ title: 'a', urlname: 'a', is_listing: false }))
    expect(await read(id)).to.include({ is_listing: false, sponsored: false, contact_person: null })
  })

  // docs/behaviour/locations.md#listing-window
  it('set listing_start to now by default; reject an expiry before the start, of the coupon as well', async () => {
    const image = await storeImage(place.home.editor)
    const { editor } = place.home
    const base = { title: 'x', urlname: 'x', is_listing: true, coupon_img_uuid: image.id }
    expectFaults(
      await editor.post('/locations', {
        ...base,
        listing_start: '2026-02-01',
        listing_expires: '2026-01-31T23:59:59',
        coupon_start: '2026-02-01T00:00:01',
        coupon_expires: '2026-02-01',
      }),
      'listing_expires',
      'coupon_expires',
    )
    expectFaults(
      await editor.post('/locations', { ...base, listing_expires: '2026-03-01T12:59:59' }),
      'listing_expires',
    )
    expectOk(await editor.post('/locations', { ...base, listing_expires: '2026-03-01T13:00:00' }))
  })

  // docs/behaviour/locations.md#coupons
  it('require an existing image for a coupon', async () => {
    const image = await storeImage(place.home.editor)
    const id = await create('a', { is_listing: true })
    for (const coupon of [
      { coupon_title: 'x' },
      { coupon_description: 'x' },
      { coupon_start: '2026-01-01' },
      { coupon_expires: '2027-01-01' },
    ])
      expectFaults(await patch(id, { is_listing: true, ...coupon }), 'coupon_img_uuid')
    expectFaults(await patch(id, { is_listing: true, coupon_img_uuid: randomUUID() }), 'coupon_img_uuid')
    expectOk(await patch(id, { is_listing: true, coupon_img_uuid: image.id, coupon_title: 'x' }))
    expect(await read(id, place.home.visitor)).to.include({
      coupon_title: 'x',
      coupon_img_uuid: image.id,
      coupon_img_url: `${place.home.url}${image.download}`,
    })
    expectFaults(
      await patch(id, { is_listing: true, coupon_img_uuid: null, coupon_title: 'y' }),
      'coupon_img_uuid',
    )
  })

  // docs/behaviour/locations.md#type-filter
  it('are filtered by type=listing, location, sponsored; both without type', async () => {
    await create('plain')
    await create('listing', { is_listing: true })
    await create('sponsored', { is_listing: true, sponsored: true })
    await create('over', { is_listing: true, listing_start: '2025-01-01', listing_expires: '2026-01-01' })
    await create('to-come', { is_listing: true, sponsored: true, listing_start: '2027-01-01' })
    const { reader, visitor } = place.home
    const all = ['listing', 'over', 'plain', 'sponsored', 'to-come']
    for (const api of [reader, visitor]) expect(await names('rpp=50', api)).to.deep.equal(all)
    expect(await names('type=listing', reader)).to.deep.equal(['listing', 'over', 'sponsored', 'to-come'])
    expect(await names('type=location', reader)).to.deep.equal(['plain'])
    expect(await names('type=sponsored', reader)).to.deep.equal(['sponsored', 'to-come'])
    expect(await names('type=listing', visitor)).to.deep.equal(['listing', 'sponsored'])
    expect(await names('type=location', visitor)).to.deep.equal(['over', 'plain', 'to-come'])
    expect(await names('type=sponsored', visitor)).to.deep.equal(['sponsored'])
    expectFaults(await reader.get('/locations?type=restaurant'), 'type')
  })

  /** What public_user reads at an instant: the object, and which of the three kinds of list contain it. */
  const publicly = async (id: string, api: Api, instant: string, service = place.service) => {
    service.clock.set(Date.parse(instant))
    const { object } = expectOk(await api.get(`/locations/${id}`))
    const { object: late } = expectOk(await api.get(`/locations/${id}`, fresh))
    expect(object, `the cached object is current at ${instant}`).to.deep.equal(late)
    const listed = columnOf(await api.get('/locations?type=listing&fields=uuid')).includes(id)
    const unlisted = columnOf(await api.get('/locations?type=location&fields=uuid')).includes(id)
    expect(listed).to.not.equal(unlisted)
    expect(object['listing_active']).to.equal(listed)
    expect(object['is_listing']).to.equal(true)
    return object
  }

  // docs/behaviour/locations.md#listing-window
  it('are public from the exact second of the start to that of the expiry; other roles always read is_listing', async () => {
    const id = await create('a', {
      is_listing: true,
      sponsored: true,
      listing_start: '2026-03-01T13:10:00',
      listing_expires: '2026-03-01T13:20:00',
    })
    const { visitor, reader } = place.home
    const seen: unknown[] = []
    for (const instant of ['12:09:59', '12:10:00', '12:19:59', '12:20:00']) {
      seen.push((await publicly(id, visitor, `2026-03-01T${instant}Z`))['listing_active'])
      const { is_listing, listing_active } = await read(id, reader)
      expect(is_listing).to.equal(true)
      expect(listing_active).to.equal(seen.at(-1))
      expect(await names('type=listing', reader)).to.deep.equal(['a'])
    }
    expect(seen).to.deep.equal([false, true, true, false])
    expect(await read(id, visitor)).to.include(closed)
  })

  it('show a coupon only between its start and its expiry, to the exact second', async () => {
    const image = await storeImage(place.home.editor)
    const id = await create('a', {
      is_listing: true,
      coupon_img_uuid: image.id,
      coupon_title: 'Half price',
      coupon_start: '2026-03-01T13:10:00',
      coupon_expires: '2026-03-01T13:20:00',
    })
    const { visitor, reader } = place.home
    const seen: unknown[] = []
    for (const instant of ['12:09:59', '12:10:00', '12:19:59', '12:20:00']) {
      const { coupon_title, coupon_img_url } = await publicly(id, visitor, `2026-03-01T${instant}Z`)
      expect(coupon_img_url === null).to.equal(coupon_title === null)
      seen.push(coupon_title)
      expect((await read(id, reader))['coupon_title']).to.equal('Half price')
    }
    expect(seen).to.deep.equal([null, 'Half price', 'Half price', null])
  })

  it('show a coupon without a window as long as the listing', async () => {
    const image = await storeImage(place.home.editor)
    const id = await create('a', {
      is_listing: true,
      coupon_img_uuid: image.id,
      listing_expires: '2026-03-01T13:20:00',
    })
    const at = async (instant: string) =>
      (await publicly(id, place.home.visitor, `2026-03-01T${instant}Z`))['coupon_img_uuid']
    expect(await at('12:19:59')).to.equal(image.id)
    expect(await at('12:20:00')).to.equal(null)
  })

  const daylight = {
    'the clocks are put forward from 02:00 to 03:00': {
      window: { listing_start: '2026-03-29T01:59:59', listing_expires: '2026-03-29T03:00:01' },
      rows: {
        '2026-03-29T00:59:58Z': false,
        '2026-03-29T00:59:59Z': true,
        '2026-03-29T01:00:00Z': true,
        '2026-03-29T01:00:01Z': false,
      },
    },
    'the clocks are put back from 03:00 to 02:00': {
      window: { listing_start: '2026-10-25T01:30:00', listing_expires: '2026-10-25T02:30:00' },
      rows: {
        '2026-10-24T23:29:59Z': false,
        '2026-10-24T23:30:00Z': true,
        '2026-10-25T00:29:59Z': true,
        '2026-10-25T00:30:00Z': false,
        '2026-10-25T01:00:00Z': false,
        '2026-10-25T01:29:59Z': false,
        '2026-10-25T02:00:00Z': false,
      },
    },
  } as const
  for (const [day, { window, rows }] of Object.entries(daylight))
    // docs/behaviour/time.md#windows
    it(`use the zone of the instance on the day when ${day}`, async () => {
      const [first = ''] = Object.keys(rows)
      place.service.clock.set(Date.parse(first) - 3_600_000)
      const home = await createPublication(place.service, { directory_addon: true })
      const id = await creator({ home })('a', { is_listing: true, ...window })
      for (const [instant, active] of Object.entries(rows))
        expect((await publicly(id, home.visitor, instant))['listing_active'], instant).to.equal(active)
    })

  it('use the zone of their instance', async () => {
    const home = await createPublication(place.service, {
      directory_addon: true,
      timezone: 'America/New_York',
    })
    const id = await creator({ home })('a', { is_listing: true, listing_expires: '2026-03-01T07:10:00' })
    expect((await publicly(id, home.visitor, '2026-03-01T12:09:59Z'))['listing_active']).to.equal(true)
    expect((await publicly(id, home.visitor, '2026-03-01T12:10:00Z'))['listing_active']).to.equal(false)
  })

  it('change with the clock in cached public responses', async () => {
    const id = await create('a', { is_listing: true, listing_expires: '2026-03-01T13:00:30' })
    const { reader } = place.home
    expect((await read(id, reader))['listing_active']).to.equal(true)
    place.service.clock.advance(29_000)
    expect((await read(id, reader))['listing_active']).to.equal(true)
    place.service.clock.advance(1000)
    expect((await read(id, reader))['listing_active']).to.equal(false)
  })

  // docs/behaviour/locations.md#listing-images
  it('have images of the file library, in order, each once', async () => {
    const { editor, visitor } = place.home
    const [one, two] = [(await storeImage(editor)).id, (await storeImage(editor)).id]
    const id = await create('a', { is_listing: true })
    const path = `/locations/${id}/listing_images`
    const shown = async (api = editor) => objectsOf(await api.get(path))
    const row = (uuid: string) => ({ uuid, url: `${place.home.url}/files/${uuid}` })
    expect(await shown()).to.deep.equal([])
    expectOk(await editor.put(path, { items: [{ uuid: two }, { uuid: one.toUpperCase() }, { uuid: two }] }))
    expect(await shown()).to.deep.equal([row(two), row(one)])
    expectOk(await editor.put(path, { items: [{ uuid: one }] }))
    expectOk(await editor.post(path, { uuid: two }))
    expectOk(await editor.post(path, { uuid: one }))
    expect(await shown()).to.deep.equal([row(one), row(two)])
    expect(await shown(visitor)).to.deep.equal([row(one), row(two)])
    expectFaults(
      await editor.put(path, { items: [{ uuid: one }, { uuid: randomUUID() }, {}] }),
      'items.1.uuid',
      'items.2.uuid',
    )
    expectFaults(await editor.post(path, { uuid: id }), 'uuid')
    expectError(await visitor.put(path, { items: [] }), 403, 'forbidden')
    const tag = expectOk(await editor.get(path)).headers.etag
    expectOk(await editor.put(path, { items: [{ uuid: two }] }, { 'If-Match': tag }))
    expectError(await editor.put(path, { items: [] }, { 'If-Match': tag }), 412, 'precondition_failed')
    expectOk(await editor.delete(`/files/${two}`))
    expect(await shown()).to.deep.equal([])
    expectOk(await patch(id, { title: 'x' }))
  })

  // docs/behaviour/locations.md#outside-the-window
  it('hide their images outside their window from public_user', async () => {
    const { editor, visitor, reader } = place.home
    const image = (await storeImage(editor)).id
    const id = await create('a', { is_listing: true, listing_expires: '2026-03-01T13:00:30' })
    const path = `/locations/${id}/listing_images`
    expectOk(await editor.put(path, { items: [{ uuid: image }] }))
    expect(objectsOf(await visitor.get(path))).to.have.lengthOf(1)
    place.service.clock.advance(30_000)
    expect(objectsOf(await visitor.get(path))).to.have.lengthOf(0)
    expect(objectsOf(await reader.get(path))).to.have.lengthOf(1)
  })
})

onEveryStore('without the directory add-on', {}, (place) => {
  const create = creator(place)

  // docs/behaviour/locations.md#type-filter
  it('type is a fault', async () => {
    for (const type of ['listing', 'location', 'sponsored'])
      expectFaults(await place.home.reader.get(`/locations?type=${type}`), 'type')
  })

  // docs/behaviour/instance.md#directory-add-on
  it('PATCH with is_listing true is a fault', async () => {
    const id = await create('a')
    expectFaults(await place.home.editor.patch(`/locations/${id}`, { is_listing: true }), 'is_listing')
    expectFaults(
      await place.home.editor.patch(`/locations/${id}`, {
        is_listing: true,
        sponsored: true,
        coupon_title: null,
        contact_person: 'x',
      }),
      'is_listing',
      'sponsored',
      'contact_person',
    )
    expectOk(await place.home.editor.patch(`/locations/${id}`, { is_listing: false, coupon_title: null }))
  })

  it('listing images do not exist', async () => {
    const id = await create('a')
    const path = `/locations/${id}/listing_images`
    expectError(await place.home.editor.get(path), 404, 'not_found')
    expectError(await place.home.editor.put(path, { items: [] }), 404, 'not_found')
  })

  it('stored listing attributes are available again with the add-on', async () => {
    const { admin, editor, reader } = place.home
    const id = await create('a')
    const path = `/locations/${id}`
    const put = async (on: boolean) => expectOk(await admin.patch('/settings', { directory_addon: on }))
    await put(true)
    expectOk(await editor.patch(path, { is_listing: true, sponsored: true }))
    await put(false)
    expect(expectOk(await reader.get(path)).object).not.to.have.any.keys('is_listing', 'sponsored')
    expectOk(await editor.put(path, expectOk(await editor.get(path)).body))
    await put(true)
    expect(expectOk(await reader.get(path)).object).to.include({ is_listing: true, sponsored: true })
  })
})
