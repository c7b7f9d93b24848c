/** The feed of changes, which is read from their records (docs/behaviour/changes.md). */
import { cursorExpired } from '@publishing-service/domain'
import { operations } from '@publishing-service/domain/roles'
import {
  feedCursor,
  feedDays,
  feedItem,
  parseFeedQuery,
  pathLookupsOf,
  publicEffect,
  type FeedCursor,
  type FeedItem,
  type FeedPlace,
  type FeedQuery,
  type PublicEffect,
} from '@publishing-service/domain/changes'
import type { Parameters } from '@publishing-service/domain/lists'
import { unreadable } from '@publishing-service/ports'
import { accepted } from '../attempt.js'
import { markedChangeIn } from '../audit/change-records.js'
import { loadReferences, type Reader } from '../engine/load-related.js'
import type { ReadOperation } from '../operation.js'
import type { Session } from '../session.js'
import type { Fail } from '../failure.js'

/** Records that one query returns. */
const recordsAtOnce = 100

/** Records that one request reads at most: a role may see nothing of many. */
const mostRecords = 5000

const day = 86_400_000

/** Who reads the feed. */
export type FeedReader = Reader & Pick<Session, 'records' | 'links' | 'clock' | 'deployment'>

/** A change as a role reads it, with what the public sees of it, and the position of its record. */
export type ReadChange = {
  readonly effect: PublicEffect | null
  readonly position: number
  readonly item: FeedItem
}

export type ReadPage = {
  readonly changes: readonly ReadChange[]
  readonly next: FeedPlace
  /** The id of the last record that was read; null if none was. */
  readonly last: string | null
}

/** Milliseconds for which the feed has changes. */
const feedTime = ({ deployment: { auditTime } }: Pick<FeedReader, 'deployment'>): number =>
  Math.min(feedDays * day, auditTime)

/** The place from which all changes are read that the feed has, or those from now on. */
export const feedPlace = async (reader: FeedReader, since: 'start' | 'now'): Promise<FeedPlace> => {
  const now = reader.clock.now()
  const { records } = reader
  const from = await (since === 'now' ? records.end() : records.firstSince(now - feedTime(reader)))
  return { from, time: Math.floor(now / 1000) }
}

/**
 * The changes after a place that the reader sees, in the order of commits: those of the first records that have any, up to a
 * limit. Fails with CursorExpired if the feed does not have all changes since that place.
 */
export const readChanges = async (
  reader: FeedReader,
  { from: start, time }: FeedPlace,
  failWith: Fail<'CursorExpired'>,
  types: FeedQuery['types'] = null,
): Promise<ReadPage> => {
  const now = reader.clock.now()
  if (time * 1000 < now - feedTime(reader)) failWith(cursorExpired)
  let from = start
  let last: string | null = null
  for (let read = 0; read < mostRecords; read += recordsAtOnce) {
    const { documents, next } = await reader.records.after(from, recordsAtOnce)
    const marked = documents.flatMap((document) => {
      const change = document.value === unreadable ? null : markedChangeIn(document)
      return change === null || types?.has(change.resource.collection) === false ? [] : [{ document, change }]
    })
    const find = await loadReferences(
      reader,
      marked.flatMap(({ change }) => pathLookupsOf(change)),
    )
    const changes = marked.flatMap(({ document: { position }, change }) => {
      const effect = publicEffect(change, reader.settings)
      const item = feedItem(change, effect, reader.role, { find, links: reader.links })
      return item === null ? [] : [{ position, item, effect }]
    })
    const end = documents.at(-1)
    if (end !== undefined) [from, last] = [end.position + 1, end.id]
    if (changes.length > 0 || next === null)
      return { changes, next: { from, time: Math.floor(now / 1000) }, last }
  }
  return { changes: [], next: { from, time }, last }
}

/**
 * The position from which a client reads on. Without the record that it names, because the record has expired or the store was
 * restored from an earlier copy, that is the start of the feed: changes repeat, and none is missing.
 */
const positionOf = async (reader: FeedReader, { after }: Pick<FeedCursor, 'after'>): Promise<number> => {
  const position = after === null ? null : await reader.records.positionAfter(after)
  return position ?? (await feedPlace(reader, 'start')).from
}

/** A page of the feed. */
export type Changes = {
  readonly items: readonly FeedItem[]
  /** Where the next page starts. */
  readonly next: string
  /** Seconds that the client waits for a change. */
  readonly wait: number
}

/** The changes of an instance after a place, as the caller's role sees them. */
export const listChanges: ReadOperation<{ readonly parameters: Parameters }, Changes, 'CursorExpired'> = {
  ...operations.listChanges,
  run: async (session, { parameters }, failWith) => {
    const { number } = session.instance
    const { since, wait, types } = accepted(parseFeedQuery(parameters, number))
    const time = Math.floor(session.clock.now() / 1000)
    if (since === 'now') {
      const last = await session.records.last()
      return { items: [], next: feedCursor(number, { after: last?.id ?? null, time }), wait: 0 }
    }
    const start = since === 'start' ? { after: null, time } : since
    const place = { from: await positionOf(session, start), time: start.time }
    const { changes, next, last } = await readChanges(session, place, failWith, types)
    return {
      items: changes.map(({ item }) => item),
      next: feedCursor(number, { after: last ?? start.after, time: next.time }),
      wait,
    }
  },
}
