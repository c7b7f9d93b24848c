import type { JsonObject } from '@publishing-service/domain/json'
import { storyLimit } from '@publishing-service/domain/content'
import { operations } from '@publishing-service/domain/access'
import { instanceEndpoint } from '../endpoint.js'
import { json } from '../response.js'
import { storyShape } from './shapes.js'

/** Stories, and the objects that `include` names; null without `include`. */
type Stories = { readonly items: readonly JsonObject[]; readonly included: JsonObject | null }

/** The featured stories of sections (docs/behaviour/sections.md#featured-stories). */
export const sectionEndpoints = {
  listSectionStories: instanceEndpoint({
    operation: operations.readSectionStories,
    id: 'listSectionStories',
    method: 'GET',
    path: '/{iid}/sections/{uuid}/featured_stories',
    summary: 'List the featured stories of a section',
    description: `The lead story and, if \`auto_featured_stories\` is true, the newest live content in the section and below it, up to \`auto_featured_stories_num\` stories in total, and at most ${storyLimit}.`,
    caching: 'object',
    body: 'none',
    input: ({ path: { uuid }, query }) => ({ id: uuid, parameters: query }),
    response: {
      payload: { _tag: 'Items', name: 'SectionStories', of: storyShape, most: storyLimit, includes: true },
      encode: ({ items, included }: Stories) => json({ items, ...(included === null ? {} : { included }) }),
    },
  }),
}
