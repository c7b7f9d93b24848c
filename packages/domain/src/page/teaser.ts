/** Links to pages and teasers of objects, as pages show them (docs/behaviour/pages.md#teasers). */
import { content } from '../content/content.js'
import { contentTypes } from '../content/content-type.js'
import type { JsonObject } from '../json.js'
import { location } from '../location/location.js'
import { pathKinds, type PathKind } from '../path/path-place.js'
import { pathLookups, publicPath } from '../path/public-path.js'
import { includedReferences, type IncludePath } from '../resource/include.js'
import type { Lookup } from '../resource/read-plan.js'
import { objectName } from '../resource/resources.js'
import { textSchema, uriSchema, uuidSchema } from '../resource/shown-attribute.js'
import { attributeIn } from '../resource/table-entries.js'
import type { Viewer } from '../resource/view-context.js'
import { section } from '../section/section.js'
import { taggingsOf } from '../tagging/tagging-attributes.js'
import { dateTime } from '../value/scalar.js'
import { column, composite, listSchema, nullableColumn } from './composite.js'
import { picture, pictureOf, type PictureView } from './picture.js'

/** An object with a public path, and what its page needs. */
export type Placed = {
  readonly kind: PathKind
  readonly id: string
  readonly state: JsonObject
  readonly view: PictureView & Viewer
}

const kinds = new Map<string, PathKind>(pathKinds.map((kind) => [kind.resource.collection, kind]))

/** The kind of the objects of a collection; undefined if these have no public path. */
export const pathKindOf = (collection: string): PathKind | undefined => kinds.get(collection)

/** An object with its state as the viewer sees it; null if the viewer does not see it, or it has no public path. */
export const placed = (collection: string, id: string | null, view: Placed['view']): Placed | null => {
  const kind = kinds.get(collection)
  const state = id === null ? undefined : view.find(collection, id)
  return id === null || kind === undefined || state === undefined ? null : { kind, id, state, view }
}

const pathOf = ({ kind, state, view }: Placed): string => publicPath(kind.rule, state, view.find)

const titleOf = ({ kind, state }: Placed): string => objectName(kind.resource, state) ?? ''

/** What identifies an object, and where its page is. */
export const referenceColumns = {
  uuid: column(uuidSchema, 'UUID of the object.', ({ id }: Placed) => id),
  url: column(uriSchema, 'API URL of the object.', ({ id, kind, view }: Placed) =>
    view.links.object(kind.resource.collection, id),
  ),
  title: column(textSchema, 'Its title.', titleOf),
  path: column(textSchema, 'Its public path.', pathOf),
} as const

/** A link to the page of an object. */
export const pageReference = composite('PageReference', 'A link to the page of an object.', referenceColumns)

export type PageReference = ReturnType<typeof pageReference.read>

const referenceTo = (collection: string, id: string | null, view: Placed['view']): PageReference | null => {
  const found = placed(collection, id, view)
  return found === null ? null : pageReference.read(found)
}

const sectionOf = ({ kind, state }: Placed): string | null => {
  const { section: key } = kind.rule
  const id = key === undefined ? null : state[key]
  return typeof id === 'string' ? id : null
}

/** The tags of an object by a predicate. */
const taggedBy = (predicate: string, state: JsonObject): readonly string[] =>
  taggingsOf(state).flatMap((each) => (each.predicate === predicate ? [each.tag] : []))

/** The persons that have written an object. */
export const authorsOf = ({ state, view }: Placed): readonly PageReference[] =>
  taggedBy('authored', state).flatMap((id) => referenceTo('tags', id, view) ?? [])

/** The references to the image of an object, of whatever kind, the first that it has. */
const imagePaths = ['teaser_image', 'header_image', 'thumb', 'listing_images', 'feature_image'].map(
  (name): IncludePath => ({ names: [name], fields: null }),
)

/** The images that may be that of an object, as far as the viewer sees them. */
const imagesOf = ({ resource }: PathKind, state: JsonObject, viewer: Viewer): readonly string[] =>
  includedReferences(resource, state, viewer, imagePaths).map(({ reference }) => reference.id)

/** The image that lists show of an object. */
export const imageOf = (of: Placed) => {
  for (const id of imagesOf(of.kind, of.state, of.view)) {
    const found = pictureOf(id, of.view)
    if (found !== null) return found
  }
  return null
}

const shared = { ...location.attributes, ...content.attributes } as const

/** An attribute that content has, and other kinds may have. */
const shownText =
  (name: 'kicker' | 'description') =>
  ({ state }: Placed): string | null =>
    attributeIn(shared, name, state)

const ofContent =
  <N extends 'content_type' | 'sub_title' | 'issued' | 'dtstart' | 'dtend' | 'rating'>(name: N) =>
  ({ kind, state }: Placed) =>
    kind.resource.collection === content.collection ? attributeIn(content.attributes, name, state) : null

/** What a list shows of an object. */
export const teaser = composite('Teaser', 'What lists show of an object.', {
  type: column(
    { type: 'string', enum: pathKinds.map(({ resource }) => resource.name) },
    'Kind of the object.',
    ({ kind }: Placed) => kind.resource.name,
  ),
  content_type: nullableColumn(
    { type: 'string', enum: contentTypes },
    'The type of content.',
    ofContent('content_type'),
  ),
  ...referenceColumns,
  sub_title: nullableColumn(textSchema, 'Its subtitle.', ofContent('sub_title')),
  kicker: nullableColumn(textSchema, 'Line above the title.', shownText('kicker')),
  description: nullableColumn(textSchema, 'Teaser text.', shownText('description')),
  issued: nullableColumn(dateTime.schema, 'When it was published.', ofContent('issued')),
  dtstart: nullableColumn(dateTime.schema, 'When an event starts.', ofContent('dtstart')),
  dtend: nullableColumn(dateTime.schema, 'When an event ends.', ofContent('dtend')),
  rating: nullableColumn(textSchema, 'The stars of a review.', ofContent('rating')),
  section: nullableColumn(pageReference.schema, 'Its section.', (of: Placed) =>
    referenceTo(section.collection, sectionOf(of), of.view),
  ),
  authors: column(listSchema(pageReference), 'The tags of the predicate `authored`.', authorsOf),
  image: nullableColumn(
    picture.schema,
    'Its teaser image, else its header image; of other kinds, their image.',
    imageOf,
  ),
})

export type Teaser = ReturnType<typeof teaser.read>

/** The look-ups that the teaser of an object needs. */
export const teaserLookups = (kind: PathKind, state: JsonObject, viewer: Viewer): readonly Lookup[] => [
  ...pathLookups(kind.rule, state),
  ...imagesOf(kind, state, viewer).map((id) => ({ reference: { path: '', collection: 'files', id } })),
  ...taggedBy('authored', state).map((id) => ({ reference: { path: '', collection: 'tags', id } })),
]

/** The sections above an object, the top one first. */
export const ancestorsOf = ({ kind, state, view }: Placed): readonly PageReference[] => {
  const above: PageReference[] = []
  const seen = new Set<string>()
  let id = sectionOf({ kind, id: '', state, view })
  while (id !== null && !seen.has(id)) {
    seen.add(id)
    const found = placed(section.collection, id, view)
    if (found === null) break
    above.unshift(pageReference.read(found))
    id = sectionOf(found)
  }
  return above
}
