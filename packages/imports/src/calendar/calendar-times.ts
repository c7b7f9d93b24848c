/** The times of an event of a calendar as times in the zone of the instance. */
import { nowIn } from '@publishing-service/domain'
import { dateTime } from '@publishing-service/domain/declare'
import { E, type Either } from '@publishing-service/domain/fp'
import { fileNote, type ImportNote } from '@publishing-service/domain/imports'
import { isJsonList, isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import {
  expandOccurrences,
  isOfDays,
  recurrenceFaults,
  recurrenceRule,
  startOf,
  type RecurrenceRule,
} from '@publishing-service/domain/recurrence'
import { instantAt, isDay, utcTime } from '@publishing-service/domain/time'
import ICAL from 'ical.js'
import { clockDifference, type CalendarZones } from './calendar-zones.js'
import {
  parameterOf,
  propertiesIn,
  propertyIn,
  textIn,
  textsOf,
  type ComponentContent,
  type Property,
} from './calendar-components.js'

export type TimesContext = {
  /** The zone of the instance. */
  readonly zone: string
  readonly zones: CalendarZones
  /** In milliseconds since 1970. */
  readonly now: number
}

/** A day, or a local time of a zone. */
type CalendarTime = { readonly local: string; readonly zone: string; readonly isDay: boolean }

/** The attributes of an event. */
export type EventTimes = {
  readonly dtstart: string
  readonly dtend: string | null
  readonly rrule: JsonObject | null
  readonly rdates: readonly string[]
  readonly exdates: readonly string[]
  readonly notes: readonly ImportNote[]
}

const valueContext = (zone: string) => ({ zone, streamingHosts: [], strict: false })

/** In this many years from now, a rule of another zone has to lead to the same times in that of the instance. */
const comparedYears = 10

const year = 366 * 86_400_000

/** What a value is; null for one that is no time. A leap second is the second before it. */
const read = (value: string, zoneName: string | null, { zone, zones }: TimesContext): CalendarTime | null => {
  const [, local = '', utc] =
    /^(\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2})?)(?:T::)?(Z?)$/.exec(value.replace(/:60(?=Z?$)/, ':59')) ?? []
  if (E.isLeft(dateTime.decode(local, valueContext('UTC')))) return null
  if (isDay(local)) return { local, zone, isDay: true }
  if (utc === 'Z') return { local, zone: 'UTC', isDay: false }
  const named = zoneName === null ? zone : zones.find(zoneName, local)
  return { local, zone: named ?? zone, isDay: false }
}

/** A day within the first and the last year that times can have. */
const [earliest, latest] = [Date.parse('0001-01-02T00:00:00Z'), Date.parse('9999-12-30T23:59:59Z')]

/** The local time of an instant. */
const localAt = (zone: string, instant: number): string =>
  nowIn(zone, Math.min(Math.max(instant, earliest), latest))

/** A time in the zone of the instance; a day stays a day. One that the zone skips is that of the clock after the change. */
const own = ({ local, zone, isDay: isWhole }: CalendarTime, context: TimesContext): string =>
  isWhole ? local : localAt(context.zone, instantAt(zone, local))

/** The beginning of a day; another time as it is. */
const midnight = (time: string): string => (isDay(time) ? `${time}T00:00:00` : time)

/** The beginning of a day in the zone of the instance, also where clocks skip midnight; another time as it is. */
const beginning = (time: string, { zone }: TimesContext): string =>
  isDay(time) ? localAt(zone, instantAt(zone, midnight(time))) : time

const day = 86_400_000

const dayAfter = (local: string, days: number): string =>
  utcTime(Math.min(Date.parse(`${local.slice(0, 10)}T00:00:00Z`) + days * day, latest)).slice(0, 10)

/** The time in the zone of the instance at which a duration from a start ends: its days are of the calendar, the rest is exact. */
const endAfter = (start: CalendarTime, written: string, context: TimesContext): string | null => {
  const duration = E.tryCatch(() => ICAL.Duration.fromString(written), String)
  if (E.isLeft(duration) || duration.right.isNegative) return null
  const { weeks, days, hours, minutes, seconds } = duration.right
  const last = dayAfter(start.local, weeks * 7 + days)
  const rest = ((hours * 60 + minutes) * 60 + seconds) * 1000
  const local = `${last}${midnight(start.local).slice(10)}`
  return localAt(context.zone, instantAt(start.zone, local) + rest)
}

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const

const ruleParts = new Set<string>([
  'freq',
  'interval',
  'count',
  'until',
  'wkst',
  'byday',
  'bymonth',
  'bymonthday',
  'byyearday',
  'byweekno',
  'byhour',
  'byminute',
  'bysecond',
  'bysetpos',
])

