import { listingImages } from '@publishing-service/domain'
import type { Endpoint } from '../endpoint.js'
import { standard } from './standard.js'

const path = '/{iid}/locations/{uuid}/listing_images'
const update = {
  ...standard,
  permission: { subject: 'locations', action: 'update' },
  body: 'object',
  members: listingImages,
  path,
} as const

/** The images of listings (specification, release April 2019; decisions §9). */
export const locationEndpoints: readonly Endpoint[] = [
  {
    ...standard,
    permission: { subject: 'locations', action: 'read' },
    caching: 'object',
    operation: 'readMembers',
    method: 'GET',
    path,
    summary: 'List the images of a listing',
    members: listingImages,
    reads: ['files'],
  },
  { ...update, operation: 'replaceMembers', method: 'PUT', summary: 'Replace the images of a listing' },
  { ...update, operation: 'addMember', method: 'POST', summary: 'Add an image to a listing' },
]
