import type { Fault } from '../fault.js'
import type { Either } from '../fp.js'
import type { Json, JsonObject } from '../json.js'
import type { Subject } from '../role/permissions.js'
import type { NaiveDateTime } from '../time/naive-date-time.js'
import type { Schema } from '../value/schema.js'
import type { PathRule } from '../path/public-path.js'
import type { Bound } from './bound.js'
import { derived, type AttributeTable, type Consistent, type KeyOf, type StateOf } from './attribute.js'
import type { WriteMode } from './decode-attributes.js'
import type { Filter, Order } from './filter.js'
import type { InstanceRules, View, Viewer } from './view-context.js'

/** The circumstances of one write. */
export type Change<S = JsonObject> = {
  readonly id: string
  readonly previous: S | null
  readonly mode: WriteMode
  /** The stored attributes that the request gave a value. */
  readonly supplied: ReadonlySet<string>
  readonly now: NaiveDateTime
  /** UUID of the API user that writes; null for the service itself. */
  readonly user: string | null
  readonly settings: InstanceRules
}

export type CollectionFilter<K extends string = string> = {
  readonly description: string
  readonly schema: Schema
  /** The stored keys that its conditions use. */
  readonly keys: readonly K[]
  /** The conditions that the parameter's text means, or what would be right instead. */
  readonly parse: (text: string, viewer: Viewer) => Either<string, readonly Filter[]>
}