const isJson = (value: unknown): value is Json =>
  value === null ||
  ['string', 'number', 'boolean'].includes(typeof value) ||
  isJsonObject(value) ||
  Array.isArray(value)

/** A rule in the form of the API, but with `until` as it is written; the names of parts that it does not have otherwise. */
const writtenRule = (value: JsonObject): Either<readonly string[], JsonObject> => {
  const { rscale, ...rest } = value
  const unknown = Object.keys(rest).filter((name) => !ruleParts.has(name) && !name.startsWith('x-'))
  if (rscale !== undefined && rscale !== 'GREGORIAN') unknown.push('rscale')
  if (unknown.length > 0) return E.left(unknown)
  const parts = Object.entries(rest).flatMap(([name, part]): readonly (readonly [string, Json])[] => {
    if (!ruleParts.has(name)) return []
    if (name === 'wkst') return [[name, typeof part === 'number' ? (weekdays[part - 1] ?? part) : part]]
    return [[name, name.startsWith('by') && !isJsonList(part) ? [part] : part]]
  })
  return E.right(Object.fromEntries(parts))
}

/** The last start of a rule as `read` reads it. For an event of whole days it is a day. */
const untilOf = (rule: JsonObject, start: CalendarTime, context: TimesContext): CalendarTime | null => {
  const { until } = rule
  if (typeof until !== 'string') return null
  const found = read(until, null, context)
  if (found === null) return null
  const inZone = { ...found, zone: found.zone === 'UTC' ? 'UTC' : start.zone }
  if (!start.isDay || inZone.isDay) return inZone
  // Midnight in UTC is how some programs write a day.
  const last = inZone.local.endsWith('T00:00:00') ? inZone.local : own(inZone, context)
  return { local: last.slice(0, 10), zone: context.zone, isDay: true }
}

const isEmpty = (rule: JsonObject, prefix: string): boolean =>
  Object.keys(rule).every((name) => !name.startsWith(prefix))

const hasTimes = (rule: JsonObject): boolean =>
  ['byhour', 'byminute', 'bysecond'].some((name) => name in rule)

/** Whether a rule means the same if its start has other times, and another day if `isOtherDay`. */
const isMovable = (rule: JsonObject, freq: RecurrenceRule['freq'], isOtherDay: boolean): boolean =>
  isOfDays(freq) &&
  !hasTimes(rule) &&
  (!isOtherDay || ((freq === 'DAILY' || freq === 'WEEKLY') && isEmpty(rule, 'by')))

const startsOf = (rule: RecurrenceRule, start: CalendarTime, now: number): readonly string[] => {
  const times = { dtstart: start.local, dtend: null, rrule: rule, rdates: [], exdates: [] }
  // Periods of days and more have the same local times in every zone, and UTC is the fastest.
  const zone = isOfDays(rule.freq) ? 'UTC' : start.zone
  const steps = expandOccurrences(times, zone, nowIn(start.zone, now))
  for (;;) {
    const next = steps.next()
    if (next.done === true) return next.value.occurrences.map(startOf)
  }
}

type Recurrence = {
  readonly rrule: JsonObject | null
  /** The starts of a rule that another zone has. */
  readonly starts: readonly string[]
  readonly note: string | null
}

const none = (note: string | null): Recurrence => ({ rrule: null, starts: [], note })

/** A rule in the zone of the instance. A rule that would lead to other times there is a list of its starts. */
const recurrenceOf = (property: Property, start: CalendarTime, context: TimesContext): Recurrence => {
  const [value] = property.values
  if (!isJsonObject(value) || !isJson(value)) return none('its rule cannot be read')
  const written = writtenRule(value)
  if (E.isLeft(written)) return none(`its rule is left out, because it has ${written.left.join(', ')}`)
  const { until: given, ...parts } = written.right
  const until = untilOf(written.right, start, context)
  if (given !== undefined && until === null) return none(`its rule is left out: ${String(given)} is no time`)
  const ruled = (last: string | null): JsonObject => (last === null ? parts : { ...parts, until: last })
  const rrule = ruled(until === null ? null : own(until, context))
  if (start.isDay || start.zone === context.zone) return { rrule, starts: [], note: null }

  // In the zone of the start.
  const last = until === null ? null : own(until, { ...context, zone: start.zone })
  const decoded = recurrenceRule.decode(ruled(last), valueContext(start.zone))
  const faults = E.isLeft(decoded) ? decoded.left : recurrenceFaults(decoded.right, start.local)
  const [fault] = faults
  if (E.isLeft(decoded) || fault !== undefined)
    return none(`its rule is left out: ${fault?.path ?? ''} ${fault?.message ?? ''}`.trim())
  const from = instantAt(start.zone, start.local)
  const farthest = Math.max(from, context.now) + comparedYears * year
  const to = last === null ? farthest : Math.min(instantAt(start.zone, midnight(last)), farthest)
  const difference = clockDifference(start.zone, context.zone, Math.max(from, 0), Math.max(from, to, 0))
  const isOtherDay = own(start, context).slice(0, 10) !== start.local.slice(0, 10)
  if (difference === 0 || (difference !== null && isMovable(parts, decoded.right.freq, isOtherDay)))
    return { rrule, starts: [], note: null }
  const starts = startsOf(decoded.right, start, context.now)
  const end = starts.at(-1)?.slice(0, 10) ?? ''
  return {
    rrule: null,
    starts: starts.map((local) => own({ ...start, local }, context)),
    note: `its rule is by the clock of ${start.zone}: its ${starts.length} occurrences until ${end} are listed`,
  }
}

