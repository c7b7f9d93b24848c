import { stateIn, content, section } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { story, storyLimit, storyOf } from '@publishing-service/domain/content'
import { type Parameters } from '@publishing-service/domain/lists'
import { matchesFilter } from '@publishing-service/domain/filters'
import { operations } from '@publishing-service/domain/roles'
import type { Document } from '@publishing-service/ports'
import { loadReferences, lookupsOfStates } from '../engine/load-related.js'
import { includePathsOf, findVisible } from '../engine/read-one.js'
import { showItems, type ShownItems } from '../engine/show-items.js'
import type { ReadOperation } from '../operation.js'
import { SessionView, type Session } from '../session.js'
import { newestBelow } from './newest-below.js'
import { liveFilters } from './newest-live.js'

/** The lead story, if it is live. */
const leadStory = async (session: Session, id: string | null): Promise<readonly Document[]> => {
  if (id === null) return []
  const found = await session.documents.getMany(content.collection, [id], 'light')
  return found.filter(({ value }) => liveFilters(session).every((filter) => matchesFilter(filter, value)))
}

/** The featured stories of a section, before what a role sees of them. */
export const featuredStories = async (
  session: Session,
  { id, value }: Document,
): Promise<readonly JsonObject[]> => {
  const { content_uuid, auto_featured_stories, auto_featured_stories_num } = stateIn(section, value)
  const most = auto_featured_stories === true ? Math.min(auto_featured_stories_num ?? 0, storyLimit) : 0
  const lead = await leadStory(session, content_uuid)
  const newest = most === 0 ? [] : await newestBelow(session, id, most)
  const others = newest.filter((each) => each.id !== content_uuid).slice(0, most - lead.length)
  return [...lead, ...others].map((each) => storyOf(each.id, each.value))
}

/**
 * The featured stories of a section: its lead story, followed by the newest live content in it and below it
 * (docs/behaviour/sections.md#featured-stories).
 */
export const readSectionStories: ReadOperation<
  { readonly id: string; readonly parameters: Parameters },
  ShownItems
> = {
  ...operations.readSectionStories,
  run: async (session, { id, parameters }) => {
    const paths = includePathsOf(story, parameters)
    const items = await featuredStories(session, await findVisible(session, section, id))
    const find = await loadReferences(session, lookupsOfStates(session, story, items))
    const view = new SessionView(session, '', { find })
    return showItems(
      session,
      story,
      items.map((state) => ({ state, view })),
      paths,
    )
  },
}
