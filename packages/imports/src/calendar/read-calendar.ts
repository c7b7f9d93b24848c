/** Reads the events of an iCalendar (RFC 5545) as content (docs/import.md#calendars). */
import { fault } from '@publishing-service/domain'
import { statusInTitle } from '@publishing-service/domain/feeds'
import { E } from '@publishing-service/domain/fp'
import {
  fileNote,
  importedObject,
  importRecord,
  type ImportNote,
  type ImportRecord,
  type ImportSource,
} from '@publishing-service/domain/imports'
import { bodyOf } from '../body-of.js'
import { derivedUuid } from '../derived-uuid.js'
import { eventUrlname } from '../event-urlname.js'
import { describedBy, namedTagRecord } from '../named-tags.js'
import { plainText, shortened } from '../plain-text.js'
import { present } from '../present.js'
import { TakenPaths } from '../taken-paths.js'
import {
  componentsIn,
  contentOf,
  parameterOf,
  propertiesIn,
  propertyIn,
  textIn,
  textsOf,
  type Component,
  type ComponentContent,
} from './calendar-components.js'
import { eventTimes, ownTime, type EventTimes, type TimesContext } from './calendar-times.js'
import { CalendarZones } from './calendar-zones.js'

export type CalendarOptions = {
  /** The time zone of the instance. */
  readonly zone: string
  /** The time from which rules of other zones are followed, in milliseconds since 1970. */
  readonly now: number
  readonly state: 'draft' | 'published'
  /** Tells calendars apart whose events have the same UIDs; empty for UIDs that no other calendar has. */
  readonly source: string
}

/** The site of derived UUIDs. */
const siteOf = ({ source }: CalendarOptions): string => `calendar ${source}`.trim()

const longestTitle = 255
const longestDescription = 10_000
const longestPlace = 1000

const spareTitle = 'Untitled'

/** Properties with a meaning for calendar programs only, or that are read elsewhere. */
const unmentioned = new Set(
  (
    'uid dtstamp created last-modified sequence status class transp recurrence-id dtstart dtend duration rrule rdate exdate ' +
    'exrule url location summary description styled-description categories request-status priority color'
  ).split(' '),
)

