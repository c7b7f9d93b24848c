/** Calendars of events, independent of a format (docs/behaviour/feeds.md#calendars). */
import { content } from '../content/content.js'
import { contentPath } from '../content/attributes/common-attributes.js'
import { calendarTimes, calendarYears, type CalendarTimes } from '../events/calendar-times.js'
import { occurrenceIndex } from '../events/occurrence-index.js'
import type { OccurrencePeriod } from '../events/occurring.js'
import type { Settings } from '../instances/settings.js'
import type { JsonObject } from '../json.js'
import { location } from '../locations/location.js'
import { pageAddress } from '../paths/page-address.js'
import { pathLookups, publicPath } from '../paths/public-path.js'
import { partOf, stateIn } from '../resource/attribute-tables.js'
import type { Lookup } from '../resource/read-plan.js'
import type { ViewContext } from '../resource/view-context.js'
import { displayName, taggingsOf } from '../tags/tag.js'
import {
  instantAt,
  offsetAt,
  offsetChanges,
  utcTime,
  type ClockTime,
  type OffsetChange,
} from '../time/naive-date-time.js'

const day = 86_400_000

/** The limits of a calendar. */
export const calendarLimits = {
  events: 1000,
  /** Maximum size of its events together, in bytes of JSON. */
  bytes: 4 * 1024 * 1024,
  /** Days for which an event that is over remains in it. */
  pastDays: 365,
} as const

const { period: _period, events: _events, ...filters } = occurrenceIndex.filters

/** The events of a calendar, with the filters that the list of occurrences has. */
export const calendarIndex = { ...occurrenceIndex, filters }

/** The days from now in which events are looked for, one after the other, so that the next ones are found first. */
const steps = [1, 7, 30, 180] as const

const endOfTime = '9999-12-31T23:59:59'

/** The periods in which the events of a calendar are looked for, one after the other. */
export const calendarPeriods = (now: ClockTime): readonly OccurrencePeriod[] => {
  const local = Date.parse(`${now.slice(0, 19)}Z`)
  const after = (days: number): string => utcTime(local + days * day).slice(0, 19)
  const from = now.slice(0, 19)
  return [
    ...steps.map((days) => ({ from, to: after(days) })),
    { from, to: endOfTime },
    { from: after(-calendarLimits.pastDays), to: endOfTime },
  ]
}

type Place = {
  readonly text: string
  /** Latitude and longitude in degrees; null if they are not known. */
  readonly coordinates: readonly [number, number] | null
}

/** An event of a calendar. `created` and `modified` are in UTC: `2026-03-01T13:00:00Z`. */
export type CalendarEvent = CalendarTimes & {
  readonly uid: string
  readonly created: string
  readonly modified: string
  readonly title: string
  readonly description: string | null
  /** Address of the public page; null if the address of the website is not known. */
  readonly url: string | null
  readonly status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED'
  readonly place: Place | null
  readonly categories: readonly string[]
}

/** A time zone from a time on that a calendar has: its first offset in milliseconds, and the changes after that. */
export type CalendarZone = {
  readonly name: string
  readonly offset: number
  readonly changes: readonly OffsetChange[]
}

export type Calendar = {
  readonly title: string
  readonly zone: CalendarZone
  readonly events: readonly CalendarEvent[]
}

const statusWords = {
  en: {
    cancelled: 'Cancelled',
    postponed: 'Postponed',
    rescheduled: 'Rescheduled',
    moved_online: 'Moved online',
  },
  de: {
    cancelled: 'Abgesagt',
    postponed: 'Verschoben',
    rescheduled: 'Neuer Termin',
    moved_online: 'Findet online statt',
  },
} as const

const statusOf = { cancelled: 'CANCELLED', postponed: 'TENTATIVE' } as const

type StatusType = keyof (typeof statusWords)['en']

const isStatusType = (value: string | null): value is StatusType =>
  value !== null && Object.hasOwn(statusWords.en, value)

/** The title of an event without the word that calendars put before it, and the status that the word means; null without one. */
export const statusInTitle = (
  title: string,
): { readonly title: string; readonly status: StatusType } | null => {
  for (const words of Object.values(statusWords))
    for (const [status, word] of Object.entries(words))
      if (isStatusType(status) && title.startsWith(`${word}: `))
        return { title: title.slice(word.length + 2), status }
  return null
}

