import { homepage, viewOf } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import {
  draftStories,
  storiesOf,
  story,
  storyList,
  storyOf,
  type StoredStories,
  type StoryList,
} from '@publishing-service/domain/content'
import { initialState } from '@publishing-service/domain/engine'
import { type IncludePath, type Parameters } from '@publishing-service/domain/lists'
import type { Filter } from '@publishing-service/domain/filters'
import { operations } from '@publishing-service/domain/roles'
import type { Document } from '@publishing-service/ports'
import { valueContextOf } from '../caller.js'
import { changePart, checkDraft } from '../engine/change-part.js'
import { loadReferences, lookupsOfStates } from '../engine/load-related.js'
import { includePathsOf, findVisible } from '../engine/read-one.js'
import { showItems } from '../engine/show-items.js'
import type { ReadOperation, WriteOperation } from '../operation.js'
import { SessionView, type Session } from '../session.js'
import { newestLive, newestOf } from './newest-live.js'

/**
 * The stories of an automatic list: the newest live content that carries any of its tags
 * (docs/behaviour/homepage.md).
 */
const chooseStories = async (
  session: Session,
  { auto_max, auto_tag_uuids }: StoredStories,
): Promise<readonly JsonObject[]> => {
  if (auto_max === 0) return []
  const tags = await session.documents.getMany('tags', auto_tag_uuids, 'light')
  const conditions: readonly (readonly Filter[])[] =
    auto_tag_uuids.length === 0 ? [[]] : tags.map(({ id }) => [{ key: 'tagged', has: id }])
  const found: Document[] = []
  for (const where of conditions) found.push(...(await newestLive(session, where, auto_max)))
  return newestOf(found, auto_max).map(({ id, value }) => storyOf(id, value))
}

/** The stories of a list, with those that an automatic one chooses now. */
export const storiesIn = async (session: Session, stories: StoredStories): Promise<readonly JsonObject[]> =>
  stories.auto ? chooseStories(session, stories) : stories.items

const showList = async (
  session: Session,
  stories: StoredStories,
  paths: readonly IncludePath[] = [],
): Promise<JsonObject> => {
  const items = await storiesIn(session, stories)
  const find = await loadReferences(session, [
    ...lookupsOfStates(session, story, items),
    ...lookupsOfStates(session, storyList, [stories]),
  ])
  const view = new SessionView(session, '', { find })
  const { items: shown, included } = await showItems(
    session,
    story,
    items.map((state) => ({ state, view })),
    paths,
  )
  return {
    ...viewOf(storyList, stories, view),
    items: shown,
    ...(included === null ? {} : { included }),
  }
}

/** A list of stories, with those that an automatic one chooses now. */
export const readStories = (
  list: StoryList,
): ReadOperation<{ readonly id: string; readonly parameters: Parameters }, JsonObject> => ({
  ...operations.readStories,
  run: async (session, { id, parameters }) => {
    const paths = includePathsOf(story, parameters)
    const { value } = await findVisible(session, homepage, id)
    return showList(session, storiesOf(value, list), paths)
  },
})

/** Inserts the homepage of a weekday, if it is not stored yet. */
const insertInitial = async ({ documents }: Session, id: string): Promise<void> => {
  const stored = await documents.get(homepage.collection, id)
  const initial = stored === null ? initialState(homepage, id) : null
  // A conflict: another request has inserted it.
  if (initial !== null) await documents.insert(homepage.collection, { id, unique: null, value: initial })
}

/** Replaces a list of stories. */
export const replaceStories = (
  list: StoryList,
): WriteOperation<{ readonly id: string; readonly body: JsonObject }, void> => ({
  ...operations.replaceStories,
  changed: ({ id }) => ({ object: id }),
  run: async (session, { id, body }) => {
    const draft = draftStories(body, valueContextOf(session))
    await insertInitial(session, id)
    await changePart(session, homepage, id, {
      show: (state) => showList(session, storiesOf(state, list)),
      change: async (state) => {
        await checkDraft(session, draft)
        return { ...state, [list]: draft.stories }
      },
    })
  },
})
