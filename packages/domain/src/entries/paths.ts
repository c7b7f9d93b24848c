/** Urlnames, public paths, their history, redirects. */
export {
  addOldPath,
  earlierPath,
  maxPaths,
  pathHistory,
  pathKeysOf,
  replaceOldPaths,
  withEarlierPaths,
} from '../path/path-history.js'
export {
  kindBelowSection,
  kindsBelowPrefixes,
  kindsInSections,
  pathKinds,
  type PathKind,
} from '../resource/resources.js'
export {
  comparedText,
  foldedPath,
  maxSectionDepth,
  maxSitePath,
  nameOfPrefix,
  parentKey,
  parseSitePath,
  pathKey,
  pathLookups,
  placeBelow,
  placeIn,
  placeKey,
  placeOf,
  placeOfPrefix,
  publicPath,
  urlnameOf,
  type PathPlace,
  type PathRule,
  type Resolution,
  type SitePath,
} from '../path/public-path.js'
export { pageAddress } from '../path/page-address.js'
export { applyRedirect, redirectKeys, wildcard } from '../redirect/redirect.js'
export {
  redirectFormats,
  redirectList,
  type ListedRedirect,
  type PathWithHistory,
  type RedirectFormat,
} from '../redirect/redirect-list.js'
