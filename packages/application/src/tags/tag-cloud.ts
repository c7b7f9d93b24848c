import { stateIn, badParameters, content, fault, tag, tagCategory } from '@publishing-service/domain'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import {
  displayName,
  parseCloudQuery,
  rankTags,
  type CloudQuery,
  type Weighted,
} from '@publishing-service/domain/tags'
import { type Parameters } from '@publishing-service/domain/lists'
import { matchesFilter, type Filter } from '@publishing-service/domain/filters'
import { operations } from '@publishing-service/domain/roles'
import { visibilityOf } from '@publishing-service/domain/engine'
import type { Document } from '@publishing-service/ports'
import { accepted, fail } from '../attempt.js'
import { forEachPage } from '../engine/for-each-page.js'
import type { ReadOperation } from '../operation.js'
import type { Session } from '../session.js'

type Counts = Map<string, number>
type Candidate = Weighted<{ readonly urlname: Json }>

const batchSize = 1000

const published = { state: 'published' } as const

const add = (counts: Counts, tagId: string, count: number): void => {
  counts.set(tagId, (counts.get(tagId) ?? 0) + count)
}

/** Returns the tag id of a value of the key; null if it is of another predicate. */
const tagIdReader =
  ({ predicate }: CloudQuery) =>
  (text: string): string | null => {
    if (predicate === null) return text
    return text.startsWith(`${predicate} `) ? text.slice(predicate.length + 1) : null
  }

const keyOf = ({ predicate }: CloudQuery): string => (predicate === null ? 'tagged' : 'tagged_as')

const countPublished = async ({ documents }: Session, query: CloudQuery): Promise<Counts> => {
  const key = keyOf(query)
  const groups =
    query.types === null
      ? ['content', 'locations'].map((collection) => ({ collection, key, within: published }))
      : query.types.map((content_type) => ({
          collection: 'content',
          key,
          within: { ...published, content_type },
        }))
  const groupCounts = await documents.getRelated({ documents: [], counts: groups })
  const counts: Counts = new Map()
  const read = tagIdReader(query)
  for (const { text, count } of groupCounts.counts.flat()) {
    const id = read(text)
    if (id !== null) add(counts, id, count)
  }
  return counts
}

/** Subtracts published objects with a future issue date from the counts. */
const subtractScheduled = ({ documents, now }: Session, query: CloudQuery, counts: Counts): Promise<void> => {
  const key = keyOf(query)
  const read = tagIdReader(query)
  const where: readonly Filter[] = [
    { key: 'live_from', above: now },
    ...(query.types === null ? [] : [{ key: 'content_type', oneOf: query.types }]),
  ]
  const subtract = (found: readonly Document[]): void => {
    for (const { value } of found) {
      const texts = value[key]
      for (const text of Array.isArray(texts) ? texts : []) {
        const id = read(String(text))
        if (id !== null) add(counts, id, -1)
      }
    }
  }
  // In the order of the filter's key, so that stores use its index.
  const order = [{ key: 'live_from', direction: 'asc' }] as const
  return forEachPage({ documents, collection: content.collection, where, order, limit: batchSize }, subtract)
}

const membersOf = async ({ documents }: Session, category: string): Promise<ReadonlySet<string>> => {
  const found = await documents.get(tagCategory.collection, category)
  if (found === null)
    fail(badParameters([fault('category', 'reference', 'must be the UUID of a tag category')]))
  return new Set(stateIn(tagCategory, found.value).members)
}

/**
 * The approved tags with the highest counts, including all with the lowest of these counts, which are then ordered by
 * title.
 */
const findTags = async (
  session: Session,
  counts: readonly (readonly [string, number])[],
  limit: number,
): Promise<readonly Candidate[]> => {
  const visible = visibilityOf(tag, session.asPublic())
  const found: Candidate[] = []
  let weakest = 0
  for (let start = 0; start < counts.length; start += batchSize) {
    const batch = new Map(counts.slice(start, start + batchSize))
    const loaded = await session.documents.getMany('tags', [...batch.keys()], 'light')
    for (const { id, value } of loaded)
      if (visible.every((filter) => matchesFilter(filter, value)))
        found.push({
          uuid: id,
          title: displayName(value),
          urlname: stateIn(tag, value).urlname,
          count: batch.get(id) ?? 0,
        })
    weakest = counts[start + batchSize]?.[1] ?? 0
    const enough = found.filter(({ count }) => count > weakest).length
    if (enough >= limit) break
  }
  return found
}

/**
 * The most frequent tags of live objects (docs/behaviour/tags.md#tag-cloud). The store counts published objects by
 * tag. Those that are not live yet are subtracted, so the cost grows with the number of tags and of scheduled objects.
 */
export const readTagCloud: ReadOperation<{ readonly parameters: Parameters }, readonly JsonObject[]> = {
  ...operations.readTagCloud,
  run: async (session, { parameters }) => {
    const query = accepted(parseCloudQuery(parameters))
    const members = query.category === null ? null : await membersOf(session, query.category)
    const counts = await countPublished(session, query)
    await subtractScheduled(session, query, counts)
    const strongest = [...counts]
      .filter(([id, count]) => count > 0 && (members === null || members.has(id)))
      .toSorted((a, b) => b[1] - a[1])
    const tags = await findTags(session, strongest, query.limit)
    return rankTags(tags, query.limit).map(({ uuid, title, urlname, count, weight }) => ({
      uuid,
      url: session.links.object('tags', uuid),
      title,
      urlname,
      count,
      weight,
    }))
  },
}
