import { occurrenceIndex } from '@publishing-service/domain/recurrence'
import { operations } from '@publishing-service/domain/roles'
import { instanceEndpoint } from '../endpoint.js'
import { rowsOf } from '../response.js'

/** Occurrences of events (docs/behaviour/collections.md#occurrences). */
export const eventEndpoints = {
  listOccurrences: instanceEndpoint({
    operation: operations.listOccurrences,
    id: 'listOccurrences',
    method: 'GET',
    path: '/{iid}/events/occurrences',
    summary: 'List the occurrences of events',
    description: 'By start, one row for each occurrence; recurrence rules are expanded.',
    caching: 'object',
    body: 'none',
    input: ({ query }) => ({ parameters: query }),
    response: rowsOf(occurrenceIndex),
  }),
}