/** Apart from `authored`, a tag says what an event is about. */
const categoriesOf = (state: JsonObject): readonly string[] => [
  ...new Set(taggingsOf(state).flatMap(({ predicate, tag }) => (predicate === 'authored' ? [] : [tag]))),
]

/** The look-ups that a calendar needs for an event. */
export const calendarLookups = (state: JsonObject): readonly Lookup[] => {
  const { location_uuid: place } = partOf({ location_uuid: content.attributes.location_uuid }, state)
  return [
    ...pathLookups(contentPath, state),
    ...(place === null ? [] : [{ reference: { path: '', collection: 'locations', id: place } }]),
    ...categoriesOf(state).map((id) => ({ reference: { path: '', collection: 'tags', id } })),
  ]
}

const placeOf = (found: JsonObject): Place => {
  const { title, street, streetnumber, pcode, coords } = partOf(location.attributes, found)
  const lines = [title, [street, streetnumber].filter((each) => each !== null).join(' '), pcode]
  const [latitude, longitude] = coords ?? []
  return {
    text: lines.filter((each) => each !== null && each !== '').join(', '),
    coordinates: latitude === undefined || longitude === undefined ? null : [latitude, longitude],
  }
}

/** For events that were stored without a time. */
const beginning = '1970-01-01T00:00:00'

/** An event; null if it is no event, or all its occurrences are left out. `now` is in milliseconds. */
export const calendarEvent = (
  value: JsonObject,
  view: ViewContext,
  { timezone, website_url, language }: Settings,
  now: number,
): CalendarEvent | null => {
  const state = stateIn(content, value)
  if (state.content_type !== 'event') return null
  const times = calendarTimes(state, state.occurrences ?? [], timezone, now)
  if (times === null) return null
  const { created, modified, location_uuid, location_alt, event_status_type: status } = state
  const utc = (time: string) => `${utcTime(instantAt(timezone, time)).slice(0, 19)}Z`
  const found = location_uuid === null ? undefined : view.find('locations', location_uuid)
  const otherPlace = location_alt === null ? null : { text: location_alt, coordinates: null }
  const words = /^de\b/i.test(language) ? statusWords.de : statusWords.en
  const title = state.title ?? ''
  return {
    ...times,
    uid: state.ical_uid ?? `urn:uuid:${view.id}`,
    created: utc(created ?? modified ?? beginning),
    modified: utc(modified ?? created ?? beginning),
    title: isStatusType(status) ? `${words[status]}: ${title}` : title,
    description: state.description,
    url: website_url === null ? null : pageAddress(website_url, publicPath(contentPath, value, view.find)),
    status: status === 'cancelled' || status === 'postponed' ? statusOf[status] : 'CONFIRMED',
    place: found === undefined ? otherPlace : placeOf(found),
    categories: categoriesOf(value).flatMap((id) => {
      const tag = view.find('tags', id)
      return tag === undefined ? [] : [displayName(tag)]
    }),
  }
}

/** A zone from the year before the first start on. */
const zoneOf = (name: string, events: readonly CalendarEvent[], now: number): CalendarZone => {
  const first = events.reduce((earliest, { start }) => Math.min(earliest, instantAt(name, start)), now)
  const changes = offsetChanges(name, Math.max(0, first - 366 * day), now + calendarYears * 366 * day)
  return { name, offset: changes[0]?.before ?? offsetAt(name, now), changes }
}

/** A calendar of events. If several have the same UID of another calendar, only the first is known by it. */
export const calendarOf = (
  found: readonly { readonly id: string; readonly event: CalendarEvent }[],
  { title, timezone }: Settings,
  now: number,
): Calendar => {
  const uids = new Set<string>()
  const events = found.map(({ id, event }) => {
    const uid = uids.has(event.uid) ? `urn:uuid:${id}` : event.uid
    uids.add(uid)
    return { ...event, uid }
  })
  return { title, zone: zoneOf(timezone, events, now), events }
}
