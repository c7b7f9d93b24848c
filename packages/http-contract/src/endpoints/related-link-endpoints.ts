import { maxRelatedLinks, relatedLinksParameters } from '@publishing-service/domain'
import type { Endpoint } from '../endpoint.js'
import { partWritten } from './fixed-answers.js'
import { relatedLinkShape } from './shapes.js'
import { standard } from './standard.js'

const path = '/{iid}/content/{uuid}/related_links'
const links = { _tag: 'Items', name: 'RelatedLinks', of: relatedLinkShape, most: maxRelatedLinks } as const
const update = {
  ...standard,
  permission: { subject: 'content', action: 'update' },
  body: 'object',
  path,
  gives: partWritten,
} as const

/** The related links of content (further families §2). */
export const relatedLinkEndpoints: readonly Endpoint[] = [
  {
    ...standard,
    permission: { subject: 'content', action: 'read' },
    caching: 'object',
    operation: 'readRelatedLinks',
    id: 'listRelatedLinks',
    method: 'GET',
    path,
    summary: 'List the related links of a content object',
    description:
      'In their order. Links to objects that are deleted, or that the role may not see, are left out.',
    parameters: Object.entries(relatedLinksParameters).map(([name, rest]) => ({ name, ...rest })),
    reads: ['content', 'locations'],
    timed: true,
    gives: links,
  },
  {
    ...update,
    operation: 'replaceRelatedLinks',
    id: 'replaceRelatedLinks',
    method: 'PUT',
    summary: 'Replace the related links of a content object',
    description: 'The whole list, in its order. Items as GET returns them are accepted too.',
    takes: links,
  },
  {
    ...update,
    operation: 'addRelatedLink',
    id: 'addRelatedLink',
    method: 'POST',
    summary: 'Add a related link to a content object',
    description: 'Behind the others.',
    takes: { _tag: 'Object', of: relatedLinkShape },
  },
]
