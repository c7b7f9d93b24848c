import { content, notFound } from '@publishing-service/domain'
import { jsonBytes } from '@publishing-service/domain/json'
import {
  calendarEvent,
  calendarIndex,
  calendarLimits,
  calendarLookups,
  calendarOf,
  calendarPeriods,
  type Calendar,
  type CalendarEvent,
} from '@publishing-service/domain/feeds'
import type { Filter } from '@publishing-service/domain/filters'
import { parseCollectionQuery, type Parameters } from '@publishing-service/domain/lists'
import { overlapping } from '@publishing-service/domain/recurrence'
import { operations } from '@publishing-service/domain/roles'
import { instantAt } from '@publishing-service/domain/time'
import { unreadable, type Document } from '@publishing-service/ports'
import { accepted, fail } from '../attempt.js'
import { batchesOf } from '../batches-of.js'
import { loadConditions } from '../engine/list.js'
import { loadReferences } from '../engine/load-related.js'
import { findVisible } from '../engine/read-one.js'
import type { ReadOperation } from '../operation.js'
import { SessionView, type Session } from '../session.js'
import { wholeContent } from './whole-content.js'

/** Events that one query reads as a whole. */
const batchSize = 20

/** The conditions of the filters among the parameters; the others are not of this address. */
const conditionsOf = async (session: Session, parameters: Parameters): Promise<readonly Filter[]> => {
  const filters = Object.fromEntries(
    Object.entries(parameters).filter(([name]) => Object.hasOwn(calendarIndex.filters, name)),
  )
  const { where } = accepted(parseCollectionQuery(calendarIndex, filters, session, session.strict))
  return [...calendarIndex.within, ...(await loadConditions(session, calendarIndex, where))]
}

/** The ids of the events in a calendar, the next first. */
const eventsFor = async (session: Session, parameters: Parameters): Promise<readonly string[]> => {
  const where = await conditionsOf(session, parameters)
  const found = new Set<string>()
  for (const period of calendarPeriods(session.now)) {
    if (found.size >= calendarLimits.events) break
    const { documents } = await session.documents.find(content.collection, {
      where: [...where, { anyOf: overlapping(period).map(({ key, range }) => [{ key, hasIn: range }]) }],
      order: [],
      skip: 0,
      limit: calendarLimits.events,
      detail: 'light',
    })
    for (const { id, value } of documents) if (value !== unreadable) found.add(id)
  }
  return [...found].slice(0, calendarLimits.events)
}

type Found = { readonly id: string; readonly event: CalendarEvent }

/** The time of the session, in milliseconds since 1970. */
const nowOf = ({ instance: { settings }, now }: Session): number => instantAt(settings.timezone, now)

const eventsOf = async (session: Session, documents: readonly Document[]): Promise<readonly Found[]> => {
  const find = await loadReferences(
    session,
    documents.flatMap(({ value }) => calendarLookups(value)),
  )
  const now = nowOf(session)
  const found: Found[] = []
  for (const { id, value } of documents) {
    const view = new SessionView(session, id, { find })
    const event = calendarEvent(value, view, session.instance.settings, now)
    if (event !== null) found.push({ id, event })
    // An event with a rule takes a millisecond.
    await session.clock.turn()
  }
  return found
}

/** Reads the events not over for more than a year, the next first, until they are large enough for a calendar. */
const readPublicCalendar = async (session: Session, parameters: Parameters): Promise<Calendar> => {
  const events: Found[] = []
  let bytes = 0
  for (const ids of batchesOf(await eventsFor(session, parameters), batchSize)) {
    if (bytes >= calendarLimits.bytes) break
    for (const found of await eventsOf(session, await wholeContent(session, ids))) {
      events.push(found)
      bytes += jsonBytes(found.event)
    }
  }
  return calendarOf(events, session.instance.settings, nowOf(session))
}

/** Reads the calendar of the events that filters select (docs/behaviour/feeds.md#calendars). */
export const readCalendar: ReadOperation<{ readonly parameters: Parameters }, Calendar> = {
  ...operations.readCalendar,
  run: async (session, { parameters }) => readPublicCalendar(session.asPublic(), parameters),
}

const readPublicEvent = async (session: Session, id: string): Promise<Calendar> => {
  const events = await eventsOf(session, [await findVisible(session, content, id)])
  if (events.length === 0) fail(notFound)
  return calendarOf(events, session.instance.settings, nowOf(session))
}

/** Reads the calendar of one event; NotFound for other content, and for an event without an occurrence. */
export const readEventCalendar: ReadOperation<{ readonly id: string }, Calendar> = {
  ...operations.readEventCalendar,
  run: async (session, { id }) => readPublicEvent(session.asPublic(), id),
}
