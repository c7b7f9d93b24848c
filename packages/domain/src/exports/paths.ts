/** Urlnames, public paths, their history, redirects. */
export {
  addOldPath,
  earlierPath,
  maxPaths,
  pathHistory,
  pathKeysOf,
  replaceOldPaths,
  withEarlierPaths,
} from '../paths/path-history.js'
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
} from '../paths/public-path.js'
export { pageAddress } from '../paths/page-address.js'
export { slugOf, urlnameOf as urlnameOfText } from '../value/fold.js'
export { applyRedirect, redirectKeys, wildcard } from '../redirects/redirect.js'
export {
  redirectFormats,
  redirectList,
  type ListedRedirect,
  type PathWithHistory,
  type RedirectFormat,
} from '../redirects/redirect-list.js'
