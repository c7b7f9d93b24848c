import {
  badParameters,
  draftStories,
  E,
  homepage,
  operations,
  parseObjectQuery,
  pipe,
  storiesOf,
  story,
  storyList,
  storyOf,
  TE,
  viewOf,
  type IncludePath,
  type JsonObject,
  type Parameters,
  type StoredStories,
  type StoryList,
  type ViewContext,
} from '@publishing-service/domain'
import { valueContextOf, SessionView } from '../caller.js'
import type { Failure, Outcome } from '../failure.js'
import { changePart, checkDraft } from '../objects/change-part.js'
import { includedBy } from '../objects/load-included.js'
import { loadReferences, lookupsOfStates } from '../objects/load-references.js'
import { findVisible, initialDocument } from '../objects/read-object.js'
import type { ReadOperation, WriteOperation } from '../operation.js'
import type { Session } from '../session.js'
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

/** Stories as the role sees them, and the objects that `include` names; null without `include`. */
export type ShownStories = { readonly items: readonly JsonObject[]; readonly included: JsonObject | null }

/** The stories of which the role sees something. */
export const showStories = (
  session: Session,
  items: readonly JsonObject[],
  view: ViewContext,
  paths: readonly IncludePath[] = [],
): Outcome<ShownStories> => {
  const shown = items
    .map((state) => ({ state, item: viewOf(story, state, view) }))
    .filter(({ item }) => story.isReturned?.(item) ?? true)
  const states = shown.map(({ state }) => state)
  return pipe(
    paths.length === 0
      ? TE.right<Failure, JsonObject | null>(null)
      : includedBy(session, story, states, paths),
    TE.map((included) => ({ items: shown.map(({ item }) => item), included })),
  )
}

/** The paths that `include` names in the query of a list of stories, or BadParameters. */
export const storyPaths = (parameters: Parameters): Outcome<readonly IncludePath[]> =>
  TE.fromEither(pipe(parseObjectQuery(story, parameters), E.mapLeft(badParameters)))

const showList = (
  session: Session,
  stories: StoredStories,
  paths: readonly IncludePath[] = [],
): Outcome<JsonObject> =>
  pipe(
    stories.auto ? chooseStories(session, stories) : TE.right(stories.items),
    TE.chain((items) =>
      pipe(
        loadReferences(session, [
          ...lookupsOfStates(session, story, items),
          ...lookupsOfStates(session, storyList, [stories]),
        ]),
        TE.map((find) => new SessionView(session, '', { find })),
        TE.chain((view) =>
          pipe(
            showStories(session, items, view, paths),
            TE.map(({ items: shown, included }) => ({
              ...viewOf(storyList, stories, view),
              items: shown,
              ...(included === null ? {} : { included }),
            })),
          ),
        ),
      ),
    ),
  )

/** A list of stories, with those that an automatic one chooses now. */
export const readStories = (
  list: StoryList,
): ReadOperation<{ readonly id: string; readonly parameters: Parameters }, JsonObject> => ({
  ...operations.readStories,
  run: (session, { id, parameters }) =>
    pipe(
      storyPaths(parameters),
      TE.chain((paths) =>
        pipe(
          findVisible(session, homepage, id),
          TE.chain(({ value }) => showList(session, storiesOf(value, list), paths)),
        ),
      ),
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
): WriteOperation<{ readonly id: string; readonly body: JsonObject }, void> => ({
  ...operations.replaceStories,
  changed: ({ id }) => ({ object: id }),
  run: (session, { id, body }) => {
    const draft = draftStories(body, valueContextOf(session))
    return pipe(
      insertInitial(session, id),
      TE.chain(() =>
        changePart(session, homepage, id, {
          show: (state) => showList(session, storiesOf(state, list)),
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
