/** Circles around a place, types of locations. */
export {
  aroundCircle,
  distanceOf,
  nearLimits,
  parseCircle,
  tooFarPage,
  tooManyVenues,
  venueCircleIn,
  withoutCircle,
  withVenues,
  type Circle,
} from '../locations/near.js'
export { typesNamedIn, typesToLoad, withLocationTypes } from '../locations/location-types.js'
export { listingImages } from '../locations/location.js'
