import {
  content,
  E,
  matchesFilter,
  maxSectionDepth,
  pipe,
  section,
  story,
  storyLimit,
  storyOf,
  TE,
  typedState,
  type JsonObject,
} from '@publishing-service/domain'
import type { Document } from '@publishing-service/ports'
import { viewBy } from '../caller.js'
import type { Outcome } from '../failure.js'
import { batchesOf } from '../objects/batches-of.js'
import { forEachPage } from '../objects/for-each-page.js'
import { loadReferences, lookupsOfStates } from '../objects/load-references.js'
import { findVisible } from '../objects/read-object.js'
import type { Operation, Session } from '../operation.js'
import { liveFilters, newestLive, newestOf } from './newest-live.js'
import { viewStories } from './stories.js'

/** Sections that one query names: a store reads the part of an index of each of them, in the order of the query. */
const sectionsPerQuery = 50

/** Sections that one query returns. */
const pageSize = 1000

/** The section and those below it. */
const sectionsFrom =
  ({ documents }: Session, id: string): Outcome<readonly string[]> =>
  async () => {
    const all = new Set([id])
    let level: readonly string[] = [id]
    for (let depth = 1; level.length > 0 && depth < maxSectionDepth; depth += 1) {
      const below: string[] = []
      for (const parents of batchesOf(level, sectionsPerQuery)) {
        const where = [{ key: 'parent_uuid', oneOf: parents }]
        const read = await forEachPage(
          { documents, collection: section.collection, where, limit: pageSize },
          (found) => below.push(...found.map((each) => each.id)),
        )()
        if (E.isLeft(read)) return read
      }
      level = below.filter((each) => !all.has(each))
      level.forEach((each) => all.add(each))
    }
    return E.right([...all])
  }

/** The newest live content in any of the sections. */
const newestIn =
  (session: Session, sections: readonly string[], limit: number): Outcome<readonly Document[]> =>
  async () => {
    let newest: readonly Document[] = []
    for (const batch of batchesOf(sections, sectionsPerQuery)) {
      const found = await newestLive(session, [{ key: 'section_uuid', oneOf: batch }], limit)()
      if (E.isLeft(found)) return found
      newest = newestOf([...newest, ...found.right], limit)
    }
    return E.right(newest)
  }

/** The lead story, if it is live. */
const leadStory = (session: Session, id: string | null): Outcome<readonly Document[]> =>
  id === null
    ? TE.right([])
    : pipe(
        session.documents.getMany(content.collection, [id], 'light'),
        TE.map((found) =>
          found.filter(({ value }) => liveFilters(session).every((filter) => matchesFilter(filter, value))),
        ),
      )

const chooseStories = (session: Session, { id, value }: Document): Outcome<readonly JsonObject[]> => {
  const { content_uuid, auto_featured_stories, auto_featured_stories_num } = typedState(section, value)
  const most = auto_featured_stories === true ? Math.min(auto_featured_stories_num ?? 0, storyLimit) : 0
  return pipe(
    TE.Do,
    TE.bind('lead', () => leadStory(session, content_uuid)),
    TE.bind('newest', () =>
      most === 0
        ? TE.right<never, readonly Document[]>([])
        : pipe(
            sectionsFrom(session, id),
            TE.chain((sections) => newestIn(session, sections, most)),
          ),
    ),
    TE.map(({ lead, newest }) => {
      const others = newest.filter((each) => each.id !== content_uuid).slice(0, most - lead.length)
      return [...lead, ...others].map((each) => storyOf(each.id, each.value))
    }),
  )
}

/**
 * The featured stories of a section: its lead story, followed by the newest live content in it and below it
 * (docs/behaviour/sections.md#featured-stories).
 */
export const readSectionStories: Operation<{ readonly id: string }, readonly JsonObject[]> = {
  name: 'readSectionStories',
  subject: section.collection,
  action: 'read',
  isTimed: true,
  run: (session, { id }) =>
    pipe(
      findVisible(session, section, id),
      TE.chain((document) => chooseStories(session, document)),
      TE.chain((items) =>
        pipe(
          loadReferences(session, lookupsOfStates(story, items)),
          TE.map((find) => viewStories(items, viewBy(session, '', { find }))),
        ),
      ),
    ),
}
