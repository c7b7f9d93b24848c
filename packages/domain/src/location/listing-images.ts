import { defineMemberList } from '../resource/member-list.js'
import { maxListingImages } from './listing-attributes.js'
import { location } from './location.js'

/** The images of a listing (specification, release April 2019; decisions §9). */
export const listingImages = defineMemberList({
  resource: location,
  attribute: 'listing_images',
  item: 'uuid',
  target: 'files',
  media: 'image',
  plural: 'images',
  max: maxListingImages,
  exists: ({ settings }) => settings.directory_addon,
})
