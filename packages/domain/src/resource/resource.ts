import type { Fault } from '../fault.js'
import { constNull, type Either } from '../fp.js'
import type { JsonObject } from '../json.js'
import type { Role, Subject } from '../role/permissions.js'
import type { NaiveDateTime } from '../time/naive-date-time.js'
import type { PathRule } from '../paths/public-path.js'
import { pastPaths, publicPathAttributes, uniqueUrlname } from '../paths/path-history.js'
import type { Examples } from './attribute-tables.js'
import { type AttributeTable, type Consistent, type KeyOf, type StateOf, derived } from './attribute.js'
import { highlightAttribute, searchFilter } from './search-filter.js'
import type { Facets } from './counted.js'
import { idFilters, type CollectionFilter, type CollectionFilters } from './collection-filter.js'
import { usedFiles } from './used-files.js'
import type { WriteMode } from './draft-attributes.js'
import { matchesFilter, type Filter, type Order } from './filter.js'
import type { InstanceRules, ViewContext, Viewer } from './view-context.js'

/** The circumstances of one write. */
export type Change<S = JsonObject> = {
  readonly id: string
  readonly previous: S | null
  /** `restore` gives an object an earlier state again. */
  readonly mode: WriteMode | 'restore'
  /** The stored attributes for which the request has a value. */
  readonly supplied: ReadonlySet<string>
  readonly now: NaiveDateTime
  /** The role on the instance of who writes. */
  readonly role: Role
  /** UUID of the API user that writes; null for the service itself. */
  readonly user: string | null
  readonly settings: InstanceRules
}

/** A part of a collection that is also listed at a separate path, with further orders and filters. */
export type Subcollection<K extends string = string> = {
  /** Singular, for the documentation. */
  readonly name: string
  /** Its path below the instance. */
  readonly segments: string
  readonly description: string
  /** The conditions that its objects meet. */
  readonly where: readonly Filter[]
  /** All its order options → stored keys. */
  readonly orders: Readonly<Record<string, K>>
  /** Its filters in addition to those of the collection. */
  readonly filters: Readonly<Record<string, CollectionFilter<K>>>
  /** The filter of the collection, and its value, with which the collection accepts these orders and filters too. */
  readonly selectedBy: { readonly filter: string; readonly value: string }
}

/** What replaces an object that is deleted while others refer to it. */
export interface Placeholder<S> {
  /** The state of the placeholder. */
  readonly of: (state: S, now: NaiveDateTime) => S
  readonly is: (state: S) => boolean
}

/** What a deletion does while another object has a reference to the deleted one. */
type OnDeletion<S> =
  /** Fails. `what` names the objects that refer to it. */
  | { readonly onDeletion: 'fail'; readonly what: string }
  /** Removes the objects that refer to it too. */
  | { readonly onDeletion: 'remove' }
  /** Replaces it by a placeholder, which is removed with the last object that refers to it. */
  | { readonly onDeletion: 'replace'; readonly what: string; readonly by: Placeholder<S> }

/** A reference that affects the deletion of its target. */
export type Dependence<S = JsonObject> = OnDeletion<S> & {
  /** The collection of the objects that have the reference. */
  readonly collection: Subject
  /** The attribute that contains it: one UUID, at the top level of the state. */
  readonly key: string
  /** The attribute of the fault for a deleted target, if clients do not write the reference itself. */
  readonly reported?: string
}

/** Objects that a collection has from the start. It has no POST. */
type GivenObjects = {
  /** Words that replace their ids in paths, with their states before they are first written. */
  readonly words: Readonly<Record<string, { readonly id: string; readonly initial: JsonObject }>>
  /** Why the object with an id cannot be deleted, if it cannot. */
  readonly kept: Readonly<Record<string, string>>
}

/** What the public sees of a collection. Other roles see everything. */
export interface ShownToPublic<K extends string> {
  /** As filters, so that lists and single objects agree. */
  readonly where: (at: Pick<Viewer, 'now'>) => readonly Filter[]
  /** The keys that these use. */
  readonly keys: readonly K[]
  /** The keys with times at which the public sees an object differently, although nobody changes it. */
  readonly times: readonly K[]
}

/** What objects take over from others without which they are not visible, such as comments from their content. */
interface VisibleWith<S, K extends string> {
  /**
   * The references to these: a role that does not see one of them does not see the object
   * (docs/behaviour/comments-and-links.md#visible-comments).
   */
  readonly references: readonly K[]
  /** The state with what queries need of these; `find` finds those that exist, for every role. */
  readonly follow: (state: S, find: ViewContext['find']) => S
  /** The state of a write with what follows from the objects that it refers to, or faults. */
  readonly derive: (state: S, change: Change<S>, find: ViewContext['find']) => Either<readonly Fault[], S>
}

