import type { Json, JsonObject } from '../json.js'
import type { Role } from '../role/role.js'
import type { Schema } from '../value/schema.js'
import type { Reference, ValueType } from '../value/value-type.js'
import type { Count, View } from './view-context.js'

type Common<V extends string = string> = {
  /** One line for the documentation. */
  readonly description: string
  /** The variants (content types, media types) that have it; all of them where not said. */
  readonly only?: readonly V[]
  /** The least role that reads its value; for weaker roles it is null. Everybody where not said. */
  readonly visibleTo?: Role
  /** Exists only on instances with the directory add-on; `written` is read on every instance, and written only there. */
  readonly addon?: true | 'written'
  /** Why, and what to use instead. */
  readonly deprecated?: string
}

/**
 * An attribute that is written, stored and read: values `A`, in the variants `V`; `R` is true where it is required, `S`
 * what it can be made from.
 */
export type StoredAttribute<
  A extends Json = Json,
  V extends string = string,
  R extends true = true,
  S = JsonObject,
> = Common<V> & {
  readonly kind: 'stored'
  readonly type: ValueType<A>
  readonly required?: R
  /** The text that an object without it is named by: a creation may leave it out, and a free name is made from it. */
  madeFrom?(state: S): string
  /** May be null to some viewers although it has a default. */
  readonly concealed?: true
  /** What it is when it isn't sent; null where not said. */
  readonly initial?: A
  /** Can't be changed once the object exists. */
  readonly fixed?: true
  /** Filled by the service where it isn't sent, so that it never reads as null. */
  readonly filled?: true
  /** Keeps its value on a PUT that doesn't send it (docs/behaviour/writing.md#put). */
  readonly kept?: true
  /** Can be long, so that lists leave it out unless `fields` names it. */
  readonly heavy?: true
  /** Written, and read under another name. */
  readonly sentOnly?: true
  /** Shown, but set by the service alone. */
  readonly readOnly?: true
  /** Stored for rules; never read or written by a client as an attribute of this object. */
  readonly internal?: true
}

/** An attribute that is read only, computed from `S`, a part of what is stored, and from what its attributes `N` refer to. */
export type DerivedAttribute<S = JsonObject, N extends string = string> = Common & {
  readonly kind: 'derived'
  readonly schema: Schema
  /** There may be nothing to derive it from: it is null then. */
  readonly nullable?: true
  /** The stored attributes whose references it looks up. */
  readonly needs: readonly N[]
  /** An attribute of the looked-up object to follow on and on, as a section's parent. */
  readonly chain?: string
  /** An object that is looked up too, wherever the others are. */
  readonly beside?: Reference
  /** The count of other objects that it reads. */
  readonly counts?: Count
  derive(state: S, view: View): Json
}

/** A second, older way to write a stored attribute of `S`. */
export type AliasAttribute<S = JsonObject, A extends Json = Json> = Common & {
  readonly kind: 'alias'
  readonly type: ValueType<A>
  /** The attribute behind it. A request that sends that one too has this one ignored. */
  readonly instead: string
  derive(state: S): Json
  /** The draft with the value (null clears) written through. */
  assign(draft: S, value: A | null): S
}

/** Computed from the state at each write and stored with it, so that queries can filter or order by it. */
export type ComputedAttribute<S = JsonObject> = {
  readonly kind: 'computed'
  readonly description: string
  /** Its kind as a key of queries. */
  readonly key: 'text' | 'number' | 'boolean' | 'texts'
  compute(state: S): Json
}

export type Attribute = StoredAttribute | DerivedAttribute | AliasAttribute | ComputedAttribute
export type AttributeTable = Readonly<Record<string, Attribute>>

type ValueOf<A> = A extends { readonly type: ValueType<infer V> } ? V | null : never

/** The state that a table stores; optional attributes are null where absent. */
export type StateOf<T extends AttributeTable> = {
  readonly [K in keyof T as T[K] extends { readonly kind: 'stored' } ? K : never]: ValueOf<T[K]>
}

/** The same where all required attributes are there, as in what was accepted. */
export type WholeOf<T extends AttributeTable> = {
  readonly [K in keyof StateOf<T>]: T[K] extends { readonly kind: 'stored'; readonly required?: infer R }
    ? [R] extends [never]
      ? StateOf<T>[K]
      : NonNullable<StateOf<T>[K]>
    : never
}

type IsIn<A, V extends string> = A extends { readonly kind: 'stored'; readonly only?: readonly (infer O)[] }
  ? V extends O
    ? true
    : false
  : false

/** The state of one variant: without the attributes that only others have. `D` is the attribute that names it. */
export type VariantOf<T extends AttributeTable, D extends keyof T, V extends string> = {
  readonly [K in keyof T as IsIn<T[K], V> extends true ? K : never]: K extends D ? V : ValueOf<T[K]>
}

/** The keys that a table stores for queries: attributes, and what is computed from them. */
export type KeyOf<T extends AttributeTable> = {
  [K in keyof T & string]: T[K] extends { readonly kind: 'stored' | 'computed' } ? K : never
}[keyof T & string]

type ReadBy<A> = A extends
  | { derive(state: infer S, view: View): Json }
  | { compute(state: infer S): Json }
  | { madeFrom?(state: infer S): string }
  ? S
  : unknown

type NeededBy<A> = A extends { readonly needs: readonly (infer N)[] } ? N : never

/** The table with `never` for each attribute that is computed from something that the table does not store. */
export type Consistent<T extends AttributeTable> = {
  readonly [K in keyof T]: [StateOf<T>, NeededBy<T[K]>] extends [ReadBy<T[K]>, keyof StateOf<T>]
    ? T[K]
    : never
}

export const computed = <S>(
  key: ComputedAttribute['key'],
  description: string,
  compute: (state: S) => Json,
): ComputedAttribute<S> => ({ kind: 'computed', description, key, compute })

type StoredOptions<A extends Json, V extends string, R extends true, S> = Omit<
  StoredAttribute<A, V, R, S>,
  'kind' | 'type' | 'description'
>

export const stored = <A extends Json, V extends string = string, R extends true = never, S = unknown>(
  type: ValueType<A>,
  description: string,
  options: StoredOptions<A, V, R, S> = {},
): StoredAttribute<A, V, R, S> => ({ kind: 'stored', type, description, ...options })

type DerivedOptions<N extends string> = Omit<
  DerivedAttribute,
  'kind' | 'description' | 'schema' | 'needs' | 'derive'
> & {
  readonly needs?: readonly N[]
}

export const derived = <S, N extends string = never>(
  schema: Schema,
  description: string,
  derive: (state: S, view: View) => Json,
  options: DerivedOptions<N> = {},
): DerivedAttribute<S, N> => ({
  kind: 'derived',
  schema,
  description,
  derive,
  ...options,
  needs: options.needs ?? [],
})

/** A table whose names all begin with the same word. */
export type Prefixed<P extends string, T extends AttributeTable> = {
  readonly [K in keyof T & string as `${P}_${K}`]: T[K]
}

/** The table with a word, as in `thumb_uuid`, before each of its names. */
export const prefixed = <P extends string, T extends AttributeTable>(prefix: P, table: T): Prefixed<P, T> =>
  Object.fromEntries(
    Object.entries(table).map(([name, attribute]) => [`${prefix}_${name}`, attribute]),
  ) as Prefixed<P, T>
