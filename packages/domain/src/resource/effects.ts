/** What a write means for other objects and for the paths of the website, beyond the state that it stores. */
import { jsonEqual, type JsonObject } from '../json.js'
import { placeKey, placeOf, type PathPlace, type PathRule } from '../paths/public-path.js'
import type { DeclaredResource, Dependence, Resource } from './resource.js'
import { resources } from './resources.js'

/** A reference that the deletion of its target looks for. */
export type Dependency = { readonly target: Resource; readonly dependence: Dependence; readonly id: string }

/** A reference to the object above in a tree. */
export type Parent = { readonly key: string; readonly id: string }

/** What a write means. */
export type Effects = {
  readonly kind: 'created' | 'changed'
  /** Whether the object becomes public, or ceases to be; null if neither. */
  readonly publication: 'published' | 'withdrawn' | null
  /** The place among the public paths that the object gets; null if it keeps the one that it has, or has none. */
  readonly place: PathPlace | null
  /** The object that it comes to be below in the tree of the collection, by the reference to it; null if it stays where it is. */
  readonly parent: Parent | null
  /** The references that deletions of their targets look for, and that the object did not have. */
  readonly dependencies: readonly Dependency[]
  /** Whether objects store what follows from the change: this one, or those that are visible only with it. */
  readonly isFollowed: boolean
}

/** The references of objects that are deleted with their target. */
export const dependentsOf = ({ dependences = [] }: DeclaredResource) =>
  dependences.filter(({ onDeletion }) => onDeletion === 'remove')

/** The references that prevent that their target is removed. */
export const blockersOf = ({ dependences = [] }: DeclaredResource) =>
  dependences.flatMap((each) => (each.onDeletion === 'remove' ? [] : [each]))

/** The reference with which its target is replaced by a placeholder; undefined if there is none. */
export const placeholderOf = ({ dependences = [] }: DeclaredResource) =>
  dependences.flatMap((each) => (each.onDeletion === 'replace' ? [each] : []))[0]

/** The references that deletions look for, by the collection of the objects that have them. */
const dependencesIn: ReadonlyMap<string, readonly Omit<Dependency, 'id'>[]> = new Map(
  resources.map(({ collection }) => [
    collection,
    resources.flatMap((target) =>
      (target.dependences ?? []).flatMap((dependence) =>
        dependence.collection === collection ? [{ target, dependence }] : [],
      ),
    ),
  ]),
)

/** Whether an attribute is a reference whose target is never deleted before the objects that refer to it. */
export const needsTarget = ({ collection }: Pick<DeclaredResource, 'collection'>, name: string): boolean =>
  dependencesIn.get(collection)?.some(({ dependence: { key } }) => key === name) === true

/** The references of a state that a deletion looks for and that the state before it did not have. */
export const addedDependencies = (
  { collection }: Pick<DeclaredResource, 'collection'>,
  before: JsonObject | null,
  after: JsonObject,
): readonly Dependency[] => {
  const added: Dependency[] = []
  for (const { target, dependence } of dependencesIn.get(collection) ?? []) {
    const id = after[dependence.key]
    if (typeof id === 'string' && id !== before?.[dependence.key]) added.push({ target, dependence, id })
  }
  return added
}

/** Whether the attributes that the path of an object is made of differ between two states. */
export const hasOtherPath = ({ section }: PathRule, before: JsonObject, after: JsonObject): boolean =>
  before['urlname'] !== after['urlname'] || (section !== undefined && before[section] !== after[section])

/** The place that a write gives an object; null if it keeps the one that it has. */
export const newPlace = (
  resource: Pick<DeclaredResource, 'path'>,
  before: JsonObject | null,
  after: JsonObject,
): PathPlace | null => {
  const { path } = resource
  if (path === undefined || (before !== null && !hasOtherPath(path, before, after))) return null
  const place = placeOf(resource, after)
  const former = before === null ? null : placeOf(resource, before)
  return place !== null && former !== null && placeKey(former) === placeKey(place) ? null : place
}

/** A kind of object that is visible only with others, by the reference to them. */
export type Follower = { readonly resource: Resource; readonly key: string; readonly target: string }

const followers: readonly Follower[] = resources.flatMap((resource) =>
  (resource.visibleWith?.references ?? []).flatMap((key) => {
    const attribute = resource.attributes[key]
    const targets = attribute?.kind === 'stored' ? (attribute.type.targets ?? []) : []
    return targets.map((target) => ({ resource, key, target }))
  }),
)

const followersByTarget: ReadonlyMap<string, readonly Follower[]> = new Map(
  resources.map(({ collection }) => [collection, followers.filter(({ target }) => target === collection)]),
)

/** The kinds of objects that follow those of a collection. */
export const followersOf = (collection: string): readonly Follower[] =>
  followersByTarget.get(collection) ?? []

const newParent = (key: string, before: JsonObject | null, after: JsonObject): Parent | null => {
  const id = after[key]
  return typeof id === 'string' && id !== before?.[key] ? { key, id } : null
}

/** What a write of a state means, after another or of a new object. */
export const effectsOf = (
  resource: DeclaredResource,
  before: JsonObject | null,
  after: JsonObject,
): Effects => {
  const { collection, tree, shownToPublic, visibleWith } = resource
  let isFollowed = before === null && visibleWith !== undefined
  if (before !== null && followersOf(collection).length > 0)
    for (const key of shownToPublic?.keys ?? [])
      isFollowed ||= !jsonEqual(before[key] ?? null, after[key] ?? null)
  const wasPublic = before !== null && resource.isPublished?.(before) === true
  const isPublic = resource.isPublished?.(after) === true
  const publication = isPublic ? 'published' : 'withdrawn'
  return {
    kind: before === null ? 'created' : 'changed',
    publication: wasPublic === isPublic ? null : publication,
    place: newPlace(resource, before, after),
    parent: tree === undefined ? null : newParent(tree.parent, before, after),
    dependencies: addedDependencies(resource, before, after),
    isFollowed,
  }
}
