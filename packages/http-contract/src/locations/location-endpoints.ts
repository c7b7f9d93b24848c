import { location } from '@publishing-service/domain'
import { listingImages } from '@publishing-service/domain/locations'
import { operations } from '@publishing-service/domain/roles'
import { instanceEndpoint } from '../endpoint.js'
import { itemsOf, partWritten } from '../response.js'
import { listingImageShape } from '../endpoints/shapes.js'

const { collection } = listingImages.resource

/** Locations, or their drafts, with the operations on the images of a listing. */
const published = {
  path: '/{iid}/locations/{uuid}/listing_images',
  ids: { list: 'listListingImages', replace: 'replaceListingImages', add: 'addListingImage' },
  what: 'a listing',
  caching: 'object',
  read: operations.readMembers(collection),
  replace: operations.replaceMembers(collection),
  add: operations.addMember(collection),
} as const

const draft = {
  path: '/{iid}/locations/{uuid}/draft/listing_images',
  ids: { list: 'listDraftListingImages', replace: 'replaceDraftListingImages', add: 'addDraftListingImage' },
  what: 'a draft of a listing',
  caching: 'unstored',
  read: operations.readDraftMembers(collection),
  replace: operations.replaceDraftMembers(collection),
  add: operations.addDraftMember(collection),
} as const

const images = {
  _tag: 'Items',
  name: 'ListingImages',
  of: listingImageShape,
  most: listingImages.max,
} as const

const endpointsOf = ({ path, ids, what, caching, read, replace, add }: typeof published | typeof draft) => ({
  list: instanceEndpoint({
    path,
    members: listingImages,
    operation: read,
    id: ids.list,
    method: 'GET',
    summary: `List the images of ${what}`,
    description: 'In their order. Only on instances with the directory add-on.',
    caching,
    body: 'none',
    input: ({ path: { uuid } }) => ({ id: uuid }),
    response: itemsOf(images),
  }),
  replace: instanceEndpoint({
    path,
    members: listingImages,
    operation: replace,
    id: ids.replace,
    method: 'PUT',
    summary: `Replace the images of ${what}`,
    description: 'The whole list, in its order; a duplicate is stored once.',
    body: 'object',
    requestPayload: images,
    input: ({ path: { uuid }, body }) => ({ id: uuid, body }),
    response: partWritten(location.collection, `${listingImages.shape.plural} updated`),
  }),
  add: instanceEndpoint({
    path,
    members: listingImages,
    operation: add,
    id: ids.add,
    method: 'POST',
    summary: `Add an image to ${what}`,
    description: 'It is added at the end; an image that is in the list already keeps its position.',
    body: 'object',
    requestPayload: { _tag: 'Object', of: listingImageShape },
    input: ({ path: { uuid }, body }) => ({ id: uuid, body }),
    response: partWritten(location.collection, `${listingImages.shape.plural.replace(/s$/, '')} added`),
  }),
})

/** The images of listings (docs/behaviour/locations.md#listing-images), and of their drafts. */
export const listingImageEndpoints = endpointsOf(published)
export const draftListingImageEndpoints = endpointsOf(draft)
