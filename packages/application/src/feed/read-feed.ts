import { notFound, section } from '@publishing-service/domain'
import { jsonBytes } from '@publishing-service/domain/json'
import { parseUuid } from '@publishing-service/domain/declare'
import { sectionPath } from '@publishing-service/domain/content'
import { pathLookups } from '@publishing-service/domain/paths'
import {
  feedEntry,
  feedLookups,
  feedOf,
  maxFeedEntries,
  type Feed,
  type FeedEntry,
} from '@publishing-service/domain/feeds'
import { operations } from '@publishing-service/domain/roles'
import type { Document } from '@publishing-service/ports'
import { fail } from '../attempt.js'
import { newestBelow } from '../homepage/newest-below.js'
import { newestLive } from '../homepage/newest-live.js'
import { batchesOf } from '../batches-of.js'
import { loadReferences } from '../engine/load-related.js'
import { findVisible } from '../engine/read-one.js'
import type { ReadOperation } from '../operation.js'
import { SessionView, type Session } from '../session.js'
import { websiteSettings } from './website-settings.js'
import { wholeContent } from './whole-content.js'

/** Content objects whose bodies one query reads. */
const batchSize = 5

/** A feed ends early once its content has this many bytes of JSON. */
const maxFeedBytes = 4 * 1024 * 1024

/** The same documents with their bodies, in the same order, until they are large enough for a feed. */
const withBodies = async (session: Session, found: readonly Document[]): Promise<readonly Document[]> => {
  const read: Document[] = []
  let bytes = 0
  const ids = found.map(({ id }) => id)
  for (const batch of batchesOf(ids, batchSize)) {
    if (bytes >= maxFeedBytes) break
    const loaded = await wholeContent(session, batch)
    read.push(...loaded)
    bytes += loaded.reduce((sum, { value }) => sum + jsonBytes(value), 0)
  }
  return read
}

const sectionOf = async (session: Session, name: string): Promise<Document | null> => {
  if (name === 'all') return null
  const id = parseUuid(name)
  if (id === null) fail(notFound)
  return findVisible(session, section, id)
}

/** The newest live content of a section and the sections below it, or of the instance (docs/behaviour/feeds.md). */
const readPublicFeed = async (session: Session, name: string): Promise<Feed> => {
  const settings = websiteSettings(session)
  const of = await sectionOf(session, name)
  const newest = await (of === null
    ? newestLive(session, [], maxFeedEntries)
    : newestBelow(session, of.id, maxFeedEntries))
  const found = await withBodies(session, newest)
  const find = await loadReferences(session, [
    ...found.flatMap(({ value }) => feedLookups(value)),
    ...(of === null ? [] : pathLookups(sectionPath, of.value)),
  ])
  const entries: FeedEntry[] = []
  for (const { id, value } of found) {
    entries.push(feedEntry(value, new SessionView(session, id, { find }), settings))
    // A long body takes some milliseconds.
    await session.clock.turn()
  }
  return feedOf(of === null ? null : { uuid: of.id, state: of.value }, entries, settings, find)
}

/** Reads a feed by its name: `all`, or the UUID of a section. */
export const readFeed: ReadOperation<{ readonly name: string }, Feed> = {
  ...operations.readFeed,
  run: async (session, { name }) => readPublicFeed(session.asPublic(), name),
}
