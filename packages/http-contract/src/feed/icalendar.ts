/** Calendars as iCalendar (RFC 5545, RFC 7986). */
import type { Calendar, CalendarEvent, CalendarZone } from '@publishing-service/domain/feeds'
import ICAL from 'ical.js'

export const calendarType = 'text/calendar'

/** How often clients should read a calendar. */
const interval = 'PT1H'

type Value = string | readonly (string | number)[] | Readonly<Record<string, unknown>>

/** A property and a component as jCal (RFC 7265) has them. */
type Property = readonly [
  name: string,
  parameters: Readonly<Record<string, string>>,
  type: string,
  ...Value[],
]
type Component = readonly [name: string, properties: readonly Property[], components: readonly Component[]]

/** A text without what iCalendar cannot contain. */
const plain = (value: string): string => value.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\n]/gu, ' ')

const text = (name: string, value: string): Property => [name, {}, 'text', plain(value)]

const optional = (name: string, value: string | null): readonly Property[] =>
  value === null || value === '' ? [] : [text(name, value)]

/** A property that RFC 5545 does not know. With its type, it would have a parameter that some clients do not read. */
const extension = (name: string, value: string): Property => [
  name,
  {},
  'unknown',
  ICAL.stringify.value(plain(value), 'text', ICAL.design.icalendar, false),
]

const utcOffset = (milliseconds: number): string => {
  const minutes = Math.round(Math.abs(milliseconds) / 60_000)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return `${milliseconds < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}

const localText = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 19)

/** The time from which the first offset of a zone holds. */
const beginning = '1970-01-01T00:00:00'

const observance = (name: 'standard' | 'daylight', start: string, from: number, to: number): Component => [
  name,
  [
    ['dtstart', {}, 'date-time', start],
    ['tzoffsetfrom', {}, 'utc-offset', utcOffset(from)],
    ['tzoffsetto', {}, 'utc-offset', utcOffset(to)],
  ],
  [],
]

const zoneOf = ({ name, offset, changes }: CalendarZone): Component => [
  'vtimezone',
  [text('tzid', name)],
  [
    observance('standard', beginning, offset, offset),
    ...changes.map(({ at, before, after }) =>
      observance(after > before ? 'daylight' : 'standard', localText(at + before), before, after),
    ),
  ],
]

/** The parts of a rule that are lists of values in iCalendar too. */
const listParts = [
  'bysetpos',
  'bymonth',
  'byweekno',
  'byyearday',
  'bymonthday',
  'byday',
  'byhour',
  'byminute',
  'bysecond',
] as const

const ruleOf = (rule: CalendarEvent['rule']): readonly Property[] => {
  if (rule === null) return []
  const { freq, interval: every, count, until, wkst } = rule
  const parts = Object.entries({ freq, interval: every, count, until, wkst }).filter(
    ([, value]) => value !== null,
  )
  const lists = listParts.flatMap((name) => {
    const values = rule[name]
    return values === null || values.length === 0 ? [] : [[name, values] as const]
  })
  return [['rrule', {}, 'recur', Object.fromEntries([...parts, ...lists])]]
}

const eventOf = (event: CalendarEvent, zone: string): Component => {
  const { isOfWholeDays, start, end, rdates, exdates, place } = event
  const times = (name: string, ...values: readonly string[]): readonly Property[] =>
    values.length === 0
      ? []
      : [[name, isOfWholeDays ? {} : { tzid: zone }, isOfWholeDays ? 'date' : 'date-time', ...values]]
  return [
    'vevent',
    [
      text('uid', event.uid),
      ['dtstamp', {}, 'date-time', event.modified],
      ['created', {}, 'date-time', event.created],
      ['last-modified', {}, 'date-time', event.modified],
      text('status', event.status),
      ...times('dtstart', start),
      ...(end === null ? [] : times('dtend', end)),
      ...ruleOf(event.rule),
      ...times('rdate', ...rdates),
      ...times('exdate', ...exdates),
      text('summary', event.title),
      ...optional('description', event.description),
      ...optional('location', place?.text ?? null),
      ...(place === null || place.coordinates === null
        ? []
        : [['geo', {}, 'float', place.coordinates] as const]),
      ...(event.url === null ? [] : [['url', {}, 'uri', event.url] as const]),
      ...(event.categories.length === 0
        ? []
        : [['categories', {}, 'text', ...event.categories.map(plain)] as const]),
    ],
    [],
  ]
}

/** A calendar as iCalendar, in lines of up to 75 bytes. */
export const iCalendarOf = ({ title, zone, events }: Calendar): string => {
  const calendar: Component = [
    'vcalendar',
    [
      text('version', '2.0'),
      text('prodid', '-//Publishing Service//Calendar//EN'),
      text('calscale', 'GREGORIAN'),
      extension('name', title),
      extension('x-wr-calname', title),
      extension('x-wr-timezone', zone.name),
      ['refresh-interval', {}, 'duration', interval],
      extension('x-published-ttl', interval),
    ],
    [zoneOf(zone), ...events.map((event) => eventOf(event, zone.name))],
  ]
  return ICAL.stringify([...calendar])
}
