import {
  badParameters,
  content,
  E,
  eventsNamed,
  matchesFilter,
  occurrenceIndex,
  occurrencePeriod,
  occurrenceState,
  operations,
  overlapping,
  overlappingOf,
  parseCollectionQuery,
  pipe,
  selectiveFilters,
  TE,
  type Filter,
  type OccurrencePeriod,
  type OccurrenceRange,
  type Parameters,
  type Listing,
} from '@publishing-service/domain'
import { unreadable, type Document } from '@publishing-service/ports'

import type { Outcome } from '../failure.js'
import { loadConditions } from '../objects/list-objects.js'
import type { PagedQuery } from '../objects/read-page.js'
import { readSequence } from '../objects/read-sequence.js'
import { readRows } from '../objects/row-reader.js'
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
  find: ({ bytes: _unlimited, ...read }) =>
    pipe(
      session.documents.findTexts(content.collection, { key, range, where, ...read }),
      TE.map(({ texts, next }) => ({ items: texts, next })),
    ),
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
const occurrencesOf = (
  { documents }: Session,
  ids: readonly string[],
  where: readonly Filter[],
  period: OccurrencePeriod,
): Outcome<readonly Occurrence[]> =>
  pipe(
    documents.getMany(content.collection, [...new Set(ids)], 'full'),
    TE.map((events) =>
      sortedOccurrences(
        events.filter(({ value }) => where.every((filter) => matchesFilter(filter, value))),
        period,
      ),
    ),
  )

/** All occurrences in the period of events that meet the filters; null if these are more than a few. */
const occurrencesOfFew =
  (
    { documents }: Session,
    where: readonly Filter[],
    period: OccurrencePeriod,
  ): Outcome<readonly Occurrence[] | null> =>
  () =>
    pipe(
      documents.find(content.collection, {
        where: [...where, { anyOf: overlapping(period).map(({ key, range }) => [{ key, hasIn: range }]) }],
        order: [],
        skip: 0,
        limit: fewEvents,
        detail: 'full',
      }),
      TE.map(({ documents: events, next }) => (next === null ? sortedOccurrences(events, period) : null)),
    )()

/**
 * The occurrences of events, by start (docs/behaviour/collections.md#occurrences). If a filter selects few events, their
 * occurrences are sorted, as are those of named events; otherwise they are read in the order of an index.
 */
const findOccurrences =
  (
    session: Session,
    where: readonly Filter[],
    period: OccurrencePeriod,
    parameters: Parameters,
    page: { readonly skip: number; readonly limit: number },
  ): Outcome<readonly Occurrence[]> =>
  async () => {
    const events = eventsNamed(parameters)
    const isSelective = selectiveFilters.some((name) => parameters[name] !== undefined)
    const few =
      events === null
        ? await (isSelective ? occurrencesOfFew(session, where, period) : TE.right(null))()
        : await occurrencesOf(session, events, where, period)()
    if (E.isLeft(few)) return few
    if (few.right !== null) return E.right(few.right.slice(page.skip, page.skip + page.limit))
    const parts = overlapping(period).map((part) => occurrencesIn(session, where, part))
    return readSequence(session, parts, { ...page, detail: 'light' })()
  }

export const listOccurrences: ReadOperation<{ readonly parameters: Parameters }, Listing> = {
  ...operations.listOccurrences,
  run:
    (session, { parameters }) =>
    async () => {
      const viewer = session
      const query = parseCollectionQuery(occurrenceIndex, parameters, viewer, session.strict)
      if (E.isLeft(query)) return E.left(badParameters(query.left))
      const period = occurrencePeriod(parameters, viewer)
      if (E.isLeft(period)) return E.left(badParameters(period.left))
      const { page, rpp } = query.right
      const where = await loadConditions(session, occurrenceIndex, query.right.where)()
      if (E.isLeft(where)) return where
      const range = { skip: (page - 1) * rpp, limit: rpp + 1 }
      const found = await findOccurrences(session, where.right, period.right, parameters, range)()
      if (E.isLeft(found)) return found
      const shown = found.right
        .slice(0, rpp)
        .flatMap(({ text, document: { id, value } }) =>
          value === unreadable ? [] : [{ shape: occurrenceIndex, id, state: occurrenceState(value, text) }],
        )
      return readRows(session, query.right, shown, found.right.length > rpp)()
    },
}
