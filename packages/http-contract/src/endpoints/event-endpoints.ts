import { listOccurrences } from '@publishing-service/application'
import { occurrenceIndex } from '@publishing-service/domain'
import { noBody, operationEndpoint, type Endpoint } from '../endpoint.js'
import { rowsOf } from '../response.js'

/** Occurrences of events (docs/behaviour/collections.md#occurrences). */
export const eventEndpoints: readonly Endpoint[] = [
  operationEndpoint({
    operation: listOccurrences,
    id: 'listOccurrences',
    method: 'GET',
    path: '/{iid}/events/occurrences',
    summary: 'List the occurrences of events',
    description: 'By start, one row for each occurrence; recurrence rules are expanded.',
    caching: 'object',
    body: noBody,
    input: ({ query }) => ({ parameters: query }),
    response: rowsOf(occurrenceIndex),
  }),
]
