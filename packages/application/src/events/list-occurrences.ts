import { content } from '@publishing-service/domain'
import {
  eventsNamed,
  occurrenceIndex,
  occurrencePeriod,
  occurrenceState,
  overlapping,
  overlappingOf,
  selectiveFilters,
  type OccurrencePeriod,
  type OccurrenceRange,
} from '@publishing-service/domain/recurrence'
import {
  matchesFilter,
  parseCollectionQuery,
  type Filter,
  type Parameters,
  type Listing,
} from '@publishing-service/domain/lists'
import { operations } from '@publishing-service/domain/access'
import { unreadable, type Document } from '@publishing-service/ports'
import { accepted } from '../attempt.js'
import { loadConditions } from '../engine/list.js'
import type { PagedQuery } from '../engine/read-page.js'
import { readSequence } from '../engine/read-sequence.js'
import { readRows } from '../engine/row-reader.js'
import type { ReadOperation } from '../operation.js'
import type { Session } from '../session.js'

type Occurrence = { readonly text: string; readonly document: Document }

/** The maximum number of events whose occurrences are sorted in memory. */
const fewEvents = 100

/** The occurrences of a part of a key, for events that meet the filters. */
const occurrencesIn = (
  session: Session,
  where: readonly Filter[],
  { key, range }: OccurrenceRange,
): PagedQuery<Occurrence> => ({
  find: async ({ bytes: _unlimited, ...read }) => {
    const query = { key, range, where, ...read }
    const { texts, next } = await session.documents.findTexts(content.collection, query)
    return { items: texts, next }
  },
  key: JSON.stringify([
    'occurrences',
    session.instance.number,
    session.role,
    session.writesTo(content.collection),
    key,
    range.atLeast,
    range.below,
    where,
  ]),
})

/** The occurrences of events in a period, by start. */
const sortedOccurrences = (events: readonly Document[], period: OccurrencePeriod): readonly Occurrence[] =>
  events
    .flatMap((document) => {
      const { occurrences } = document.value
      const listed = Array.isArray(occurrences) ? occurrences.filter((each) => typeof each === 'string') : []
      return overlappingOf(listed, period).map((text) => ({ text, document }))
    })
    .toSorted((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text)))

/** All occurrences in the period of the named events that meet the filters. */
const occurrencesOf = async (
  { documents }: Session,
  ids: readonly string[],
  where: readonly Filter[],
  period: OccurrencePeriod,
): Promise<readonly Occurrence[]> => {
  const events = await documents.getMany(content.collection, [...new Set(ids)], 'full')
  return sortedOccurrences(
    events.filter(({ value }) => where.every((filter) => matchesFilter(filter, value))),
    period,
  )
}

/** All occurrences in the period of events that meet the filters; null if these are more than a few. */
const occurrencesOfFew = async (
  { documents }: Session,
  where: readonly Filter[],
  period: OccurrencePeriod,
): Promise<readonly Occurrence[] | null> => {
  const { documents: events, next } = await documents.find(content.collection, {
    where: [...where, { anyOf: overlapping(period).map(({ key, range }) => [{ key, hasIn: range }]) }],
    order: [],
    skip: 0,
    limit: fewEvents,
    detail: 'full',
  })
  return next === null ? sortedOccurrences(events, period) : null
}

/**
 * The occurrences of events, by start (docs/behaviour/collections.md#occurrences). If a filter selects few events, their
 * occurrences are sorted, as are those of named events; otherwise they are read in the order of an index.
 */
const findOccurrences = async (
  session: Session,
  where: readonly Filter[],
  period: OccurrencePeriod,
  parameters: Parameters,
  page: { readonly skip: number; readonly limit: number },
): Promise<readonly Occurrence[]> => {
  const events = eventsNamed(parameters)
  const isSelective = selectiveFilters.some((name) => parameters[name] !== undefined)
  const few =
    events !== null
      ? await occurrencesOf(session, events, where, period)
      : isSelective
        ? await occurrencesOfFew(session, where, period)
        : null
  if (few !== null) return few.slice(page.skip, page.skip + page.limit)
  const parts = overlapping(period).map((part) => occurrencesIn(session, where, part))
  return readSequence(session, parts, { ...page, detail: 'light' })
}

export const listOccurrences: ReadOperation<{ readonly parameters: Parameters }, Listing> = {
  ...operations.listOccurrences,
  run: async (session, { parameters }) => {
    const query = accepted(parseCollectionQuery(occurrenceIndex, parameters, session, session.strict))
    const period = accepted(occurrencePeriod(parameters, session))
    const { page, rpp } = query
    const where = await loadConditions(session, occurrenceIndex, query.where)
    const range = { skip: (page - 1) * rpp, limit: rpp + 1 }
    const found = await findOccurrences(session, where, period, parameters, range)
    const shown = found
      .slice(0, rpp)
      .flatMap(({ text, document: { id, value } }) =>
        value === unreadable ? [] : [{ shape: occurrenceIndex, id, state: occurrenceState(value, text) }],
      )
    return readRows(session, query, shown, found.length > rpp)
  },
}
