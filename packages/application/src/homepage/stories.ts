import {
  draftStories,
  homepage,
  pipe,
  storiesOf,
  story,
  storyList,
  storyOf,
  TE,
  viewOf,
  type JsonObject,
  type StoredStories,
  type StoryList,
  type View,
} from '@publishing-service/domain'
import { valueContextOf, viewBy } from '../caller.js'
import type { Failure, Outcome } from '../failure.js'
import { changePart, checkDraft } from '../objects/change-part.js'
import { loadReferences, lookupsOfStates } from '../objects/load-references.js'
import { findVisible, initialDocument } from '../objects/read-object.js'
import type { Operation, Session } from '../operation.js'
import { newestLive, newestOf } from './newest-live.js'

/**
 * The stories of an automatic list: the newest live content that carries any of its tags
 * (docs/behaviour/homepage.md).
 */
const chooseStories = (
  session: Session,
  { auto_max, auto_tag_uuids }: StoredStories,
): Outcome<readonly JsonObject[]> =>
  auto_max === 0
    ? TE.right([])
    : pipe(
        auto_tag_uuids.length === 0
          ? TE.right<Failure, readonly (string | null)[]>([null])
          : pipe(
              session.documents.getMany('tags', auto_tag_uuids, 'light'),
              TE.map((tags) => tags.map(({ id }) => id)),
            ),
        TE.chain(
          TE.traverseArray((tagId) =>
            newestLive(session, tagId === null ? [] : [{ key: 'tagged', has: tagId }], auto_max),
          ),
        ),
        TE.map((found) => newestOf(found.flat(), auto_max).map(({ id, value }) => storyOf(id, value))),
      )

/** Stories as the role sees them. */
export const viewStories = (items: readonly JsonObject[], view: View): readonly JsonObject[] =>
  items.map((item) => viewOf(story, item, view)).filter((item) => story.isReturned?.(item) ?? true)

const showStories = (session: Session, stories: StoredStories): Outcome<JsonObject> =>
  pipe(
    stories.auto ? chooseStories(session, stories) : TE.right(stories.items),
    TE.chain((items) =>
      pipe(
        loadReferences(session, [...lookupsOfStates(story, items), ...lookupsOfStates(storyList, [stories])]),
        TE.map((find) => {
          const view = viewBy(session, '', { find })
          return {
            ...viewOf(storyList, stories, view),
            items: viewStories(items, view),
          }
        }),
      ),
    ),
  )

/** A list of stories, with those that an automatic one chooses now. */
export const readStories = (list: StoryList): Operation<{ readonly id: string }, JsonObject> => ({
  name: 'readStories',
  subject: homepage.collection,
  action: 'read',
  isTimed: true,
  run: (session, { id }) =>
    pipe(
      findVisible(session, homepage, id),
      TE.chain(({ value }) => showStories(session, storiesOf(value, list))),
    ),
})

/** Inserts the homepage of a weekday, if it is not stored yet. */
const insertInitial = ({ documents }: Session, id: string): Outcome<void> =>
  pipe(
    documents.get(homepage.collection, id),
    TE.chain((stored): Outcome<void> => {
      const initial = stored === null ? initialDocument(homepage, id) : null
      if (initial === null) return TE.right(undefined)
      return pipe(
        documents.insert(homepage.collection, { id, unique: null, value: initial.value }),
        TE.map(() => undefined),
        TE.orElse((failure) =>
          failure._tag === 'PortFailure' ? TE.left<Failure>(failure) : TE.right(undefined),
        ),
      )
    }),
  )

/** Replaces a list of stories. */
export const replaceStories = (
  list: StoryList,
): Operation<{ readonly id: string; readonly body: JsonObject }, void> => ({
  name: 'replaceStories',
  subject: homepage.collection,
  action: 'update',
  changed: ({ id }) => ({ object: id }),
  run: (session, { id, body }) => {
    const draft = draftStories(body, valueContextOf(session))
    return pipe(
      insertInitial(session, id),
      TE.chain(() =>
        changePart(session, homepage, id, {
          show: (state) => showStories(session, storiesOf(state, list)),
          change: (state) =>
            pipe(
              checkDraft(session, draft),
              TE.map(() => ({ ...state, [list]: draft.stories })),
            ),
        }),
      ),
    )
  },
})