/** The names of what is not taken over, each with its number. */
const leftOut = ({ properties, inner }: ComponentContent): readonly ImportNote[] => {
  const counts = new Map<string, number>()
  for (const name of [...properties.map((each) => each.name), ...inner]) {
    if (unmentioned.has(name) || /^x-/i.test(name)) continue
    const shown = name.toUpperCase()
    counts.set(shown, (counts.get(shown) ?? 0) + 1)
  }
  const names = [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${count} times)`))
  return names.length === 0 ? [] : [fileNote('property', `not taken over: ${names.join(', ')}`)]
}

const lineOf = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()

const categoriesOf = (content: ComponentContent): readonly string[] =>
  propertiesIn(content, 'categories').flatMap((property) =>
    textsOf(property)
      .map(lineOf)
      .filter((name) => name !== ''),
  )

/** Whether a text has elements of HTML, as some programs write them into descriptions. */
const isHtml = (text: string): boolean =>
  /<\/?(?:a|b|br|div|em|i|li|ol|p|span|strong|ul)\b[^<>]*>/i.test(text)

/** The HTML of an event; empty if it has plain text only. */
const htmlOf = (content: ComponentContent): string => {
  const styled = [
    ...propertiesIn(content, 'styled-description'),
    ...propertiesIn(content, 'x-alt-desc'),
  ].find((property) => parameterOf(property, 'fmttype')?.toLowerCase() === 'text/html')
  const [html = ''] = textsOf(styled)
  const description = textIn(content, 'description')
  return html.trim() !== '' || !isHtml(description) ? html : description
}

type Status = {
  readonly title: string
  readonly status: string | null
  readonly notes: readonly ImportNote[]
}

/** The title without the word for the status, which the service adds again to its calendars. */
const statusOf = (content: ComponentContent): Status => {
  const written = lineOf(textIn(content, 'summary'))
  const status = textIn(content, 'status').toUpperCase()
  const found = statusInTitle(written)
  const title = found?.title.trim() ?? written
  return {
    title: shortened(title || spareTitle, longestTitle),
    status: found?.status ?? (status === 'CANCELLED' ? 'cancelled' : null),
    notes: [
      ...(title === '' ? [fileNote('title', `it has no SUMMARY: the title is ${spareTitle}`)] : []),
      ...(status === 'TENTATIVE' && found === null ? [fileNote('status', 'it is tentative there')] : []),
    ],
  }
}

/** An event of the file: the only one, or the newest one, with its UID and its occurrence. */
type Indexed = {
  readonly component: Component
  readonly uid: string
  /** The time of the occurrence that it replaces; null for the event itself. */
  readonly occurrence: string | null
  readonly categories: readonly string[]
}

type CalendarIndex = {
  readonly events: readonly Indexed[]
  /** Events that another one replaces, and components that are no events. */
  readonly others: readonly { readonly component: Component; readonly reason: string }[]
  /** The occurrences that are own events, by UID. */
  readonly occurrences: ReadonlyMap<string, ReadonlySet<string>>
}

const keyOf = ({ uid, occurrence }: Pick<Indexed, 'uid' | 'occurrence'>): string =>
  `${uid}\n${occurrence ?? ''}`

/** Sorts the versions of an event (RFC 5546). */
const versionOf = (content: ComponentContent): string => {
  const sequence = propertyIn(content, 'sequence')?.values[0]
  const number = typeof sequence === 'number' ? sequence : 0
  return `${String(number).padStart(12, '0')} ${textIn(content, 'last-modified') || textIn(content, 'dtstamp')}`
}

const indexOf = async (
  components: readonly Component[],
  context: TimesContext,
  turn: () => Promise<void>,
): Promise<CalendarIndex> => {
  const newest = new Map<string, { readonly indexed: Indexed; readonly version: string }>()
  const others: { component: Component; reason: string }[] = []
  const occurrences = new Map<string, Set<string>>()
  for (const component of components) {
    if (component.name === 'VTIMEZONE') continue
    await turn()
    if (component.name !== 'VEVENT') {
      others.push({ component, reason: `${component.name} is no event` })
      continue
    }
    const content = contentOf(component)
    // An event without a UID is distinguished from others by its text.
    const uid = textIn(content, 'uid') || component.text
    const recurrence = propertyIn(content, 'recurrence-id')
    const occurrence = recurrence === undefined ? null : ownTime(recurrence, context)
    const indexed = { component, uid, occurrence, categories: categoriesOf(content) }
    const version = versionOf(content)
    const known = newest.get(keyOf(indexed))
    const replaced = known !== undefined && known.version > version ? indexed : known?.indexed
    if (replaced !== undefined)
      others.push({ component: replaced.component, reason: 'the file has a newer version of it' })
    if (replaced !== indexed) newest.set(keyOf(indexed), { indexed, version })
    if (occurrence !== null) occurrences.set(uid, (occurrences.get(uid) ?? new Set()).add(occurrence))
  }
  return { events: [...newest.values()].map(({ indexed }) => indexed), others, occurrences }
}

class CalendarReader {
  readonly #options: CalendarOptions
  readonly #index: CalendarIndex
  readonly #context: TimesContext
  readonly #tags: readonly string[]

  constructor(index: CalendarIndex, context: TimesContext, options: CalendarOptions) {
    this.#options = options
    this.#context = context
    this.#index = index
    this.#tags = [...new Set(this.#index.events.flatMap(({ categories }) => categories))]
  }

  #body(uid: string, html: string) {
    const site = siteOf(this.#options)
    const slotId = (number: number): string => derivedUuid(site, 'slot', `${uid} ${number}`)
    return bodyOf({ html, options: {}, fileOf: () => null, slotId })
  }

  #event(indexed: Indexed, times: EventTimes, urlname: string): ImportRecord {
    const { component, uid, occurrence, categories } = indexed
    const { line } = component
    const content = contentOf(component)
    const { title, status, notes: ofStatus } = statusOf(content)
    const key = keyOf({ uid, occurrence })
    const description = textIn(content, 'description')
    const plain = isHtml(description) ? plainText(description) : description
    const html = htmlOf(content)
    const body = html === '' ? null : this.#body(key, html)
    const isPrivate = ['PRIVATE', 'CONFIDENTIAL'].includes(textIn(content, 'class').toUpperCase())
    const own = this.#index.occurrences.get(uid)
    const exdates = occurrence === null ? [...new Set([...times.exdates, ...(own ?? [])])] : times.exdates
    const created = textIn(content, 'created') || textIn(content, 'dtstamp')
    const object = importedObject({
      collection: 'content',
      id: derivedUuid(siteOf(this.#options), 'event', key),
      attributes: present({
        content_type: 'event',
        title,
        urlname,
        description: shortened(plain, longestDescription),
        content: body?.markup ?? null,
        state: isPrivate ? 'draft' : this.#options.state,
        issued: created,
        created,
        modified: textIn(content, 'last-modified') || created,
        dtstart: times.dtstart,
        dtend: times.dtend,
        rrule: times.rrule,
        rdates: times.rdates.length === 0 ? null : times.rdates,
        exdates: exdates.length === 0 ? null : exdates,
        location_alt: shortened(lineOf(textIn(content, 'location')), longestPlace),
        website: textIn(content, 'url'),
        event_status_type: status,
        // The event that recurs has the UID.
        ical_uid: occurrence === null && uid !== component.text ? shortened(uid, 255) : null,
      }),
      slots: body?.slots ?? [],
      tags: describedBy(siteOf(this.#options), categories),
    })
    const range = propertyIn(content, 'recurrence-id')
    const notes = [
      ...ofStatus,
      ...times.notes,
      ...(isPrivate ? [fileNote('status', 'it is a draft, because it is not public there')] : []),
      ...(plain.length > longestDescription && html === ''
        ? [
            fileNote(
              'description',
              `the description has more than ${longestDescription} characters: its rest is left out`,
            ),
          ]
        : []),
      ...(occurrence === null
        ? []
        : [
            fileNote(
              'occurrence',
              `it is the occurrence at ${occurrence} of an event that recurs: it is a separate event`,
            ),
          ]),
      ...(range !== undefined && parameterOf(range, 'range') !== null
        ? [fileNote('occurrence', 'those after it are as the event that recurs has them')]
        : []),
      ...leftOut(content),
    ].map((note) => ({ ...note, line }))
    return importRecord({
      origin: { source: `event ${uid === component.text ? '' : uid}`.trim(), title, line },
      notes: [
        ...content.faults.map((each) =>
          fileNote('line', `it cannot be read, and is left out: ${each.message}`, each.line),
        ),
        ...notes,
        // The lines are those of the text, and not of the file.
        ...(body?.notes ?? []).map((note) => ({ ...note, line: null })),
      ],
      object,
    })
  }

  #eventRecord(indexed: Indexed, paths: TakenPaths): ImportRecord {
    const { component, uid } = indexed
    const content = contentOf(component)
    const times = eventTimes(content, this.#context)
    const { title } = statusOf(content)
    if (E.isLeft(times)) {
      const origin = {
        source: `event ${uid === component.text ? '' : uid}`.trim(),
        title,
        line: component.line,
      }
      const broken = content.faults.map((each) => fault(`line ${each.line}`, 'format', each.message))
      return importRecord({ origin, faults: [fault('', 'required', times.left), ...broken] })
    }
    const { dtstart, rrule, rdates } = times.right
    const wanted = eventUrlname(title, dtstart, rrule !== null || rdates.length > 0)
    const { urlname } = paths.take('/events/', wanted)
    return this.#event(indexed, times.right, urlname)
  }

  get total(): number {
    return this.#tags.length + this.#index.events.length + this.#index.others.length
  }

  *records(): Generator<ImportRecord> {
    const paths = new TakenPaths()
    for (const name of this.#tags) yield namedTagRecord(siteOf(this.#options), 'tag', name)
    for (const indexed of this.#index.events) yield this.#eventRecord(indexed, paths)
    for (const { component, reason } of this.#index.others) {
      const { line, name } = component
      const title = lineOf(textIn(contentOf(component), 'summary'))
      yield importRecord({
        origin: { source: name, title, line },
        notes: [fileNote('component', `not taken over: ${reason}`, line)],
      })
    }
  }
}

/**
 * The events of a calendar. `turn` lets others work, between components. Throws an UnreadableSource for a text that is none, or is
 * cut off.
 */
export const readCalendar = async (
  text: string,
  options: CalendarOptions,
  turn: () => Promise<void>,
): Promise<ImportSource> => {
  const components: Component[] = []
  for (const component of componentsIn(text)) {
    components.push(component)
    await turn()
  }
  const { zone, now } = options
  const zones = components.filter(({ name }) => name === 'VTIMEZONE')
  const context = { zone, now, zones: new CalendarZones(zone, zones) }
  const reader = new CalendarReader(await indexOf(components, context, turn), context, options)
  return {
    total: reader.total,
    records: async function* () {
      yield* reader.records()
    },
  }
}
