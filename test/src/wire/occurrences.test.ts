/**
 * docs/behaviour/collections.md#occurring, docs/behaviour/collections.md#occurrences: events by the dates of their
 * occurrences; on every store.
 */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import { columnOf, expectFaults, expectOk, rowsOf, uuidOf } from '../harness/expect-response.js'
import { onEveryStore } from '../harness/on-every-store.js'

onEveryStore('/events/occurrences', {}, (place) => {
  const event = async (urlname: string, dtstart: string, more: JsonObject = {}): Promise<string> =>
    uuidOf(
      await place.home.editor.post('/content', {
        content_type: 'event',
        title: urlname,
        urlname,
        dtstart,
        state: 'published',
        issued: '2020-01-01',
        ...more,
      }),
    )

  /** The urlname and start of each occurrence. */
  const occurrences = async (query: string, path = '/events/occurrences'): Promise<readonly string[]> =>
    rowsOf(await place.home.reader.get(`${path}?fields=urlname-dtstart&rpp=100&${query}`)).map(
      ([urlname, dtstart]) => `${String(urlname)} ${String(dtstart)}`,
    )

  const occurring = async (query: string, path = '/events'): Promise<readonly unknown[]> =>
    columnOf(await place.home.reader.get(`${path}?fields=urlname&${query}`))

  const season = async (): Promise<void> => {
    await event('market', '2026-03-07T08:00', {
      dtend: '2026-03-07T12:00',
      rrule: { freq: 'WEEKLY', until: '2026-04-30' },
      exdates: ['2026-03-21T08:00'],
      rdates: ['2026-03-25T15:00'],
    })
    await event('concert', '2026-03-14T20:00', { dtend: '2026-03-15T01:00' })
    await event('exhibition', '2026-01-15T10:00', { dtend: '2026-03-20T18:00' })
    await event('talk', '2026-03-14T08:00')
  }
  const exhibition = 'exhibition 2026-01-15T10:00:00'

  it('lists each occurrence that overlaps the period, by start and then by end', async () => {
    await season()
    expect(await occurrences('period=2026-03-14_2026-03-30')).to.deep.equal([
      exhibition,
      'talk 2026-03-14T08:00:00',
      'market 2026-03-14T08:00:00',
      'concert 2026-03-14T20:00:00',
      'market 2026-03-25T15:00:00',
      'market 2026-03-28T08:00:00',
    ])
  })

  it('includes the start of the period, and excludes its end and the ends of occurrences', async () => {
    await season()
    const within = (period: string) => occurrences(`period=${period}`)
    expect(await within('2026-03-14T08:00_2026-03-14T08:01')).to.deep.equal([
      exhibition,
      'talk 2026-03-14T08:00:00',
      'market 2026-03-14T08:00:00',
    ])
    expect(await within('2026-03-15T00:59_2026-03-16')).to.deep.equal([
      exhibition,
      'concert 2026-03-14T20:00:00',
    ])
    expect(await within('2026-03-15T01:00_2026-03-16')).to.deep.equal([exhibition])
    expect(await within('2026-03-20T18:00_2026-03-21T08:00')).to.deep.equal([])
  })

  it('returns the attributes of the event with the times of the occurrence', async () => {
    const { admin, reader, url } = place.home
    const section = uuidOf(await admin.post('/sections', { title: 's', urlname: 's' }))
    const hall = uuidOf(await admin.post('/locations', { title: 'Hall', urlname: 'hall' }))
    const id = await event('series', '2026-03-28T20:00', {
      dtend: '2026-03-29T04:00',
      rrule: { freq: 'DAILY', count: 2 },
      section_uuid: section,
      location_uuid: hall,
      event_status_type: 'postponed',
    })
    const fields = 'event_uuid-dtstart-dtend-url-title-urlname-section_uuid-location_uuid-event_status_type'
    const rows = rowsOf(await reader.get(`/events/occurrences?period=2026-01-01_2027-01-01&fields=${fields}`))
    const common = [`${url}/content/${id}`, 'series', 'series', section, hall, 'postponed']
    expect(rows).to.deep.equal([
      [id, '2026-03-28T20:00:00', '2026-03-29T04:00:00', ...common],
      [id, '2026-03-29T20:00:00', '2026-03-30T04:00:00', ...common],
    ])
    await event('open end', '2026-05-01T20:00', { urlname: 'open-end' })
    expect(
      rowsOf(await reader.get('/events/occurrences?period=2026-05-01_2026-05-02&fields=dtend')),
    ).to.deep.equal([[null]])
  })

  it('starts now and ends in two years without a period', async () => {
    await event('past', '2026-02-01T10:00', { dtend: '2026-02-28T10:00' })
    await event('yearly', '2020-06-01T10:00', { rrule: { freq: 'YEARLY' } })
    expect(await occurrences('')).to.deep.equal(['yearly 2026-06-01T10:00:00', 'yearly 2027-06-01T10:00:00'])
  })

  it('is filtered by section, location and tags, for few and for many events', async () => {
    const { admin, editor } = place.home
    const section = uuidOf(await admin.post('/sections', { title: 's', urlname: 's' }))
    const location = uuidOf(await admin.post('/locations', { title: 'Hall', urlname: 'hall' }))
    const tag = uuidOf(await admin.post('/tags', { last_name_or_title: 'Jazz', urlname: 'jazz' }))
    await season()
    const id = await event('jam', '2026-03-10T20:00', {
      rrule: { freq: 'WEEKLY', count: 2 },
      section_uuid: section,
      location_uuid: location,
    })
    expectOk(await editor.put(`/tags/${tag}/describes/${id}`, {}))
    const jams = ['jam 2026-03-10T20:00:00', 'jam 2026-03-17T20:00:00']
    for (const filter of [
      `events=${id}`,
      `events=${id}_${randomUUID()}&locations=${location}`,
      `sections=${section}`,
      `locations=${location}`,
      `tags=${tag}`,
      `tags_any=${tag}&predicate=describes`,
    ])
      expect(await occurrences(`period=2026-03-01_2026-04-01&${filter}`), filter).to.deep.equal(jams)
    expect(await occurrences(`period=2026-03-01_2026-04-01&events=${randomUUID()}`)).to.deep.equal([])
    for (let i = 0; i < 101; i += 1)
      await event(`n${i}`, '2026-03-12T10:00', { section_uuid: section, title: 'n' })
    const all = await occurrences(`period=2026-03-01_2026-04-01&sections=${section}&page=2`)
    expect(all).to.have.length(3)
    expect(all.at(-1)).to.equal(jams[1])
  })

  it('is read page by page', async () => {
    await season()
    await event('daily', '2026-02-01T09:00', { rrule: { freq: 'DAILY', count: 40 } })
    const whole = await occurrences('period=2026-03-01_2026-04-01')
    const read: unknown[] = []
    const pages = Math.ceil(whole.length / 4)
    for (let page = 1; page <= pages; page += 1) {
      const query = `period=2026-03-01_2026-04-01&fields=urlname-dtstart&rpp=4&page=${page}`
      read.push(
        ...rowsOf(await place.home.reader.get(`/events/occurrences?${query}`)).map((row) => row.join(' ')),
      )
    }
    expect(read).to.deep.equal(whole)
  })

  it('shows what the caller may see', async () => {
    const { visitor, editor } = place.home
    await event('draft', '2026-03-10T20:00', { state: 'draft' })
    await event('later', '2026-03-10T20:00', { issued: '2030-01-01' })
    const id = await event('live', '2026-03-10T20:00')
    const path = '/events/occurrences?period=2026-03-01_2026-04-01&fields=urlname'
    expect(columnOf(await visitor.get(path))).to.deep.equal(['live'])
    const drafts = columnOf(await editor.get('/content?state=draft&fields=uuid')).join('_')
    expect(columnOf(await visitor.get(`${path}&events=${drafts}_${id}`))).to.deep.equal(['live'])
    expect(columnOf(await editor.get(`${path}&events=${drafts}`))).to.deep.equal(['draft'])
    expect(columnOf(await editor.get(path))).to.have.members(['draft', 'later', 'live'])
    expectOk(await editor.patch(`/content/${id}`, { dtstart: '2026-05-01T10:00' }))
    expect(columnOf(await visitor.get(path))).to.deep.equal([])
    expectOk(await editor.delete(`/content/${id}`))
    expect(columnOf(await visitor.get('/events/occurrences?period=2026-05-01_2026-05-02'))).to.deep.equal([])
  })

  it('selects events with occurring, in any order and with other filters', async () => {
    await season()
    expect(await occurring('occurring=2026-03-28_2026-03-29')).to.deep.equal(['market'])
    expect(await occurring('occurring=2026-03-14_2026-03-16&order=title')).to.deep.equal([
      'concert',
      'exhibition',
      'market',
      'talk',
    ])
    expect(await occurring('occurring=2026-03-21_2026-03-22')).to.deep.equal([])
    expect(
      await occurring('ctypes=events&occurring=2026-03-14_2026-03-16&dtstart=2026-03-14_', '/content'),
    ).to.deep.equal(['concert', 'talk'])
    const rows = rowsOf(await place.home.reader.get('/events?fields=dtstart&occurring=2026-03-28_2026-03-29'))
    expect(rows).to.deep.equal([['2026-03-07T08:00:00']])
  })

  it('rejects periods that are backwards, empty or unbounded, and orders', async () => {
    const { reader } = place.home
    for (const period of [
      '2026-03-02_2026-03-01',
      '2026-03-01_2026-03-01',
      '2026-03-01_',
      '_2026-03-01',
      '_',
    ])
      for (const [path, name] of [
        ['/events?', 'occurring'],
        ['/events/occurrences?', 'period'],
      ] as const)
        expectFaults(await reader.get(`${path}${name}=${period}`), name)
    expectFaults(await reader.get('/content?occurring=2026-03-01_2026-03-02'), 'occurring')
    expectFaults(await reader.get('/events/occurrences?order=title'), 'order')
  })
})
