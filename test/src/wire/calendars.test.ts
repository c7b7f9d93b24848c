/** Calendars of events (docs/behaviour/feeds.md#calendars). */
import { expect } from 'chai'
import ICAL from 'ical.js'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import { expectError, expectFaults, expectOk, expectStatus, uuidOf } from '../harness/expect-response.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'

onEveryStore('calendars', { website_url: 'https://www.example.org/', public_feeds: true }, (place) => {
  const create = async (path: string, body: JsonObject): Promise<string> =>
    uuidOf(await place.home.admin.post(path, { urlname: randomUUID(), ...body }))
  const event = (body: JsonObject = {}): Promise<string> =>
    create('/content', {
      content_type: 'event',
      title: 'Concert',
      state: 'published',
      issued: '2026-01-01',
      dtstart: '2026-03-10T20:00:00',
      ...body,
    })
  const read = async (path = '/calendar.ics', api = place.home.anonymous) => {
    const response = expectOk(await api.get(path, fresh))
    expect(response.headers['content-type']).to.equal('text/calendar; charset=utf-8')
    return new ICAL.Component(ICAL.parse(response.bytes.toString()))
  }
  const eventsIn = async (...options: Parameters<typeof read>) =>
    (await read(...options)).getAllSubcomponents('vevent')
  const uids = async (...options: Parameters<typeof read>): Promise<readonly string[]> =>
    (await eventsIn(...options))
      .map((each) => String(each.getFirstPropertyValue('uid')).slice(-36))
      .toSorted()

  it('contain the live events that are not over for more than a year, for every role', async () => {
    const found = [
      await event(),
      await event({ dtstart: '2025-06-01T20:00:00' }),
      await event({ dtstart: '2031-06-01T20:00:00' }),
      await event({ dtstart: '2020-01-01T20:00:00', rrule: { freq: 'YEARLY' } }),
    ]
    await event({ dtstart: '2024-06-01T20:00:00' })
    await event({ state: 'draft' })
    await event({ issued: '2999-01-01' })
    await create('/content', {
      content_type: 'article',
      title: 'x',
      state: 'published',
      issued: '2026-01-01',
    })
    for (const api of [place.home.anonymous, place.home.visitor, place.home.admin])
      expect(await uids('/calendar.ics', api)).to.deep.equal(found.toSorted())
  })

  it('have what the public sees of an event', async () => {
    const { admin } = place.home
    const location = await create('/locations', {
      title: 'Café; «Zum, Mond»',
      street: 'Lane',
      streetnumber: '3',
      pcode: '1010',
      coords: [48.2, 16.3],
      state: 'published',
    })
    const tag = await create('/tags', { last_name_or_title: 'Jazz' })
    const secret = await create('/tags', { last_name_or_title: 'Secret', state: 'internal' })
    const id = await event({
      urlname: 'concert',
      description: 'One\nTwo',
      dtend: '2026-03-10T22:00:00',
      rrule: { freq: 'WEEKLY', count: 3 },
      exdates: ['2026-03-17'],
      location_uuid: location,
      event_status_type: 'cancelled',
    })
    for (const each of [tag, secret]) expectOk(await admin.put(`/tags/${each}/describes/${id}`, {}))
    const [shown] = await eventsIn(`/content/${id}/calendar.ics`, admin)
    const valueOf = (name: string): string => String(shown?.getFirstPropertyValue(name))
    const values = Object.fromEntries(
      [
        'uid',
        'dtstart',
        'dtend',
        'rrule',
        'exdate',
        'summary',
        'description',
        'status',
        'location',
        'geo',
        'url',
        'categories',
      ].map((name) => [name, valueOf(name)]),
    )
    expect(values).to.deep.equal({
      uid: `urn:uuid:${id}`,
      dtstart: '2026-03-10T20:00:00',
      dtend: '2026-03-10T22:00:00',
      rrule: 'FREQ=WEEKLY;COUNT=3',
      exdate: '2026-03-17T20:00:00',
      summary: 'Cancelled: Concert',
      description: 'One\nTwo',
      status: 'CANCELLED',
      location: 'Café; «Zum, Mond», Lane 3, 1010',
      geo: '48.2,16.3',
      url: 'https://www.example.org/concert/',
      categories: 'Jazz',
    })
    expect(shown?.getFirstProperty('dtstart')?.getParameter('tzid')).to.equal('Europe/Vienna')
    expectOk(await admin.patch('/settings', { website_url: null, public_feeds: false }))
    expectError(await place.home.anonymous.get('/calendar.ics'), 401, 'unauthorized')
    expect(await uids('/calendar.ics', place.home.visitor)).to.deep.equal([id])
  })

  it('are selected as in the list of occurrences', async () => {
    const top = await create('/sections', { title: 'Top' })
    const below = await create('/sections', { title: 'Below', parent_uuid: top })
    const location = await create('/locations', { title: 'Bar', state: 'published' })
    const tag = await create('/tags', { last_name_or_title: 'Jazz' })
    const [inTop, inBelow, there] = [
      await event({ section_uuid: top }),
      await event({ section_uuid: below }),
      await event({ location_uuid: location }),
    ]
    expectOk(await place.home.admin.put(`/tags/${tag}/describes/${there}`, {}))
    expect(await uids(`/calendar.ics?sections=${top}`)).to.deep.equal([inTop])
    expect(await uids(`/calendar.ics?sections=${top}&subtree=true`)).to.deep.equal(
      [inTop, inBelow].toSorted(),
    )
    expect(await uids(`/calendar.ics?tags=${tag}`)).to.deep.equal([there])
    expect(await uids(`/calendar.ics?locations=${location}_${top}`)).to.deep.equal([there])
    expect(await uids(`/calendar.ics?locations=${top}`)).to.deep.equal([])
    expectFaults(await place.home.anonymous.get('/calendar.ics?tags=x&sections=%00'), 'sections', 'tags')
    const strict = { Prefer: 'handling=strict' }
    expectFaults(await place.home.anonymous.get('/calendar.ics?page=2', strict), 'page')
  })

  it('of one object exist for events that the public sees', async () => {
    const article = await create('/content', {
      content_type: 'article',
      title: 'x',
      state: 'published',
      issued: '2026-01-01',
    })
    for (const id of [
      article,
      await event({ state: 'draft' }),
      await event({ exdates: ['2026-03-10'] }),
      randomUUID(),
      'x',
    ])
      expectError(await place.home.admin.get(`/content/${id}/calendar.ics`), 404, 'not_found')
  })

  it('are known by an entity tag, and follow writes at once', async () => {
    const id = await event()
    const first = expectOk(await place.home.anonymous.get('/calendar.ics'))
    const headers = { 'If-None-Match': String(first.headers['etag']) }
    expectStatus(await place.home.anonymous.get('/calendar.ics', headers), 304)
    expect(String(first.headers['cache-tag'])).to.include('content')
    expectOk(await place.home.admin.patch(`/content/${id}`, { dtstart: '2026-03-11T20:00:00' }))
    const second = expectOk(await place.home.anonymous.get('/calendar.ics', headers))
    expect(second.bytes.toString()).to.include('20260311T200000')
  })
})
