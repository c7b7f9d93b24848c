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
} from '../location/near.js'
export { typesNamedIn, typesToLoad, withLocationTypes } from '../location/location-types.js'
export { listingImages } from '../location/location.js'
