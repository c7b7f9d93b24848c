import { content } from '@publishing-service/domain'
import {
  occurrenceIndex,
  occurrencePeriod,
  occurrenceState,
  overlapping,
  overlappingOf,
  selectiveFilters,
  type OccurrencePeriod,
  type OccurrenceRange,
} from '@publishing-service/domain/recurrence'
import type { JsonObject } from '@publishing-service/domain/json'
import {
  countLimits,
  parseCollectionQuery,
  totalOf,
  type CollectionQuery,
  type Listing,
  type Parameters,
} from '@publishing-service/domain/lists'
import { matchesFilter, type Filter } from '@publishing-service/domain/filters'
import { operations } from '@publishing-service/domain/roles'
import { unreadable, type Document } from '@publishing-service/ports'
import { accepted } from '../attempt.js'
import { loadConditions } from '../engine/list.js'
import { readMerged, type Source } from '../engine/read-merged.js'
import { afterOf, blockSize, seek, countedLinks, rowsBefore, type PageLinks } from '../engine/read-page.js'
import { createRowReader, rowPlan } from '../engine/row-reader.js'
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
): Source<Occurrence> => ({
  find: async ({ bytes: _unlimited, ...read }) => {
    const query = { key, range, where, ...read }
    const { texts, next } = await session.documents.findTexts(content.collection, query)
    return { items: texts, next }
  },
  detail: 'light',
  placeOf: () => null,
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
 * The occurrences of named events, and those of events that a filter selects if these are few; null if they are not sorted
 * here, but read in the order of an index.
 */
const fewOccurrences = async (
  session: Session,
  where: readonly Filter[],
  period: OccurrencePeriod,
  parameters: Parameters,
  { ids }: CollectionQuery['restrictions'],
): Promise<readonly Occurrence[] | null> => {
  if (ids !== undefined) return occurrencesOf(session, ids, where, period)
  const isSelective = selectiveFilters.some((name) => parameters[name] !== undefined)
  return isSelective ? occurrencesOfFew(session, where, period) : null
}

/** One occurrence of an event: its state has the times of the occurrence. */
type ReadOccurrence = { readonly id: string; readonly state: JsonObject }

/** Occurrences by start: all of them, or where they are read. */
type Selected = { readonly few: readonly Occurrence[] } | { readonly sources: readonly Source<Occurrence>[] }

const select = async (
  session: Session,
  parameters: Parameters,
  query: CollectionQuery,
): Promise<Selected> => {
  const period = accepted(occurrencePeriod(parameters, session))
  const where = await loadConditions(session, occurrenceIndex, query.where)
  const few = await fewOccurrences(session, where, period, parameters, query.restrictions)
  if (few !== null) return { few }
  return { sources: overlapping(period).map((part) => occurrencesIn(session, where, part)) }
}

type OnFound = (found: readonly ReadOccurrence[]) => Promise<void> | void

const readSelected = async (
  selected: Selected,
  query: CollectionQuery,
  onFound: OnFound,
): Promise<PageLinks> => {
  const add = async (found: readonly Occurrence[]): Promise<void> =>
    onFound(
      found.flatMap(({ text, document: { id, value } }) =>
        value === unreadable ? [] : [{ id, state: occurrenceState(value, text) }],
      ),
    )
  if ('few' in selected) {
    const { few } = selected
    const before = rowsBefore(query)
    await add(few.slice(before, before + query.rpp))
    return countedLinks(query, few.length > before + query.rpp)
  }
  return readMerged<Occurrence, Source<Occurrence>>(
    { sources: selected.sources, order: [] },
    query,
    (found) => add(found.map(({ item }) => item)),
  )
}

/** The number of occurrences of a source, or more than a total has: a few reads of one occurrence, by halves of a block. */
const countIn = async ({ find }: Source<Occurrence>): Promise<number> => {
  const { after, offset } = await seek(find, countLimits.exact)
  let [least, most] = [0, blockSize]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    const { items } = await find({ ...afterOf({ after }), skip: middle - 1, limit: 1, detail: 'light' })
    if (items.length > 0) least = middle
    else most = middle - 1
  }
  return offset + least
}

const countSelected = async (selected: Selected): Promise<number> => {
  if ('few' in selected) return selected.few.length
  let count = 0
  for (const source of selected.sources) count += await countIn(source)
  return count
}

/** Passes a page of occurrences of events, by start, to a function. Returns the links of the page. */
export const readOccurrences = async (
  session: Session,
  parameters: Parameters,
  query: CollectionQuery,
  onFound: OnFound,
): Promise<PageLinks> => readSelected(await select(session, parameters, query), query, onFound)

/** The query of the occurrences that parameters select; throws BadParameters. */
export const occurrencesQuery = (session: Session, parameters: Parameters): CollectionQuery =>
  accepted(parseCollectionQuery(occurrenceIndex, parameters, session, session.strict))

/** The occurrences of events, by start (docs/behaviour/collections.md#occurrences). */
export const listOccurrences: ReadOperation<{ readonly parameters: Parameters }, Listing> = {
  ...operations.listOccurrences,
  run: async (session, { parameters }) => {
    const query = occurrencesQuery(session, parameters)
    const { addRows, finish } = createRowReader(session, query)
    const of = rowPlan(session, occurrenceIndex, query)
    const selected = await select(session, parameters, query)
    const links = await readSelected(selected, query, (found) =>
      addRows(found.map((each) => ({ of, ...each }))),
    )
    const listing = await finish(links)
    if (query.counting === null) return listing
    return { ...listing, counted: { total: totalOf(await countSelected(selected)) } }
  },
}
