import { content } from '@publishing-service/domain'
import { maxRelatedLinks, relatedLinksParameters } from '@publishing-service/domain/content'
import { operations } from '@publishing-service/domain/access'
import { instanceEndpoint } from '../endpoint.js'
import { itemsOf, partWritten } from '../response.js'
import { relatedLinkShape } from './shapes.js'

const path = '/{iid}/content/{uuid}/related_links'
const links = { _tag: 'Items', name: 'RelatedLinks', of: relatedLinkShape, most: maxRelatedLinks } as const

/** The related links of content (docs/behaviour/comments-and-links.md#related-links). */
export const relatedLinkEndpoints = {
  listRelatedLinks: instanceEndpoint({
    operation: operations.readRelatedLinks,
    id: 'listRelatedLinks',
    method: 'GET',
    path,
    summary: 'List the related links of a content object',
    description:
      'In their order. Links to objects that are deleted, or that the role may not see, are left out.',
    caching: 'object',
    parameters: Object.entries(relatedLinksParameters).map(([name, rest]) => ({ name, ...rest })),
    body: 'none',
    input: ({ path: { uuid }, query }) => ({ id: uuid, parameters: query }),
    response: itemsOf(links),
  }),
  replaceRelatedLinks: instanceEndpoint({
    operation: operations.replaceRelatedLinks,
    id: 'replaceRelatedLinks',
    method: 'PUT',
    path,
    summary: 'Replace the related links of a content object',
    description: 'The whole list, in its order. Items as GET returns them are accepted too.',
    body: 'object',
    requestPayload: links,
    input: ({ path: { uuid }, body }) => ({ id: uuid, body }),
    response: partWritten(content.collection, 'related links updated'),
  }),
  addRelatedLink: instanceEndpoint({
    operation: operations.addRelatedLink,
    id: 'addRelatedLink',
    method: 'POST',
    path,
    summary: 'Add a related link to a content object',
    description: 'It is added at the end.',
    body: 'object',
    requestPayload: { _tag: 'Object', of: relatedLinkShape },
    input: ({ path: { uuid }, body }) => ({ id: uuid, body }),
    response: partWritten(content.collection, 'related link added'),
  }),
}
