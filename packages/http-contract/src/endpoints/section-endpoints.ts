import { readSectionStories } from '@publishing-service/application'
import { storyLimit } from '@publishing-service/domain'
import { noBody, operationEndpoint, type Endpoint } from '../endpoint.js'
import { json } from '../response.js'
import { storyShape } from './shapes.js'

/** The featured stories of sections (docs/behaviour/sections.md#featured-stories). */
export const sectionEndpoints: readonly Endpoint[] = [
  operationEndpoint({
    operation: readSectionStories,
    id: 'listSectionStories',
    method: 'GET',
    path: '/{iid}/sections/{uuid}/featured_stories',
    summary: 'List the featured stories of a section',
    description: `The lead story and, if \`auto_featured_stories\` is true, the newest live content in the section and below it, up to \`auto_featured_stories_num\` stories in total, and at most ${storyLimit}.`,
    caching: 'object',
    body: noBody,
    input: ({ path: { uuid }, query }) => ({ id: uuid, parameters: query }),
    response: {
      payload: { _tag: 'Items', name: 'SectionStories', of: storyShape, most: storyLimit, includes: true },
      encode: ({ items, included }) => json({ items, ...(included === null ? {} : { included }) }),
    },
  }),
]
