import { listingImages } from '@publishing-service/domain'
import type { Endpoint } from '../endpoint.js'
import { partWritten } from './fixed-answers.js'
import { listingImageShape } from './shapes.js'
import { standard } from './standard.js'

const path = '/{iid}/locations/{uuid}/listing_images'
const images = {
  _tag: 'Items',
  name: 'ListingImages',
  of: listingImageShape,
  most: listingImages.max,
} as const
const update = {
  ...standard,
  permission: { subject: 'locations', action: 'update' },
  body: 'object',
  members: listingImages,
  path,
  gives: partWritten,
} as const

/** The images of listings (specification, release April 2019; decisions §9). */
export const locationEndpoints: readonly Endpoint[] = [
  {
    ...standard,
    permission: { subject: 'locations', action: 'read' },
    caching: 'object',
    operation: 'readMembers',
    id: 'listListingImages',
    method: 'GET',
    path,
    summary: 'List the images of a listing',
    description: 'In their order. Only on instances with the directory add-on.',
    members: listingImages,
    reads: ['files'],
    gives: images,
  },
  {
    ...update,
    operation: 'replaceMembers',
    id: 'replaceListingImages',
    method: 'PUT',
    summary: 'Replace the images of a listing',
    description: 'The whole list, in its order; an image that stands twice is kept once.',
    takes: images,
  },
  {
    ...update,
    operation: 'addMember',
    id: 'addListingImage',
    method: 'POST',
    summary: 'Add an image to a listing',
    description: 'Behind the others; what is in the list already stays where it is.',
    takes: { _tag: 'Object', of: listingImageShape },
  },
]
