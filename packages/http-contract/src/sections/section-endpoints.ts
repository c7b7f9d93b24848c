import { storyLimit } from '@publishing-service/domain/content'
import { operations } from '@publishing-service/domain/roles'
import { instanceEndpoint } from '../endpoint.js'
import { includingItemsOf } from '../response.js'
import { storyShape } from '../endpoints/shapes.js'

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
    response: includingItemsOf({
      _tag: 'Items',
      name: 'SectionStories',
      of: storyShape,
      most: storyLimit,
    }),
  }),
}
