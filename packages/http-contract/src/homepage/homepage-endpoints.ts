import { homepage } from '@publishing-service/domain'
import { storyLimit, type StoryList } from '@publishing-service/domain/content'
import { operations } from '@publishing-service/domain/roles'
import { instanceEndpoint } from '../endpoint.js'
import { pascalCase } from '../payload.js'
import { json, partWritten } from '../response.js'
import { storyListShape, storyShape } from '../endpoints/shapes.js'

const list = {
  _tag: 'Items',
  name: storyListShape.name,
  of: storyShape,
  most: storyLimit,
  additional: storyListShape,
  chosenBy: 'auto',
  includes: true,
} as const

/** The stories of homepages (docs/behaviour/homepage.md). */
export const storyEndpoints = (stories: StoryList) => {
  const path = `/{iid}/homepage/{uuid}/${stories}` as const
  const what = stories.replace('_', ' ')
  return {
    read: instanceEndpoint({
      operation: operations.readStories,
      id: `read${pascalCase(stories)}`,
      method: 'GET',
      path,
      summary: `Read the ${what}`,
      description: 'The stories of the list or, if `auto` is true, the newest live content.',
      caching: 'object',
      body: 'none',
      input: ({ path: { uuid }, query }) => ({ id: uuid, parameters: query }),
      response: { payload: list, encode: json },
    }),
    replace: instanceEndpoint({
      operation: operations.replaceStories,
      id: `replace${pascalCase(stories)}`,
      method: 'PUT',
      path,
      summary: `Replace the ${what}`,
      description: 'With `auto: true`, the stories are chosen automatically, and `items` is ignored.',
      body: 'object',
      requestPayload: list,
      input: ({ path: { uuid }, body }) => ({ id: uuid, body }),
      response: partWritten(homepage.collection, `${what} updated`),
    }),
  }
}
