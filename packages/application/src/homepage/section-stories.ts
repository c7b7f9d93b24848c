import {
  content,
  matchesFilter,
  operations,
  pipe,
  section,
  story,
  storyLimit,
  storyOf,
  TE,
  typedState,
  type JsonObject,
  type Parameters,
} from '@publishing-service/domain'
import type { Document } from '@publishing-service/ports'
import { SessionView } from '../caller.js'
import type { Outcome } from '../failure.js'
import { loadReferences, lookupsOfStates } from '../objects/load-references.js'
import { findVisible } from '../objects/read-object.js'
import type { ReadOperation } from '../operation.js'
import type { Session } from '../session.js'
import { newestBelow } from './newest-below.js'
import { liveFilters } from './newest-live.js'
import { showStories, storyPaths, type ShownStories } from './stories.js'

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
      most === 0 ? TE.right<never, readonly Document[]>([]) : newestBelow(session, id, most),
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
export const readSectionStories: ReadOperation<
  { readonly id: string; readonly parameters: Parameters },
  ShownStories
> = {
  ...operations.readSectionStories,
  run: (session, { id, parameters }) =>
    pipe(
      storyPaths(parameters),
      TE.chain((paths) =>
        pipe(
          findVisible(session, section, id),
          TE.chain((document) => chooseStories(session, document)),
          TE.chain((items) =>
            pipe(
              loadReferences(session, lookupsOfStates(session, story, items)),
              TE.chain((find) => showStories(session, items, new SessionView(session, '', { find }), paths)),
            ),
          ),
        ),
      ),
    ),
}
