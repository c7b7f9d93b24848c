import { blog } from '../blogs/blog.js'
import { comment } from '../comments/comment.js'
import { content } from '../content/content.js'
import { file } from '../files/file.js'
import { homepage } from '../homepage/homepage.js'
import { location } from '../locations/location.js'
import { redirect } from '../redirects/redirect.js'
import { section } from '../sections/section.js'
import { tagCategory } from '../tags/tag-category.js'
import { tag } from '../tags/tag.js'
import type { MemberList } from './member-list.js'
import type { DeclaredResource, Resource } from './resource.js'
import { derived } from './attribute.js'
import type { JsonObject } from '../json.js'
import {
  comparedText,
  nameOfPrefix,
  placeAttributes,
  urlnameOf,
  type PathRule,
} from '../paths/public-path.js'
import { attributeIn } from './attribute-tables.js'

/** Every resource of the service. A new one is a file and an entry here. */
export const resources: readonly Resource[] = [
  section,
  content,
  location,
  file,
  tag,
  tagCategory,
  comment,
  redirect,
  homepage,
  blog,
]

const byCollection: ReadonlyMap<string, Resource> = new Map(
  resources.map((resource) => [resource.collection, resource]),
)

export const resourceOf = (collection: string): Resource | undefined => byCollection.get(collection)

/** The state of an object with a reserved name, such as the homepage of a weekday, until it is first written; null for others. */
export const initialState = ({ given }: DeclaredResource, id: string): JsonObject | null =>
  Object.values(given?.words ?? {}).find((each) => each.id === id)?.initial ?? null

/** What people call an object; null if it has no name (docs/behaviour/administration.md#audit-log). */
export const objectName = (
  { nameOf }: Pick<DeclaredResource, 'nameOf'>,
  state: JsonObject,
): string | null => {
  const name = nameOf === undefined ? state['title'] : nameOf(state)
  return typeof name === 'string' && name !== '' ? name : null
}

/** How members that are read as rows are queried: in the order of the list, with the fields of their resource. */
export const rowsOfMembers = ({ target }: MemberList): Resource => {
  const found = resourceOf(target)
  if (found === undefined) throw new Error(`${target} is not a collection`)
  return { ...found, orders: {}, filters: {}, facets: {} }
}

// Resources that are listed together, as kinds of objects.

/** The resources, each with its name as the field and facet `type`. */
export const kindsOf = (kinds: readonly Resource[]): readonly Resource[] => {
  const names = kinds.map(({ name }) => name)
  return kinds.map((resource) => ({
    ...resource,
    attributes: {
      ...resource.attributes,
      type: derived({ type: 'string', enum: names }, 'Kind of the object.', () => resource.name),
    },
    facets: { ...resource.facets, type: { constant: resource.name } },
  }))
}

/** The entries of a table of all kinds, by name. */
export const entriesOfKinds = <A>(
  kinds: readonly Resource[],
  tableOf: (kind: Resource) => Readonly<Record<string, A>>,
): Readonly<Record<string, A>> => Object.fromEntries(kinds.flatMap((kind) => Object.entries(tableOf(kind))))

// Kinds of objects that have public paths.

export type PathKind = { readonly resource: Resource; readonly rule: PathRule }

/** The kinds of objects with a public path. */
export const pathKinds: readonly PathKind[] = resources.flatMap((resource) =>
  resource.path === undefined ? [] : [{ resource, rule: resource.path }],
)

/** The kinds of objects that are named below sections. */
export const kindsInSections = pathKinds.filter(({ rule }) => rule.section !== undefined)

/** The kinds of objects that are named below a separate prefix. */
export const kindsBelowPrefixes = pathKinds.filter(({ rule }) => rule.section === undefined)

/** The kind whose prefix is the path of this section. */
export const kindBelowSection = (state: JsonObject): PathKind | undefined =>
  attributeIn(placeAttributes, 'parent_uuid', state) === null
    ? kindsBelowPrefixes.find((kind) => nameOfPrefix(kind) === comparedText(urlnameOf(state)))
    : undefined
