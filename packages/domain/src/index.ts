/** The resources with the types of their states, decisions about writes, views, faults and problems. README.md describes the other entries. */
export {
  fault,
  firstPerPath,
  type Fault,
  type FaultCode,
  badParameters,
  forbidden,
  cursorExpired,
  notFound,
  type ForbiddenReason,
  impliedProblems,
  type AnyProblem,
  type DeclaredBy,
  type ProblemsByTag,
  type Fails,
  type Problem,
  type ProblemTag,
  within,
} from './fault.js'
export { isVisibleTo, type Change, type DeclaredResource, type Resource } from './resource/resource.js'
export { resourceOf, resources } from './resource/resources.js'
export type { WriteMode } from './resource/draft-attributes.js'
export { decideWrite, type Decision, type Question } from './resource/decide-write.js'
export type { Effects } from './resource/effects.js'
export type { WriteCommand } from './resource/draft-write.js'
export { viewOf } from './resource/read-plan.js'
export { stateIn } from './resource/attribute-tables.js'
export type { ViewContext, Viewer } from './resource/view-context.js'
export {
  content,
  type AlbumReview,
  type Article,
  type BookReview,
  type Content,
  type ContentRoundup,
  type Event,
  type LocationReview,
  type LocationRoundup,
  type MovieReview,
  type ProductReview,
  type Recipe,
} from './content/content.js'
export { comment, type Comment } from './comments/comment.js'
export { blog, type Blog } from './blogs/blog.js'
export { homepage, type Homepage } from './homepage/homepage.js'
export { section, type Section } from './sections/section.js'
export { location, type Location } from './locations/location.js'
export { file, type File } from './files/file.js'
export { tagCategory, type TagCategory } from './tags/tag-category.js'
export { tag, type Tag, type Tagging } from './tags/tag.js'
export { tagging } from './tags/tagging.js'
export { redirect, type Redirect } from './redirects/redirect.js'
export type { Role } from './role/permissions.js'
export type { Settings } from './instances/settings.js'
export { nowIn, type NaiveDateTime } from './time/naive-date-time.js'
