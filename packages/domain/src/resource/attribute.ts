import type { Json, JsonObject } from '../json.js'
import type { Role } from '../role/role.js'
import type { Schema } from '../value/schema.js'
import type { Reference, ValueType } from '../value/value-type.js'
import type { Count, View } from './view-context.js'

type Common = {
  /** One line for the documentation. */
  readonly description: string
  /** The variants (content types, media types) that have it; all of them where not said. */
  readonly only?: readonly string[]
  /** The least role that reads its value; for weaker roles it is null. Everybody where not said. */
  readonly visibleTo?: Role
  /** Exists only on instances with the directory add-on; `written` is read on every instance, and written only there. */
  readonly addon?: true | 'written'
  /** Why, and what to use instead. */
  readonly deprecated?: string
}

/** An attribute that is written, kept and read. */
export type StoredAttribute<A extends Json = Json> = Common & {
  readonly kind: 'stored'
  readonly type: ValueType<A>
  readonly required?: true
  /** The text that an object without it is named by: a creation may leave it out, and a free name is made from it. */
  readonly madeFrom?: (state: JsonObject) => string
  /** May be null to some viewers although it has a default. */
  readonly concealed?: true
  /** What it is when it isn't sent; null where not said. */
  readonly initial?: A
  /** Can't be changed once the object exists. */
  readonly fixed?: true
  /** Filled by the service where it isn't sent, so that it never reads as null. */
  readonly filled?: true
  /** Keeps its value on a PUT that doesn't send it (decisions §2.4). */
  readonly kept?: true
  /** Can be long, so that lists leave it out unless it is asked for. */
  readonly heavy?: true
  /** Written, and read under another name. */
  readonly sentOnly?: true
  /** Shown, but set by the service alone. */
  readonly readOnly?: true
  /** Kept for rules; never read or written by a client as an attribute of this object. */
  readonly internal?: true
}

/** An attribute that is read only, computed from what is stored. */
export type DerivedAttribute = Common & {
  readonly kind: 'derived'
  readonly schema: Schema
  /** There may be nothing to derive it from: it is null then. */
  readonly nullable?: true
  /** The stored attributes whose references it looks up. */
  readonly needs: readonly string[]
  /** An attribute of the looked-up object to follow on and on, as a section's parent. */
  readonly chain?: string
  /** An object that is looked up too, wherever the others are. */
  readonly beside?: Reference
  /** The count of other objects that it reads. */
  readonly counts?: Count
  derive(state: JsonObject, view: View): Json
}

/** A second, older way to write a stored attribute. */
export type AliasAttribute = Common & {
  readonly kind: 'alias'
  readonly type: ValueType
  /** The attribute behind it. A request that sends that one too has this one ignored. */
  readonly instead: string
  derive(state: JsonObject): Json
  /** The draft with the value (null clears) written through. */
  assign(draft: JsonObject, value: Json): JsonObject
}

/** Computed from the state at each write and stored with it, so that queries can filter or order by it. */
export type ComputedAttribute = {
  readonly kind: 'computed'
  readonly description: string
  /** Its kind as a key of queries. */
  readonly key: 'text' | 'number' | 'boolean' | 'texts'
  compute(state: JsonObject): Json
}

export type Attribute = StoredAttribute | DerivedAttribute | AliasAttribute | ComputedAttribute
export type AttributeTable = Readonly<Record<string, Attribute>>

/** The state that a table stores; optional attributes are null where absent. */
export type StateOf<T extends AttributeTable> = {
  readonly [K in keyof T as T[K] extends { readonly kind: 'stored' } ? K : never]: T[K] extends {
    readonly type: ValueType<infer A>
  }
    ? A | null
    : never
}

export const computed = (
  key: ComputedAttribute['key'],
  description: string,
  compute: ComputedAttribute['compute'],
): ComputedAttribute => ({ kind: 'computed', description, key, compute })

type StoredOptions<A extends Json> = Omit<StoredAttribute<A>, 'kind' | 'type' | 'description'>

export const stored = <A extends Json>(
  type: ValueType<A>,
  description: string,
  options: StoredOptions<A> = {},
): StoredAttribute<A> => ({ kind: 'stored', type, description, ...options })

type DerivedOptions = Omit<DerivedAttribute, 'kind' | 'description' | 'schema' | 'needs' | 'derive'> & {
  readonly needs?: readonly string[]
}

export const derived = (
  schema: Schema,
  description: string,
  derive: DerivedAttribute['derive'],
  options: DerivedOptions = {},
): DerivedAttribute => ({
  kind: 'derived',
  schema,
  description,
  derive,
  ...options,
  needs: options.needs ?? [],
})
