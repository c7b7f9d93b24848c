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
export {
  maxSectionDepth,
  pathLookups,
  publicPath,
  urlnameOf,
  type PathRule,
  type Resolution,
} from '../path/public-path.js'
export {
  comparedText,
  foldedPath,
  maxSitePath,
  parseSitePath,
  pathKey,
  pathKeysOf,
  type SitePath,
} from '../path/site-path.js'
export { applyRedirect, redirectKeys, wildcard } from '../redirect/redirect.js'
export {
  redirectFormats,
  redirectList,
  type ListedRedirect,
  type PathWithHistory,
  type RedirectFormat,
} from '../redirect/redirect-list.js'
export { pageAddress } from '../path/site-path.js'
