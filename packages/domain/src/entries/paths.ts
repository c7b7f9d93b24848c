/** Urlnames, public paths, their history, redirects. */
export {
  addOldPath,
  earlierPath,
  maxPaths,
  pathHistory,
  replaceOldPaths,
  withEarlierPaths,
} from '../path/path-history.js'
export {
  kindBelowSection,
  kindsBelowPrefixes,
  kindsInSections,
  nameOfPrefix,
  parentKey,
  pathKinds,
  placeBelow,
  placeIn,
  placeKey,
  placeOf,
  placeOfPrefix,
  type PathKind,
  type PathPlace,
} from '../path/path-place.js'
export { pageAddress } from '../path/page-address.js'
export { maxSectionDepth, pathLookups, publicPath, urlnameOf, type PathRule } from '../path/public-path.js'
export { comparedText } from '../path/compared-text.js'
export {
  foldedPath,
  maxSitePath,
  parseSitePath,
  pathKey,
  pathKeysOf,
  type SitePath,
} from '../path/site-path.js'
export { applyRedirect, redirectKeys } from '../redirect/apply-redirect.js'
export type { Resolution } from '../path/resolution.js'
