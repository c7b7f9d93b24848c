/** docs/behaviour/content.md#recurrence: recurrence, status, tickets and the add-on of events, on every store. */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import { expectFaults, expectOk, uuidOf } from '../harness/expect-response.js'
import { onEveryStore } from '../harness/on-every-store.js'

onEveryStore('events', {}, (place) => {
  const post = (more: JsonObject) =>
    place.home.editor.post('/content', {
      content_type: 'event',
      title: 'x',
      urlname: randomUUID(),
      dtstart: '2026-04-01T20:00:00',
      ...more,
    })
  const created = async (more: JsonObject): Promise<JsonObject> =>
    expectOk(await place.home.editor.get(`/content/${uuidOf(await post(more))}`)).object

  it('require dtstart; reject a dtend before it', async () => {
    expectFaults(await post({ dtstart: null }), 'dtstart')
    expectFaults(await post({ dtend: '2026-04-01T19:59:59' }), 'dtend')
    expectOk(await post({ dtend: '2026-04-01T20:00:00' }))
  })

  const rules: readonly JsonObject[] = [
    { freq: 'DAILY' },
    { freq: 'WEEKLY', interval: 2, byday: ['MO', 'WE'], wkst: 'SU' },
    { freq: 'MONTHLY', byday: ['2TU', '-1FR'], count: 10 },
    { freq: 'MONTHLY', bymonthday: [1, -1], until: '2027-01-01T00:00:00' },
    { freq: 'MONTHLY', byday: ['MO', 'TU', 'WE', 'TH', 'FR'], bysetpos: [-1] },
    { freq: 'YEARLY', bymonth: [3], byday: ['1SU'] },
    { freq: 'YEARLY', byyearday: [100, -1] },
    { freq: 'YEARLY', byweekno: [20], byday: ['MO'] },
    { freq: 'HOURLY', byhour: [9, 17], byminute: [30] },
  ]
  for (const rrule of rules)
    it(`accept the rule ${JSON.stringify(rrule)} and return it unchanged, with the other parts null`, async () => {
      const { rrule: read } = await created({ rrule })
      expect(read).to.deep.include(rrule)
      expect(Object.keys(read as JsonObject)).to.have.members(
        `freq interval count until byday bymonth bymonthday byyearday byweekno byhour byminute bysecond bysetpos wkst`.split(
          ' ',
        ),
      )
    })

  const wrong: readonly (readonly [JsonObject, ...string[]])[] = [
    [{}, 'rrule.freq'],
    [{ freq: 'FORTNIGHTLY' }, 'rrule.freq'],
    [{ freq: 'DAILY', count: 2, until: '2026-05-01' }, 'rrule.until'],
    [{ freq: 'DAILY', count: 0, interval: 0 }, 'rrule.count', 'rrule.interval'],
    [{ freq: 'WEEKLY', byday: ['XX', 'MO', '54MO'] }, 'rrule.byday.0', 'rrule.byday.2'],
    [{ freq: 'WEEKLY', byday: ['2MO'] }, 'rrule.byday'],
    [{ freq: 'MONTHLY', bymonthday: [0, 32] }, 'rrule.bymonthday.1'],
    [{ freq: 'MONTHLY', bymonthday: [1, 0] }, 'rrule.bymonthday.1'],
    [{ freq: 'WEEKLY', bymonthday: [1] }, 'rrule.bymonthday'],
    [{ freq: 'MONTHLY', byweekno: [20] }, 'rrule.byweekno'],
    [{ freq: 'DAILY', byyearday: [1] }, 'rrule.byyearday'],
    [{ freq: 'MONTHLY', bysetpos: [1] }, 'rrule.bysetpos'],
    [{ freq: 'DAILY', until: '2026-03-31' }, 'rrule.until'],
    [{ freq: 'YEARLY', bymonth: [2], bymonthday: [30] }, 'rrule'],
  ]
  for (const [rrule, ...paths] of wrong)
    it(`reject the rule ${JSON.stringify(rrule)}`, async () => {
      expectFaults(await post({ rrule }), ...paths)
    })

  it('accept rdates as additional starts and exdates as exceptions, both lists of date-times and days', async () => {
    expect(
      await created({ rdates: ['2026-05-01', '2026-05-02T10:00'], exdates: ['2026-04-02T20:00:00Z'] }),
    ).to.deep.include({
      rdates: ['2026-05-01', '2026-05-02T10:00:00'],
      exdates: ['2026-04-02T22:00:00'],
    })
    expectFaults(await post({ rdates: ['x'], exdates: ['2026-02-30'] }), 'rdates.0', 'exdates.0')
  })

  it('validate a changed start with the stored rule', async () => {
    const id = uuidOf(await post({ rrule: { freq: 'DAILY', until: '2026-04-10' } }))
    expectFaults(await place.home.editor.patch(`/content/${id}`, { dtstart: '2026-04-11' }), 'rrule.until')
    expectOk(await place.home.editor.patch(`/content/${id}`, { dtstart: '2026-04-09' }))
  })

  it('have ticket_urls and event_status_type', async () => {
    const tickets = [{ url: 'https://example.org/t', link_text: 'Tickets' }]
    expect(await created({ ticket_urls: tickets })).to.deep.include({
      ticket_urls: tickets,
      event_status_type: null,
    })
    for (const status of ['cancelled', 'postponed', 'rescheduled', 'moved_online'])
      expect(await created({ event_status_type: status })).to.include({ event_status_type: status })
    expectFaults(
      await post({ event_status_type: 'over', ticket_urls: [{ link_text: 'x' }] }),
      'event_status_type',
      'ticket_urls.0.url',
    )
  })

  it('have sponsored only with the add-on', async () => {
    expect(await created({})).not.to.have.property('sponsored')
    expectFaults(await post({ sponsored: true }), 'sponsored')
    expectOk(await place.home.admin.patch('/settings', { directory_addon: true }))
    expect(await created({ sponsored: true })).to.include({ sponsored: true })
    expect(await created({})).to.include({ sponsored: false })
  })

  it('name a location by location_uuid, or describe it by location_alt', async () => {
    const location = uuidOf(await place.home.editor.post('/locations', { title: 'x', urlname: 'x' }))
    expect(await created({ location_uuid: location, location_alt: 'behind the bar' })).to.include({
      location_uuid: location,
      location_alt: 'behind the bar',
    })
    expectFaults(await post({ location_uuid: randomUUID() }), 'location_uuid')
  })
})