/** A tree that the objects of a collection form, which must have no cycles. */
interface Tree<K extends string> {
  /** The reference to the object above. */
  readonly parent: K
  /** The attributes that the pages of objects below show. */
  readonly shownBelow: readonly K[]
}

/** A default that depends on another document of the collection: the first of a query. */
interface SiblingDefault<S> {
  readonly where: readonly Filter[]
  readonly order: readonly Order[]
  readonly apply: (found: S | null) => S
}

/**
 * A kind of object, declared once: its rules, and how its collection is queried by keys `K`. Rules are pure functions of
 * states `S`.
 */
interface Declaration<S, K extends string, C extends string> {
  /** Singular, for the documentation and operation names. */
  readonly name: string
  /** The name of the collection in permissions, stores and paths. */
  readonly collection: C
  readonly given?: GivenObjects
  readonly description: string
  /** If absent, examples are made from the types and formats of attributes. */
  readonly examples?: Examples
  /** The attribute whose value is the variant. */
  readonly variant?: K
  /** Order options → stored keys (docs/behaviour/collections.md#order). */
  readonly orders: Readonly<Record<string, K>>
  readonly filters: CollectionFilters<K>
  readonly subcollections?: readonly Subcollection<K>[]
  /** What its lists count, if they count anything. */
  readonly facets?: Facets<K>
  /** Key sequences that queries use together. */
  readonly indexes: readonly (readonly K[])[]
  /** Group counts: the number of objects for each text of a key, separately for each value of other keys. */
  readonly groupCounts?: readonly { readonly key: K; readonly within: readonly K[] }[]
  /** The references to this object that its deletion looks for (docs/behaviour/writing.md#in-use). */
  readonly dependences?: readonly Dependence<S>[]
  readonly tree?: Tree<K>
  /** How its public path is computed, if it has one: of its urlname. All that paths need is then added. */
  readonly path?: 'urlname' extends K ? PathRule<K> : never
  /**
   * The scope in which an attribute (urlname by default) is unique, and the message for a value that is taken
   * (docs/behaviour/errors.md#taken-names). By default the urlnames of a `path` are, in the section or behind the prefix.
   */
  readonly unique?: (
    state: S,
  ) => { readonly scope: string; readonly message: string; readonly attribute?: K } | null
  readonly siblingDefault?: (state: S, change: Change<S>) => SiblingDefault<S> | null
  /** Sets attributes that follow from the rest and from the change. Where that takes long, it yields every few milliseconds. */
  readonly complete?: (state: S, change: Change<S>) => S | Generator<undefined, S>
  /** The rules between attributes. */
  readonly check?: (state: S, change: Change<S>) => readonly Fault[]
  /** Whether the state is public or will be: a contributor neither creates nor changes such an object. */
  readonly isPublished?: (state: S) => boolean
  /** What people call an object; by default its `title`. */
  readonly nameOf?: (state: S) => string | null
  readonly shownToPublic?: ShownToPublic<K>
  /** The state without what the viewer may not see (docs/behaviour/access.md#public-user). */
  readonly redact?: (state: S, viewer: Viewer) => S
  readonly visibleWith?: VisibleWith<S, K>
}

/** A declared resource. `C` is the name of its collection. */
export interface DeclaredResource<C extends string = string> extends Declaration<JsonObject, string, C> {
  readonly attributes: AttributeTable
  /** The path of its list below the instance, if that is not the name of the collection. */
  readonly segments?: string
  /** What all objects meet, in a list of a part of a collection. */
  readonly within?: readonly Filter[]
  /** The text that no other object of the collection has; null if there is none. */
  readonly uniqueText: (state: JsonObject) => string | null
}

/** A resource of the service: its collection is a subject of permissions. */
export type Resource = DeclaredResource<Subject>

/** A resource with the type of its table, so that its states can be typed. */
export type ResourceWith<
  T extends AttributeTable,
  C extends string,
  V extends string = never,
> = DeclaredResource<C> & {
  readonly attributes: T
  readonly variant?: V
}

/**
 * The declaration with rules that accept any JSON, so that one list can contain all resources. Rules receive states of
 * their own table only: drafts, which it decodes, and stored states, which are tested with it when they are read.
 */
const withErasedStates = <S, K extends string, C extends string>(
  declaration: Declaration<S, K, C>,
): Omit<Declaration<JsonObject, string, C>, 'variant'> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  declaration as unknown as Declaration<JsonObject, string, C>

