import { listingImages, location } from '@publishing-service/domain'
import { addMember, readMembers, replaceMembers } from '@publishing-service/application'
import { jsonObject, noBody, operationEndpoint, type Endpoint } from '../endpoint.js'
import { itemsOf, partWritten } from '../response.js'
import { listingImageShape } from './shapes.js'

const images = {
  _tag: 'Items',
  name: 'ListingImages',
  of: listingImageShape,
  most: listingImages.max,
} as const

const common = { path: '/{iid}/locations/{uuid}/listing_images', members: listingImages } as const

/** The images of listings (docs/behaviour/locations.md#listing-images). */
export const locationEndpoints: readonly Endpoint[] = [
  operationEndpoint({
    ...common,
    operation: readMembers(listingImages),
    id: 'listListingImages',
    method: 'GET',
    summary: 'List the images of a listing',
    description: 'In their order. Only on instances with the directory add-on.',
    caching: 'object',
    body: noBody,
    input: ({ path }) => ({ id: path.uuid }),
    response: itemsOf(images),
  }),
  operationEndpoint({
    ...common,
    operation: replaceMembers(listingImages),
    id: 'replaceListingImages',
    method: 'PUT',
    summary: 'Replace the images of a listing',
    description: 'The whole list, in its order; a duplicate is stored once.',
    body: jsonObject,
    requestPayload: images,
    input: ({ path, body }) => ({ id: path.uuid, body }),
    response: partWritten(location.collection, `${listingImages.shape.plural} updated`),
  }),
  operationEndpoint({
    ...common,
    operation: addMember(listingImages),
    id: 'addListingImage',
    method: 'POST',
    summary: 'Add an image to a listing',
    description: 'It is added at the end; an image that is in the list already keeps its position.',
    body: jsonObject,
    requestPayload: { _tag: 'Object', of: listingImageShape },
    input: ({ path, body }) => ({ id: path.uuid, body }),
    response: partWritten(location.collection, `${listingImages.shape.plural.replace(/s$/, '')} added`),
  }),
]
