import { operations } from '@publishing-service/domain/roles'
import {
  feedDays,
  feedItemShape,
  feedPageShape,
  feedParameters,
  longestWait,
  type FeedItem,
} from '@publishing-service/domain/changes'
import { instanceEndpoint } from '../endpoint.js'
import { json, type Response } from '../response.js'

type Page = { readonly items: readonly FeedItem[]; readonly next: string }

const changes: Response<Page> = {
  payload: {
    _tag: 'Items',
    name: 'Changes',
    of: { name: 'Change', description: 'A change of an object.', shape: feedItemShape },
    additional: {
      name: 'ChangesPage',
      description: 'Changes, in their order, and where the next ones start.',
      shape: feedPageShape,
    },
  },
  encode: ({ items, next }) => json({ items, next }),
}

/** The feed of changes (docs/behaviour/changes.md). */
export const changeEndpoints = {
  listChanges: instanceEndpoint({
    operation: operations.listChanges,
    id: 'listChanges',
    method: 'GET',
    path: '/{iid}/changes',
    summary: 'Read what has changed',
    description: `The changes of the last ${feedDays} days, in the order in which they were made, as far as the role sees them. Read \`next\` with \`since\` until there are no items; with \`wait\`, the response comes as soon as there is one, or after at most ${longestWait} seconds.`,
    parameters: feedParameters,
    body: 'none',
    input: ({ query }) => ({ parameters: query }),
    response: changes,
  }),
}