/** The times of RDATE and EXDATE. Of a period only the start is taken. */
const listed = (content: ComponentContent, name: string, context: TimesContext) => {
  const notes: ImportNote[] = []
  const times = propertiesIn(content, name).flatMap((property) =>
    property.values.flatMap((value): readonly string[] => {
      const start: unknown = Array.isArray(value) ? value[0] : value
      const found = typeof start === 'string' ? read(start, parameterOf(property, 'tzid'), context) : null
      if (found === null) notes.push(fileNote('time', `${name.toUpperCase()} is no time: ${String(start)}`))
      if (Array.isArray(value))
        notes.push(fileNote('time', `the occurrence at ${String(start)} has its own duration`))
      return found === null ? [] : [own(found, context)]
    }),
  )
  return { times, notes }
}

/** The time of a property in the zone of the instance; null for one that is no time. */
export const ownTime = (property: Property, context: TimesContext): string | null => {
  const found = read(textsOf(property)[0] ?? '', parameterOf(property, 'tzid'), context)
  return found === null ? null : own(found, context)
}

const endOf = (
  content: ComponentContent,
  start: CalendarTime,
  context: TimesContext,
): Either<string, string | null> => {
  const property = propertyIn(content, 'dtend')
  const duration = textIn(content, 'duration')
  if (property !== undefined) {
    const end = ownTime(property, context)
    if (end === null) return E.left(`DTEND is no time: ${textsOf(property).join(' ')}`)
    // Some programs write the last day in place of the day after it.
    return E.right(beginning(start.isDay && end === start.local ? dayAfter(end, 1) : end, context))
  }
  if (duration === '') return E.right(start.isDay ? beginning(dayAfter(start.local, 1), context) : null)
  const end = endAfter(start, duration, context)
  return end === null ? E.left(`DURATION is no duration that can be read: ${duration}`) : E.right(end)
}

/** The names of zones in the times of an event that are not known. */
const unknownZones = (content: ComponentContent, { zones }: TimesContext): readonly string[] => [
  ...new Set(
    content.properties.flatMap((property) => {
      const name = parameterOf(property, 'tzid')
      const local = textsOf(property)[0] ?? ''
      const isKnown = name === null || !/^\d{4}.*\d$/.test(local) || zones.find(name, local) !== null
      return isKnown ? [] : [name]
    }),
  ),
]

/** The times of an event; what is wrong with its start. */
export const eventTimes = (content: ComponentContent, context: TimesContext): Either<string, EventTimes> => {
  const property = propertyIn(content, 'dtstart')
  if (property === undefined) return E.left('has no DTSTART, the time at which it starts')
  const written = textsOf(property)[0] ?? ''
  const start = read(written, parameterOf(property, 'tzid'), context)
  if (start === null) return E.left(`has a DTSTART that is no time: ${written}`)
  const dtstart = beginning(own(start, context), context)
  const end = endOf(content, start, context)
  const [rule, ...others] = propertiesIn(content, 'rrule')
  const { rrule, starts, note } = rule === undefined ? none(null) : recurrenceOf(rule, start, context)
  const [further, excluded] = [listed(content, 'rdate', context), listed(content, 'exdate', context)]
  const notes = [
    ...unknownZones(content, context).map((name) =>
      fileNote('time', `the zone ${name} is not known: its times are taken as those of ${context.zone}`),
    ),
    ...(E.isLeft(end) ? [fileNote('time', end.left)] : []),
    ...(note === null ? [] : [fileNote('rule', note)]),
    ...(others.length === 0
      ? []
      : [fileNote('rule', 'it has several rules: only the first one is taken over')]),
    ...(propertyIn(content, 'exrule') === undefined ? [] : [fileNote('rule', 'EXRULE is not taken over')]),
    ...further.notes,
    ...excluded.notes,
  ]
  return E.right({
    dtstart,
    dtend: E.isRight(end) ? end.right : null,
    rrule,
    rdates: [...new Set([...starts.filter((each) => each !== dtstart), ...further.times])],
    exdates: [...new Set(excluded.times)],
    notes,
  })
}