/** A part of a collection that is also listed at a path of its own, by further orders and filters. */
export type Subcollection<K extends string = string> = {
  /** Singular, as in documentation. */
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

/** A reference that matters to the deletion of the object that it names. */
export type Dependence = {
  /** The collection of the objects that have the reference. */
  readonly collection: Subject
  /** The attribute that has it: one UUID, at the top of the state. */
  readonly key: string
  /** The attribute whose fault says that the object is gone, where clients do not write the reference itself. */
  readonly reported?: string
}

/** A reference that prevents the deletion of the object it names. */
export type Blocker = Dependence & {
  /** Those objects, as the message names them. */
  readonly what: string
}

/** What replaces an object that is deleted while others refer to it, where such a deletion is not refused. */
export interface Placeholder<S> {
  /** The state that replaces a state. */
  of(state: S, now: NaiveDateTime): S
  is(state: S): boolean
  /** The attribute that names the object whose placeholder ends with the last object that refers to it. */
  readonly within: string
}

/** A default that depends on another document of the collection: the first of a query. */
export interface Neighbour<S> {
  readonly where: readonly Filter[]
  readonly order: readonly Order[]
  apply(found: S | null): S
}

/**
 * A kind of object, declared once: its rules, and how its collection is queried by keys `K`. Rules are pure; they take
 * states `S`, and are methods rather than function properties, so that resources of different states fit one list.
 */
interface Declaration<S, K extends string> {
  /** Singular, as in documentation and operation names. */
  readonly name: string
  /** The name of the collection in permissions and stores, and, unless `segments` says otherwise, in paths. */
  readonly collection: Subject
  /** The path of the collection below the instance. */
  readonly segments?: string
  /** Words in place of ids in paths, with the states that such objects have before they are first written. */
  readonly words?: Readonly<Record<string, { readonly id: string; readonly initial: JsonObject }>>
  /** The operations that it doesn't have. */
  readonly omits?: readonly ('createObject' | 'changeObject' | 'removeObject')[]
  /** Why the object with this id is never deleted; null where it may be. */
  keeps?(id: string): string | null
  /** Its views change with time, for every role; to the public the views of every resource may. */
  readonly timed?: true
  /** The release since which it is deprecated. */
  readonly deprecated?: string
  readonly description: string
  /** The attribute that names the variant. */
  readonly variant?: K
  readonly bound?: Bound
  /** Other names of attributes in `fields`. */
  readonly fieldAliases?: Readonly<Record<string, string>>
  /** Order options → stored keys (docs/behaviour/collections.md#order). */
  readonly orders: Readonly<Record<string, K>>
  readonly filters: Readonly<Record<string, CollectionFilter<K>>>
  readonly subcollections?: readonly Subcollection<K>[]
  /** Key sequences that queries use together. */
  readonly indexes: readonly (readonly K[])[]
  /** What is counted of the collection: its objects by the texts of a key, apart by other keys. */
  readonly tallies?: readonly { readonly key: K; readonly within: readonly K[] }[]
  /** The references to this object that prevent its deletion (docs/behaviour/writing.md#in-use). */
  readonly blockers?: readonly Blocker[]
  /** The references of objects that are deleted with the object they name. */
  readonly dependents?: readonly Dependence[]
  readonly placeholder?: Placeholder<S>
  /** The reference attribute that makes a tree of the collection, which must stay free of cycles. */
  readonly parent?: K
  /** How its public path is made, where it has one; it then stores its earlier ones. */
  readonly path?: PathRule
  /**
   * The scope within which an attribute is unique, urlname where not said, and the message where it is taken
   * (docs/behaviour/errors.md#taken-names).
   */
  unique(state: S): { readonly scope: string; readonly message: string; readonly attribute?: K } | null
  /** An attribute sent to a variant that lacks it, which is accepted even when handling is strict. */
  tolerates?(name: string, value: Json): boolean
  /** The state with what follows from the objects that the written references name, or the faults that they show. */
  place?(state: S, change: Change<S>, find: View['find']): Either<readonly Fault[], S>
  neighbour?(state: S, change: Change<S>): Neighbour<S> | null
  /** Fills what follows from the rest and the circumstances. */
  complete?(state: S, change: Change<S>): S
  /** The rules between attributes. */
  check?(state: S, change: Change<S>): readonly Fault[]
  /** Whether the state is public or will be: a contributor neither makes nor changes such an object. */
  isPublished?(state: S): boolean
  /** What a role may see of the collection, as filters, so that lists and single objects agree. */
  visibility?(viewer: Viewer): readonly Filter[]
  /** The state as far as a viewer may know of it now (docs/behaviour/access.md#public-user). */
  reveal?(state: S, viewer: Viewer): S
  /** The keys that visibility uses. */
  readonly restrictedBy?: readonly K[]
}

export interface Resource extends Declaration<JsonObject, string> {
  readonly attributes: AttributeTable
}

/** A resource that keeps its own table, so that its states can be typed. */
type ResourceWith<T extends AttributeTable> = Resource & { readonly attributes: T }

/** A resource with the attributes that every resource has. */
export const defineResource = <T extends AttributeTable>(
  declaration: Declaration<StateOf<T>, KeyOf<T>> & { readonly attributes: T & Consistent<T> },
): ResourceWith<T> => {
  const { collection } = declaration
  return {
    ...declaration,
    attributes: {
      uuid: derived({ type: 'string', format: 'uuid' }, 'Identifier.', (_state, view) => view.id),
      url: derived({ type: 'string', format: 'uri' }, 'API URL.', (_state, view) =>
        view.links.object(collection, view.id),
      ),
      ...declaration.attributes,
    },
  }
}

/** A subcollection as a resource with a list of its own; its objects stay objects of the whole collection. */
export const subcollectionOf = (
  { subcollections: _none, ...resource }: Resource,
  { name, segments, description, where, orders, filters }: Subcollection,
): Resource => ({
  ...resource,
  name,
  segments,
  description,
  orders,
  filters: { ...resource.filters, ...filters },
  visibility: (viewer) => [...where, ...(resource.visibility?.(viewer) ?? [])],
})

/** The text that no two objects of the collection may share, or null where there is no such rule. */
export const uniqueTextOf = (resource: Resource, state: JsonObject): string | null => {
  const rule = resource.unique(state)
  return rule === null ? null : `${rule.scope}/${String(state[rule.attribute ?? 'urlname'])}`
}

/** The path of a resource's collection below its instance. */
export const segmentsOf = ({ segments, collection }: Pick<Resource, 'segments' | 'collection'>): string =>
  segments ?? collection
