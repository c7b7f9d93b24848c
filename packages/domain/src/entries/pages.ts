/** What the website shows at a path, and what search engines read of it. */
export { listSchema, type Composite } from '../page/composite.js'
export { picture, pictureOf, type Picture } from '../page/picture.js'
export {
  ancestorsOf,
  pageReference,
  pathKindOf,
  placed,
  teaser,
  teaserLookups,
  type PageReference,
  type Placed,
  type Teaser,
} from '../page/teaser.js'
export { readSeo, seo, type SeoSource } from '../page/seo.js'
export {
  childSection,
  mediumOnPage,
  mediumOnPageWith,
  mostChildren,
  mostOccurrences,
  mostOfRoundup,
  parsePageQuery,
  occurrenceOnPage,
  relatedLinkOnPage,
  sectionOnPage,
  slotOnPage,
  storyOnPage,
  tagOnPage,
  tagsOnPage,
} from '../page/page-parts.js'
