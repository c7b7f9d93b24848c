/** The time zones of a calendar, by their names there, as zones with the names of IANA. */
import { instantAt, isZone, offsetAt, offsetChanges } from '@publishing-service/domain/time'
import { E } from '@publishing-service/domain/fp'
import ICAL from 'ical.js'
import { contentOf, textIn, type Component } from './calendar-components.js'

const day = 86_400_000

/** Days between the times at which two zones are compared. */
const step = 3

/** The years in which zones are compared: rules of later years are those of the last one. */
const [firstYear, lastYear] = [1970, 2100]

/** The most comparisons of a calendar with all zones, which take up to a second each. */
const mostComparisons = 100

/** Local times of two years from a year on, which show when clocks are changed. */
const timesFrom = (year: number): readonly string[] =>
  Array.from({ length: Math.floor(730 / step) }, (_, index) =>
    new Date(Date.UTC(year, 0, 1, 12) + index * step * day).toISOString().slice(0, 19),
  )

/** The offset of a zone at a local time, in seconds. */
const offsetOf = (zone: string, local: string): number =>
  (Date.parse(`${local}Z`) - instantAt(zone, local)) / 1000

/** The definition of a zone; null for one that cannot be read, or that changes the clock by a rule of other periods than years. */
const definitionOf = (text: string): ICAL.Timezone | null => {
  const read = E.tryCatch(() => new ICAL.Component(ICAL.parse(text)), String)
  if (E.isLeft(read)) return null
  const rules = read.right.getAllSubcomponents().flatMap((part) => part.getAllProperties('rrule'))
  const isYearly = rules.every((rule) => {
    const value = rule.getFirstValue()
    return value instanceof ICAL.Recur && value.freq === 'YEARLY'
  })
  return isYearly ? new ICAL.Timezone(read.right) : null
}

/** The zone that a name such as `/example.org/Europe/Vienna` ends with. */
const zoneAtEnd = (name: string): string | null => {
  const parts = name.split('/')
  return (
    [3, 2].map((count) => parts.slice(-count).join('/')).find((each) => each.includes('/') && isZone(each)) ??
    null
  )
}

/** How much later the clocks of another zone are, in milliseconds, if that does not change between two instants; else null. */
export const clockDifference = (zone: string, other: string, from: number, to: number): number | null => {
  const differenceAt = (instant: number): number => offsetAt(other, instant) - offsetAt(zone, instant)
  const first = differenceAt(from)
  const changes = [zone, other].flatMap((each) => offsetChanges(each, from, to))
  return changes.every(({ at }) => at < from || at > to || differenceAt(at) === first) ? first : null
}

export class CalendarZones {
  readonly #own: string
  readonly #definitions = new Map<string, { readonly place: string; readonly zone: ICAL.Timezone | null }>()
  readonly #found = new Map<string, string | null>()
  #comparisons = 0

  /** `own` is the zone of the instance. */
  constructor(own: string, components: readonly Component[]) {
    this.#own = own
    for (const component of components) {
      const content = contentOf(component)
      this.#definitions.set(textIn(content, 'tzid'), {
        place: textIn(content, 'x-lic-location'),
        zone: definitionOf(component.text),
      })
    }
  }

  /** The zone with the same clocks from a year on; that of the instance before others. */
  #like(zone: ICAL.Timezone, year: number): string | null {
    this.#comparisons += 1
    if (this.#comparisons > mostComparisons) return null
    const offsets = timesFrom(year).map(
      (local) => [local, zone.utcOffset(ICAL.Time.fromDateTimeString(local))] as const,
    )
    const isLike = (name: string): boolean =>
      offsets.every(([local, offset]) => offsetOf(name, local) === offset)
    return (
      [this.#own, 'UTC', ...Intl.supportedValuesOf('timeZone')].find(
        (name) => isZone(name) && isLike(name),
      ) ?? null
    )
  }

  #zoneFor(name: string, year: number): string | null {
    if (isZone(name)) return name
    const definition = this.#definitions.get(name)
    if (definition !== undefined && isZone(definition.place)) return definition.place
    const like =
      definition === undefined || definition.zone === null ? null : this.#like(definition.zone, year)
    return like ?? zoneAtEnd(name)
  }

  /** The zone of a name at a local time; null if it is not known. */
  find(name: string, local: string): string | null {
    const year = Math.min(Math.max(Number(local.slice(0, 4)), firstYear), lastYear)
    const key = `${year} ${name}`
    const known = this.#found.get(key)
    if (known !== undefined) return known
    const zone = this.#zoneFor(name, year)
    this.#found.set(key, zone)
    return zone
  }
}
