import { operations } from '@publishing-service/domain/roles'
import { searchIndex } from '@publishing-service/domain/engine'
import { instanceEndpoint } from '../endpoint.js'
import { rowsOf } from '../response.js'

/** Search over several collections (docs/behaviour/search.md#all-collections). */
export const searchEndpoints = {
  searchObjects: instanceEndpoint({
    operation: operations.searchObjects,
    id: 'searchObjects',
    method: 'GET',
    path: '/{iid}/search',
    summary: 'Search objects of several collections',
    description:
      'Content, locations, tags and files that contain the words of `q`, by default the most relevant first. Without `q` there are none.',
    caching: 'object',
    body: 'none',
    input: ({ query }) => ({ parameters: query }),
    response: rowsOf(searchIndex),
  }),
}
