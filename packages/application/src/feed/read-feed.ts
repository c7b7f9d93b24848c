import {
  content,
  E,
  feedEntry,
  feedLookups,
  feedOf,
  jsonBytes,
  maxFeedEntries,
  notFound,
  operations,
  parseUuid,
  pathLookups,
  pipe,
  section,
  sectionPath,
  TE,
  type Feed,
  type FeedEntry,
} from '@publishing-service/domain'
import type { Document } from '@publishing-service/ports'
import { SessionView } from '../caller.js'
import type { Outcome } from '../failure.js'
import { newestBelow } from '../homepage/newest-below.js'
import { newestLive } from '../homepage/newest-live.js'
import { batchesOf } from '../objects/batches-of.js'
import { loadReferences } from '../objects/load-references.js'
import { findVisible } from '../objects/read-object.js'
import type { ReadOperation } from '../operation.js'
import type { Session } from '../session.js'
import { websiteSettings } from './website-settings.js'

/** Content objects whose bodies one query reads. */
const batchSize = 5

/** A feed ends early once its content has this many bytes of JSON. */
const maxFeedBytes = 4 * 1024 * 1024

/** The same documents with their bodies, in the same order, until they are large enough for a feed. */
const withBodies =
  ({ documents }: Session, found: readonly Document[]): Outcome<readonly Document[]> =>
  async () => {
    const read: Document[] = []
    let bytes = 0
    const ids = found.map(({ id }) => id)
    for (const batch of batchesOf(ids, batchSize)) {
      if (bytes >= maxFeedBytes) break
      const loaded = await documents.getMany(content.collection, batch, 'full')()
      if (E.isLeft(loaded)) return loaded
      read.push(...loaded.right)
      bytes += loaded.right.reduce((sum, { value }) => sum + jsonBytes(value), 0)
    }
    return E.right(read.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)))
  }

const sectionOf = (session: Session, name: string): Outcome<Document | null> => {
  if (name === 'all') return TE.right(null)
  const id = parseUuid(name)
  return id === null ? TE.left(notFound) : findVisible(session, section, id)
}

/** The newest live content of a section and the sections below it, or of the instance (docs/behaviour/feeds.md). */
const readPublicFeed = (session: Session, name: string): Outcome<Feed> =>
  pipe(
    TE.Do,
    TE.bind('settings', () => websiteSettings(session)),
    TE.bind('of', () => sectionOf(session, name)),
    TE.bind('found', ({ of }) =>
      pipe(
        of === null ? newestLive(session, [], maxFeedEntries) : newestBelow(session, of.id, maxFeedEntries),
        TE.chain((found) => withBodies(session, found)),
      ),
    ),
    TE.bind('find', ({ of, found }) =>
      loadReferences(session, [
        ...found.flatMap(({ value }) => feedLookups(value)),
        ...(of === null ? [] : pathLookups(sectionPath, of.value)),
      ]),
    ),
    TE.chainTaskK(({ settings, of, found, find }) => async () => {
      const entries: FeedEntry[] = []
      for (const { id, value } of found) {
        entries.push(feedEntry(value, new SessionView(session, id, { find }), settings))
        // A long body takes some milliseconds.
        await session.clock.turn()
      }
      return feedOf(of === null ? null : { uuid: of.id, state: of.value }, entries, settings, find)
    }),
  )

/** Reads a feed by its name: `all`, or the UUID of a section. */
export const readFeed: ReadOperation<{ readonly name: string }, Feed> = {
  ...operations.readFeed,
  run: (session, { name }) => readPublicFeed(session.asPublic(), name),
}
