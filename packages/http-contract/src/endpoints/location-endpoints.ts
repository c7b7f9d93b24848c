import { location } from '@publishing-service/domain'
import { listingImages } from '@publishing-service/domain/locations'
import { operations } from '@publishing-service/domain/access'
import { instanceEndpoint } from '../endpoint.js'
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
export const locationEndpoints = {
  listListingImages: instanceEndpoint({
    ...common,
    operation: operations.readMembers(listingImages.resource.collection),
    id: 'listListingImages',
    method: 'GET',
    summary: 'List the images of a listing',
    description: 'In their order. Only on instances with the directory add-on.',
    caching: 'object',
    body: 'none',
    input: ({ path }) => ({ id: path.uuid }),
    response: itemsOf(images),
  }),
  replaceListingImages: instanceEndpoint({
    ...common,
    operation: operations.replaceMembers(listingImages.resource.collection),
    id: 'replaceListingImages',
    method: 'PUT',
    summary: 'Replace the images of a listing',
    description: 'The whole list, in its order; a duplicate is stored once.',
    body: 'object',
    requestPayload: images,
    input: ({ path, body }) => ({ id: path.uuid, body }),
    response: partWritten(location.collection, `${listingImages.shape.plural} updated`),
  }),
  addListingImage: instanceEndpoint({
    ...common,
    operation: operations.addMember(listingImages.resource.collection),
    id: 'addListingImage',
    method: 'POST',
    summary: 'Add an image to a listing',
    description: 'It is added at the end; an image that is in the list already keeps its position.',
    body: 'object',
    requestPayload: { _tag: 'Object', of: listingImageShape },
    input: ({ path, body }) => ({ id: path.uuid, body }),
    response: partWritten(location.collection, `${listingImages.shape.plural.replace(/s$/, '')} added`),
  }),
}