/** The unique texts of objects by the rule of their resource. */
const uniqueTextBy = (
  unique: Declaration<JsonObject, string, string>['unique'],
): DeclaredResource['uniqueText'] => {
  if (unique === undefined) return constNull
  return (state) => {
    const rule = unique(state)
    return rule === null ? null : `${rule.scope}/${String(state[rule.attribute ?? 'urlname'])}`
  }
}

/** A resource with the attributes that every resource has. */
export const defineResource = <T extends AttributeTable, C extends string, V extends KeyOf<T> = never>(
  declaration: Declaration<StateOf<T>, KeyOf<T>, C> & {
    readonly attributes: T & Consistent<T>
    readonly variant?: V
  },
): ResourceWith<T, C, V> => {
  const { name, collection, variant } = declaration
  if (!/^[a-z]+( [a-z]+)*$/.test(name))
    throw new Error(
      `“${name}” names no resource: a name consists of words of lower-case letters, such as “tag category”`,
    )
  if (!/^[a-z]+(_[a-z]+)*$/.test(collection))
    throw new Error(
      `“${collection}” names no collection: a name has lower-case letters and underscores, such as “tag_categories”`,
    )
  const files = usedFiles(declaration.attributes)
  const erased = withErasedStates(declaration)
  const { path } = erased
  const unique = erased.unique ?? (path === undefined ? undefined : uniqueUrlname(path, declaration))
  return {
    ...erased,
    ...(unique === undefined ? {} : { unique }),
    uniqueText: uniqueTextBy(unique),
    ...(variant === undefined ? {} : { variant }),
    filters: {
      ...searchFilter(declaration.attributes),
      ...declaration.filters,
      ...files.filters,
      ...idFilters,
    },
    facets: declaration.facets ?? {},
    indexes: [...declaration.indexes, ...(path === undefined ? [] : [[pastPaths]]), ...files.indexes],
    attributes: {
      uuid: derived({ type: 'string', format: 'uuid' }, 'Identifier.', (_state, view) => view.id),
      url: derived({ type: 'string', format: 'uri' }, 'API URL.', (_state, view) =>
        view.links.object(collection, view.id),
      ),
      ...(path === undefined ? {} : publicPathAttributes(path)),
      ...highlightAttribute(declaration.attributes),
      ...declaration.attributes,
      ...files.attributes,
    },
  }
}

/** A subcollection as a resource with a separate list; its objects stay objects of the whole collection. */
export const subcollectionOf = <C extends string>(
  { subcollections: _none, examples: _ofAll, ...resource }: DeclaredResource<C>,
  { name, segments, description, where, orders, filters }: Subcollection,
): DeclaredResource<C> => ({
  ...resource,
  name,
  segments,
  description,
  orders,
  filters: { ...resource.filters, ...filters },
  within: where,
})

const everything: readonly Filter[] = []

/** What decides which objects of a collection a viewer sees. */
export type Visibility = {
  readonly within?: readonly Filter[]
  readonly shownToPublic?: Pick<ShownToPublic<string>, 'where'>
}

/** What a viewer may see of a collection, as filters. */
export const visibilityOf = (
  { within = everything, shownToPublic }: Visibility,
  viewer: Viewer,
): readonly Filter[] =>
  viewer.role === 'public_user' && shownToPublic !== undefined
    ? [...within, ...shownToPublic.where(viewer)]
    : within

/** Whether a viewer may see an object of a collection, so far as that does not depend on other objects. */
export const isVisibleTo = (resource: Visibility, viewer: Viewer, state: JsonObject): boolean =>
  visibilityOf(resource, viewer).every((filter) => matchesFilter(filter, state))

/** The path of a resource's collection below its instance. */
export const segmentsOf = ({
  segments,
  collection,
}: Pick<DeclaredResource, 'segments' | 'collection'>): string => segments ?? collection

/** UUIDs of objects of the sample publication, which examples refer to. They never change. */
export const sampleObjects = {
  section: '30132a78-6b96-4161-aabc-e1d53ae661f8',
  story: '9e1cb12d-9d6a-4a93-8a49-12ef6faefa68',
  slotOfStory: 'd939cb21-058f-4b2d-b679-5f052676aaae',
  event: '7d1f6a20-3c58-4be1-8f0a-5b9c2e4d7a16',
  image: '8b8c89c5-70b6-4d7c-b925-5dba3d2c2f9e',
  location: '5e8a4e1c-93f5-4d0f-8f9f-3a1f6f0a9c21',
  listing: 'b2a0c9d4-6f1e-4a57-9c1b-7d3e5a4f8e02',
  tag: '6b1f7c11-2a3d-4c5e-8f60-718293a4b504',
  locationType: '6b1f7c11-2a3d-4c5e-8f60-718293a4b501',
} as const
