/** What the website shows at a path, and what search engines read of it. */
export { listSchema, type Composite } from '../pages/composite.js'
export { picture, pictureOf, type Picture } from '../pages/picture.js'
export {
  ancestorsOf,
  childSection,
  mediumOnPage,
  mediumOnPageWith,
  mostChildren,
  mostOccurrences,
  mostOfRoundup,
  occurrenceOnPage,
  pageReference,
  parsePageQuery,
  pathKindOf,
  placed,
  relatedLinkOnPage,
  sectionOnPage,
  slotOnPage,
  storyOnPage,
  tagOnPage,
  tagsOnPage,
  teaser,
  teaserLookups,
  type ComposedCollection,
  type PageReference,
  type Placed,
  type Teaser,
} from '../pages/page-parts.js'
export { readSeo, seo, type SeoSource } from '../pages/seo.js'
