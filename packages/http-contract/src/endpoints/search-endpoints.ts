import { searchObjects } from '@publishing-service/application'
import { searchIndex } from '@publishing-service/domain'
import { noBody, operationEndpoint, type Endpoint } from '../endpoint.js'
import { rowsOf } from '../response.js'

/** Search over several collections (docs/behaviour/search.md#all-collections). */
export const searchEndpoints: readonly Endpoint[] = [
  operationEndpoint({
    operation: searchObjects,
    id: 'searchObjects',
    method: 'GET',
    path: '/{iid}/search',
    summary: 'Search objects of several collections',
    description:
      'Content, locations, tags and files that contain the words of `q`, by default the most relevant first. Without `q` there are none.',
    caching: 'object',
    body: noBody,
    input: ({ query }) => ({ parameters: query }),
    response: rowsOf(searchIndex),
  }),
]
