import { content } from '@publishing-service/domain'
import { maxRelatedLinks, relatedLinksParameters } from '@publishing-service/domain/content'
import { operations } from '@publishing-service/domain/roles'
import { instanceEndpoint } from '../endpoint.js'
import { includingItemsOf, partWritten } from '../response.js'
import { relatedLinkShape } from '../endpoints/shapes.js'

/** Content, or its draft, with the operations on its related links. */
const published = {
  path: '/{iid}/content/{uuid}/related_links',
  ids: { list: 'listRelatedLinks', replace: 'replaceRelatedLinks', add: 'addRelatedLink' },
  what: 'a content object',
  caching: 'object',
  read: operations.readRelatedLinks,
  replace: operations.replaceRelatedLinks,
  add: operations.addRelatedLink,
} as const

const draft = {
  path: '/{iid}/content/{uuid}/draft/related_links',
  ids: { list: 'listDraftRelatedLinks', replace: 'replaceDraftRelatedLinks', add: 'addDraftRelatedLink' },
  what: 'a draft of content',
  caching: 'unstored',
  read: operations.readDraftRelatedLinks,
  replace: operations.replaceDraftRelatedLinks,
  add: operations.addDraftRelatedLink,
} as const

const links = { _tag: 'Items', name: 'RelatedLinks', of: relatedLinkShape, most: maxRelatedLinks } as const

const endpointsOf = ({ path, ids, what, caching, read, replace, add }: typeof published | typeof draft) => ({
  list: instanceEndpoint({
    operation: read,
    id: ids.list,
    method: 'GET',
    path,
    summary: `List the related links of ${what}`,
    description:
      'In their order. Links to objects that are deleted, or that the role may not see, are left out.',
    caching,
    parameters: Object.entries(relatedLinksParameters).map(([name, rest]) => ({ name, ...rest })),
    body: 'none',
    input: ({ path: { uuid }, query }) => ({ id: uuid, parameters: query }),
    response: includingItemsOf(links),
  }),
  replace: instanceEndpoint({
    operation: replace,
    id: ids.replace,
    method: 'PUT',
    path,
    summary: `Replace the related links of ${what}`,
    description: 'The whole list, in its order. Items as GET returns them are accepted too.',
    body: 'object',
    requestPayload: links,
    input: ({ path: { uuid }, body }) => ({ id: uuid, body }),
    response: partWritten(content.collection, 'related links updated'),
  }),
  add: instanceEndpoint({
    operation: add,
    id: ids.add,
    method: 'POST',
    path,
    summary: `Add a related link to ${what}`,
    description: 'It is added at the end.',
    body: 'object',
    requestPayload: { _tag: 'Object', of: relatedLinkShape },
    input: ({ path: { uuid }, body }) => ({ id: uuid, body }),
    response: partWritten(content.collection, 'related link added'),
  }),
})

/** The related links of content (docs/behaviour/comments-and-links.md#related-links), and of its drafts. */
export const relatedLinkEndpoints = endpointsOf(published)
export const draftRelatedLinkEndpoints = endpointsOf(draft)
