/** docs/behaviour/locations.md#listings, on every store. */
import { expect } from 'chai'
import { it } from 'mocha'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { columnOf, expectOk, uuidOf } from '../harness/expect-response.js'
import type { Api } from '../harness/http-client.js'
import { fresh, onEveryStore, type TestContext } from '../harness/on-every-store.js'

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

const creator =
  (place: Pick<TestContext, 'home'>) =>
  async (urlname: string, more: JsonObject = {}): Promise<string> =>
    uuidOf(await place.home.editor.post('/locations', { title: urlname, urlname, ...more }))

onEveryStore('listings', { directory_addon: true }, (place) => {
  const create = creator(place)
  const read = async (id: string, api = place.home.editor): Promise<JsonObject> =>
    expectOk(await api.get(`/locations/${id}`)).object

  const names = async (query: string, api = place.home.reader): Promise<readonly Json[]> =>
    columnOf(await api.get(`/locations?fields=urlname&order=urlname&${query}`))

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

  it('change with the clock in cached public responses', async () => {
    const id = await create('a', { is_listing: true, listing_expires: '2026-03-01T13:00:30' })
    const { reader } = place.home
    expect((await read(id, reader))['listing_active']).to.equal(true)
    place.service.clock.advance(29_000)
    expect((await read(id, reader))['listing_active']).to.equal(true)
    place.service.clock.advance(1000)
    expect((await read(id, reader))['listing_active']).to.equal(false)
  })
})
