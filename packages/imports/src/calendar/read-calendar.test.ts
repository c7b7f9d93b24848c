import type { ImportRecord } from '@publishing-service/domain/imports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { UnreadableSource } from '../unreadable-source.js'
import { readCalendar, type CalendarOptions } from './read-calendar.js'

const vienna: CalendarOptions = {
  zone: 'Europe/Vienna',
  now: Date.parse('2026-03-01T00:00:00Z'),
  state: 'published',
  source: '',
}

const calendar = (...lines: readonly string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')

const event = (...lines: readonly string[]): readonly string[] => [
  'BEGIN:VEVENT',
  'UID:a@example.org',
  'DTSTAMP:20260101T000000Z',
  'SUMMARY:Tea',
  ...lines,
  'END:VEVENT',
]

const immediately = async (): Promise<void> => undefined

const recordsIn = async (
  text: string,
  options: Partial<CalendarOptions> = {},
): Promise<readonly ImportRecord[]> => {
  const { records, total } = await readCalendar(text, { ...vienna, ...options }, immediately)
  const found: ImportRecord[] = []
  for await (const record of records()) found.push(record)
  expect(total).to.equal(found.length)
  return found
}

/** The record of the only event, without its tags. */
const read = async (
  lines: readonly string[],
  options: Partial<CalendarOptions> = {},
): Promise<ImportRecord> => {
  const events = (await recordsIn(calendar(...lines), options)).filter(
    ({ object }) => object?.collection !== 'tags',
  )
  const [record] = events
  if (record === undefined || events.length > 1) throw new Error(`${events.length} events`)
  return record
}

const attributesOf = ({ object }: ImportRecord) => object?.attributes ?? {}

const kindsOf = ({ notes }: ImportRecord): readonly string[] => notes.map(({ kind }) => kind)

/** The zone of Central Europe as Outlook writes it. */
const outlookZone = (name: string): readonly string[] => [
  'BEGIN:VTIMEZONE',
  `TZID:${name}`,
  'BEGIN:STANDARD',
  'DTSTART:16010101T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:16010101T020000',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
]

describe('readCalendar', () => {
  it('reads an event with its text, place, address, tags and status', async () => {
    const [tag, record, ...others] = await recordsIn(
      calendar(
        ...event(
          'DTSTART;TZID=Europe/Vienna:20260501T190000',
          'DTEND;TZID=Europe/Vienna:20260501T210000',
          'DESCRIPTION:Bring a cup\\, and\\n a',
          '  friend.',
          'X-ALT-DESC;FMTTYPE=text/html:<p>Bring a <b>cup</b>\\, and a friend.</p>',
          'LOCATION:Town hall\\, Ring 1',
          'GEO:48.2;16.3',
          'URL:https://example.org/tea',
          'CATEGORIES:Food',
          'STATUS:CANCELLED',
          'CREATED:20260102T030405Z',
          'ATTENDEE;CN="A; B":mailto:a@example.org',
          'ATTENDEE:mailto:b@example.org',
          'BEGIN:VALARM',
          'TRIGGER:-PT5M',
          'DESCRIPTION:Alarm',
          'END:VALARM',
        ),
      ),
    )
    expect(others).to.deep.equal([])
    expect(tag?.object?.attributes).to.include({ last_name_or_title: 'Food' })
    expect(record?.object?.attributes).to.deep.include({
      content_type: 'event',
      title: 'Tea',
      description: 'Bring a cup, and\n a friend.',
      content: '<p>Bring a <b>cup</b>, and a friend.</p>',
      dtstart: '2026-05-01T19:00:00',
      dtend: '2026-05-01T21:00:00',
      location_alt: 'Town hall, Ring 1',
      website: 'https://example.org/tea',
      event_status_type: 'cancelled',
      ical_uid: 'a@example.org',
      issued: '2026-01-02T03:04:05Z',
      state: 'published',
    })
    expect(record?.object?.tags).to.deep.equal([
      { tag: tag?.object?.id, predicate: 'describes', attributes: {} },
    ])
    expect(record?.origin).to.deep.equal({ source: 'event a@example.org', title: 'Tea', line: 3 })
    const [note] = record?.notes ?? []
    for (const name of ['GEO', 'ATTENDEE (2 times)', 'VALARM']) expect(note?.text).to.include(name)
  })

  it('converts times in UTC, of other zones and without one, days and durations', async () => {
    for (const [start, end, dtstart, dtend] of [
      ['DTSTART:20260701T100000Z', 'DTEND:20260701T110000Z', '2026-07-01T12:00:00', '2026-07-01T13:00:00'],
      [
        'DTSTART;TZID=America/New_York:20260301T100000',
        'DURATION:PT1H30M',
        '2026-03-01T16:00:00',
        '2026-03-01T17:30:00',
      ],
      ['DTSTART:20260301T100000', 'DURATION:P1D', '2026-03-01T10:00:00', '2026-03-02T10:00:00'],
      [
        'DTSTART;VALUE=DATE:20260301',
        'DTEND;VALUE=DATE:20260303',
        '2026-03-01T00:00:00',
        '2026-03-03T00:00:00',
      ],
      [
        'DTSTART;VALUE=DATE:20260301',
        'DTEND;VALUE=DATE:20260301',
        '2026-03-01T00:00:00',
        '2026-03-02T00:00:00',
      ],
      ['DTSTART:20260228', '', '2026-02-28T00:00:00', '2026-03-01T00:00:00'],
      // The day has 23 hours.
      ['DTSTART:20260329T010000', 'DURATION:P1D', '2026-03-29T01:00:00', '2026-03-30T01:00:00'],
      ['DTSTART:20260329T010000', 'DURATION:PT24H', '2026-03-29T01:00:00', '2026-03-30T02:00:00'],
      // Clocks skip this time.
      ['DTSTART:20260329T023000', '', '2026-03-29T03:30:00', undefined],
      ['DTSTART;TZID=/example.org/2020/Asia/Kolkata:20260301T100000', '', '2026-03-01T05:30:00', undefined],
    ] as const) {
      const record = await read(event(start, ...(end === '' ? [] : [end])))
      const { dtstart: from, dtend: to } = attributesOf(record)
      expect([from, to], start).to.deep.equal([dtstart, dtend])
      expect(record.notes, start).to.deep.equal([])
    }
  })

  it('knows zones that a calendar defines, by their clocks', async () => {
    const lines = [
      ...outlookZone('Customized'),
      ...event('DTSTART;TZID=Customized:20260701T100000', 'RRULE:FREQ=MONTHLY;BYDAY=1MO'),
    ]
    expect(attributesOf(await read(lines))).to.deep.include({
      dtstart: '2026-07-01T10:00:00',
      rrule: { freq: 'MONTHLY', byday: ['1MO'] },
    })
    expect(attributesOf(await read(lines, { zone: 'Europe/London' }))).to.deep.include({
      dtstart: '2026-07-01T09:00:00',
      rrule: { freq: 'MONTHLY', byday: ['1MO'] },
    })
    const unknown = await read(event('DTSTART;TZID=Somewhere:20260701T100000'))
    expect(attributesOf(unknown)).to.include({ dtstart: '2026-07-01T10:00:00' })
    expect(kindsOf(unknown)).to.deep.equal(['time'])
    const strange = outlookZone('Customized').map((line) => line.replace('YEARLY', 'SECONDLY'))
    expect(
      kindsOf(await read([...strange, ...event('DTSTART;TZID=Customized:20260701T100000')])),
    ).to.deep.equal(['time'])
  })

  it('reads rules, further starts and starts that are left out', async () => {
    const record = await read(
      event(
        'DTSTART;TZID=Europe/Vienna:20260302T190000',
        'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU;WKST=SU;UNTIL=20260401T170000Z',
        'RDATE;TZID=Europe/Vienna:20260303T100000,20260304T100000',
        'RDATE;VALUE=DATE:20260305',
        'EXDATE:20260316T180000Z',
        'EXDATE;VALUE=DATE:20260317',
      ),
    )
    expect(attributesOf(record)).to.deep.include({
      rrule: { freq: 'WEEKLY', interval: 2, byday: ['MO', 'TU'], wkst: 'SU', until: '2026-04-01T19:00:00' },
      rdates: ['2026-03-03T10:00:00', '2026-03-04T10:00:00', '2026-03-05'],
      exdates: ['2026-03-16T19:00:00', '2026-03-17'],
    })
    expect(record.notes).to.deep.equal([])
    const days = await read(
      event(
        'DTSTART;VALUE=DATE:20260302',
        'RRULE:FREQ=DAILY;UNTIL=20260305T000000Z',
        'EXDATE;VALUE=DATE:20260303',
      ),
    )
    expect(attributesOf(days)).to.deep.include({
      rrule: { freq: 'DAILY', until: '2026-03-05' },
      exdates: ['2026-03-03'],
    })
  })

  it('lists the starts of a rule that is by the clock of another zone', async () => {
    const record = await read(event('DTSTART:20260320T190000Z', 'RRULE:FREQ=WEEKLY;COUNT=3'))
    expect(attributesOf(record)).to.deep.include({
      dtstart: '2026-03-20T20:00:00',
      rdates: ['2026-03-27T20:00:00', '2026-04-03T21:00:00'],
    })
    expect(attributesOf(record)).not.to.have.property('rrule')
    expect(kindsOf(record)).to.deep.equal(['rule'])
    // The times are those of one offset.
    const summer = await read(event('DTSTART:20260701T190000Z', 'RRULE:FREQ=WEEKLY;UNTIL=20260720T000000Z'))
    expect(attributesOf(summer)).to.deep.include({ rrule: { freq: 'WEEKLY', until: '2026-07-20T02:00:00' } })
    // The days of the rule are others here.
    const night = await read(
      event('DTSTART:20260701T230000Z', 'RRULE:FREQ=WEEKLY;BYDAY=WE,TH;UNTIL=20260703T000000Z'),
    )
    expect(attributesOf(night)).to.deep.include({
      dtstart: '2026-07-02T01:00:00',
      rdates: ['2026-07-03T01:00:00'],
    })
    const endless = await read(event('DTSTART:20200101T190000Z', 'RRULE:FREQ=DAILY'))
    expect(attributesOf(endless)['rdates']).to.have.lengthOf(1000)
  })

  it('leaves out rules that it does not have', async () => {
    for (const rule of ['FREQ=YEARLY;RSCALE=HEBREW', 'FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD']) {
      const record = await read(event('DTSTART:20260301T100000', `RRULE:${rule}`))
      expect(attributesOf(record), rule).not.to.have.property('rrule')
      expect(kindsOf(record), rule).to.deep.equal(['rule'])
    }
    const impossible = await read(
      event('DTSTART:20260201T100000Z', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'),
    )
    expect(kindsOf(impossible)).to.deep.equal(['rule'])
  })

  it('makes an event of an occurrence that is different, and leaves it out of the one that recurs', async () => {
    const [master, other] = await recordsIn(
      calendar(
        ...event('DTSTART;TZID=Europe/Vienna:20260302T190000', 'RRULE:FREQ=WEEKLY'),
        ...event('RECURRENCE-ID:20260309T180000Z', 'DTSTART;TZID=Europe/Vienna:20260310T200000'),
      ),
    )
    expect(attributesOf(master ?? (await read([])))).to.deep.include({ exdates: ['2026-03-09T19:00:00'] })
    expect(other?.object?.attributes).to.include({ dtstart: '2026-03-10T20:00:00' })
    expect(other?.object?.attributes).not.to.have.property('ical_uid')
    expect(other?.object?.id).not.to.equal(master?.object?.id)
    expect(other?.notes.map(({ kind }) => kind)).to.deep.equal(['occurrence'])
  })

  it('takes the newest version of an event, whatever else the file has', async () => {
    const records = await recordsIn(
      calendar(
        ...event('DTSTART:20260301T100000', 'SEQUENCE:10'),
        ...event('DTSTART:20260302T100000', 'SEQUENCE:9', 'LAST-MODIFIED:20260901T000000Z'),
        'BEGIN:VTODO',
        'SUMMARY:Cups',
        'END:VTODO',
      ),
    )
    expect(records.map(({ object }) => object?.attributes['dtstart'])).to.deep.equal([
      '2026-03-01T10:00:00',
      undefined,
      undefined,
    ])
  })

  it('gives events of the same title and day other urlnames, and the same UUID each time', async () => {
    const text = calendar(
      ...event('DTSTART:20260301T100000'),
      ...event('DTSTART:20260301T120000').map((line) => line.replace('UID:a', 'UID:b')),
    )
    const [once, again, elsewhere] = [
      await recordsIn(text),
      await recordsIn(text),
      await recordsIn(text, { source: 'town' }),
    ]
    expect(once).to.deep.equal(again)
    expect(new Set(once.map(({ object }) => object?.attributes['urlname'])).size).to.equal(2)
    expect(new Set([...once, ...elsewhere].map(({ object }) => object?.id)).size).to.equal(4)
  })

  it('makes a draft of an event that is not public, and says what is tentative or has no title', async () => {
    const secret = await read(event('DTSTART:20260301T100000', 'CLASS:PRIVATE', 'STATUS:TENTATIVE'))
    expect(attributesOf(secret)).to.include({ state: 'draft' })
    expect(kindsOf(secret)).to.deep.equal(['status', 'status'])
    const untitled = await read(
      event('DTSTART:20260301T100000').filter((line) => !line.startsWith('SUMMARY')),
    )
    expect(attributesOf(untitled)['title']).to.have.property('length').that.is.above(0)
    expect(kindsOf(untitled)).to.deep.equal(['title'])
  })

  it('makes a body of a description with HTML', async () => {
    const record = await read(
      event('DTSTART:20260301T100000', 'DESCRIPTION:Tea<br>and <a href="https://example.org/">milk</a>'),
    )
    expect(attributesOf(record)).to.include({ description: 'Tea\nand milk' })
    expect(attributesOf(record)['content']).to.include('<a href="https://example.org/">milk</a>')
  })

  it('names a line that cannot be read, and an event without a time', async () => {
    const record = await read(event('DTSTART:20260301T100000', 'nonsense', 'DTEND:2026-03-01'))
    expect(record.notes.map(({ kind, line }) => [kind, line])).to.deep.include(['line', 8])
    expect(attributesOf(record)).to.include({ dtstart: '2026-03-01T10:00:00' })
    for (const start of [
      'X-NO:1',
      'DTSTART:tomorrow',
      'DTSTART:20260230T100000',
      'DTSTART:20260301T250000',
    ]) {
      const refused = await read(event(start))
      expect(refused.object, start).to.equal(null)
      expect(refused.faults, start).to.have.lengthOf(1)
    }
  })

  it('refuses what is no calendar, and a file that is cut off, with the line', async () => {
    const whole = calendar(...event('DTSTART:20260301T100000'))
    for (const [text, line] of [
      ['', null],
      ['<html>\n', 1],
      [whole.replace('BEGIN:VCALENDAR\r\n', ''), 1],
      [whole.slice(0, whole.indexOf('SUMMARY')), 5],
      [whole.replace('END:VEVENT\r\n', ''), 8],
    ] as const) {
      const found: unknown = await readCalendar(text, vienna, immediately).catch((error: unknown) => error)
      expect(found, text).to.be.instanceOf(UnreadableSource)
      expect(found instanceof UnreadableSource ? (found.place?.line ?? null) : null, text).to.equal(line)
    }
  })

  it('lets others work after each component, when they are found and when they are read', async () => {
    const count = 30
    const events = Array.from({ length: count }, (_, number) =>
      event(`DTSTART:202603${10 + (number % 20)}T100000`),
    )
    let turns = 0
    let isWaiting = false
    await readCalendar(calendar(...events.flat()), vienna, async () => {
      expect(isWaiting).to.equal(false)
      isWaiting = true
      turns += 1
      await Promise.resolve()
      isWaiting = false
    })
    expect(turns).to.equal(2 * count)
  })
})
