import type { Json, JsonObject } from '../json.js'
import type { Role } from '../role/permissions.js'
import type { SearchLevel } from '../search/searched-texts.js'
import { foldingVersion } from '../value/folding-version.js'
import type { Schema } from '../value/schema.js'
import type { QueryKey, Reference, ValueType } from '../value/value-type.js'
import type { Count, ViewContext } from './view-context.js'

/** Values of another attribute. */
export type ValuesOfAnother = { readonly attribute: string; readonly values: readonly string[] }

type Common<V extends string = string> = {
  /** One line for the documentation. */
  readonly description: string
  /** The variants (content types, media types) that have it; all by default. */
  readonly only?: readonly V[]
  /** The weakest role that can read its value; for weaker roles it is null. All roles by default. */
  readonly visibleTo?: Role
  /** A single object does not have it while it is null; rows have null. */
  readonly sparse?: true
  /** `true`: exists only on instances with the directory add-on. `written`: can only be written there. */
  readonly addon?: true | 'written'
  /** Why it is deprecated, and what to use instead. */
  readonly deprecated?: string
}

/**
 * An attribute that is written, stored and read. `A`: its values, `V`: its variants, `R`: true if it is required, `S`:
 * the state that its default is made from.
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
  /** For urlnames: the text from which an unused name is made when an object is created without one. */
  madeFrom?(state: S): string
  /** May be null for some viewers although it has a default. */
  readonly nullableInViews?: true
  /** Its default; null if not set. */
  readonly initial?: A
  /** Cannot be changed after the object was created. */
  readonly fixed?: true
  /** Set by the service if it is not sent, so it is never null. */
  readonly alwaysSet?: true
  /** Keeps its value on a PUT without it (docs/behaviour/writing.md#put). */
  readonly retained?: true
  /** Drafts and earlier versions do not change it: it is about the object, not a part of its text. */
  readonly undrafted?: true
  /** It is the UUID of an API user, who has at least this role on the instance when it is set. */
  readonly userWith?: Role
  /** It is empty unless another attribute has one of these values. */
  readonly onlyWith?: ValuesOfAnother
  /** Another name of it in `fields`. */
  readonly fieldAlias?: string
  /** An empty list of it is accepted, and ignored, for the variants that do not have it, even with strict handling. */
  readonly emptyElsewhere?: true
  /** Can be long: not read for a list unless `fields` names it. */
  readonly heavy?: true
  /** How significant the text is for search; absent if search does not read it. */
  readonly searched?: SearchLevel
  /** Written only; it is read under another name. */
  readonly writeOnly?: true
  /** Returned, but set only by the service. */
  readonly readOnly?: true
  /** The date-time whose moment it stores, if that is in a repeated hour. Set by the service. */
  readonly momentOf?: string
  /** Stored for rules; clients neither read nor write it as an attribute. */
  readonly internal?: true
  /** A part of the object that clients read and write at a separate address, such as its media. */
  readonly part?: true
  /** The name in `include` for the objects that an internal attribute refers to. */
  readonly includedAs?: string
}

/** A read-only attribute, computed from `S`, a part of the state, and from the objects that its attributes `N` refer to. */
export type DerivedAttribute<S = JsonObject, N extends string = string> = Common & {
  readonly kind: 'derived'
  readonly schema: Schema
  /** Whether it can be null. */
  readonly nullable?: true
  /** The stored attributes whose targets it reads. */
  readonly needs: readonly N[]
  /** A reference attribute of the target that is followed repeatedly, such as a section's parent. */
  readonly chain?: string
  /** A further object that is read if there are any others. */
  readonly alsoReads?: Reference
  /** The count of other objects that it reads. */
  readonly counts?: Count
  /** Returned in rows, but not with a single object. */
  readonly rowsOnly?: true
  /** Reads heavy attributes. */
  readonly readsHeavy?: true
  derive(state: S, view: ViewContext): Json
}

/** An older name for writing a stored attribute of `S`. */
export type AliasAttribute<S = JsonObject, A extends Json = Json> = Common & {
  readonly kind: 'alias'
  readonly type: ValueType<A>
  /** The attribute that it writes. If a request sends both, the alias is ignored. */
  readonly instead: string
  derive(state: S): Json
  /** The draft with the value written to the attribute; null clears it. */
  assign(draft: S, value: A | null): S
}

type CommonOfComputed = {
  readonly kind: 'computed'
  readonly description: string
  /** The kind of key that it is in queries. */
  readonly key: QueryKey
  /**
   * Increased when a release computes other values, so that stored ones are computed again. Such an attribute does not
   * read heavy ones.
   */
  readonly revision?: number
  /** The stored attributes that it is computed from. While these keep their values, it keeps its value. */
  readonly reads: readonly string[]
}

/** The text whose folded form is stored, so that lists are in its order; null is stored as null. */
type Folded<S> = { foldedFrom(state: S): string | null }

/** Computed from the state on each write and stored with it, so that queries can filter or order by it (`with-computed.ts`). */
export type ComputedAttribute<S = JsonObject> = CommonOfComputed & ({ compute(state: S): Json } | Folded<S>)

export type Attribute = StoredAttribute | DerivedAttribute | AliasAttribute | ComputedAttribute
export type AttributeTable = Readonly<Record<string, Attribute>>

type ValueOf<A> = A extends { readonly type: ValueType<infer V> } ? V | null : never

/** The state that a table stores; optional attributes are null if absent. */
export type StateOf<T extends AttributeTable> = {
  readonly [K in keyof T as T[K] extends { readonly kind: 'stored' } ? K : never]: ValueOf<T[K]>
}

/** The value of an attribute in an accepted state: null only if it is not required, and not `defaulted`. */
type AcceptedValueOf<A> = A extends { readonly kind: 'stored'; readonly required?: infer R }
  ? [R] extends [never]
    ? A extends { readonly initial: Json }
      ? NonNullable<ValueOf<A>>
      : ValueOf<A>
    : NonNullable<ValueOf<A>>
  : never

/** The state of an accepted write: no required attribute is null. */
export type WholeOf<T extends AttributeTable> = {
  readonly [K in keyof StateOf<T>]: AcceptedValueOf<T[K]>
}

type IsIn<A, V extends string> = A extends { readonly kind: 'stored'; readonly only?: readonly (infer O)[] }
  ? V extends O
    ? true
    : false
  : false

/**
 * The accepted state of one variant, without the attributes of others. `D` is the attribute whose value is the variant.
 */
export type VariantOf<T extends AttributeTable, D extends keyof T, V extends string> = {
  readonly [K in keyof T as IsIn<T[K], V> extends true ? K : never]: K extends D ? V : AcceptedValueOf<T[K]>
}

type VariantName<A> = A extends { readonly type: ValueType<infer V> } ? Extract<V, string> : never

/** The accepted state of a shape: a union of its variants, or that of its only table. */
export type AcceptedOf<R> = R extends {
  readonly attributes: infer T extends AttributeTable
  readonly variant?: infer D extends string
}
  ? [D] extends [never]
    ? WholeOf<T>
    : { [V in VariantName<T[D]>]: VariantOf<T, D, V> }[VariantName<T[D]>]
  : never

/** The keys that a table stores for queries: stored and computed attributes. */
export type KeyOf<T extends AttributeTable> = {
  [K in keyof T & string]: T[K] extends { readonly kind: 'stored' | 'computed' } ? K : never
}[keyof T & string]

type ReadBy<A> = A extends
  | { derive(state: infer S, view: ViewContext): Json }
  | { compute(state: infer S): Json }
  | { foldedFrom(state: infer S): string | null }
  | { madeFrom?(state: infer S): string }
  ? S
  : unknown

type NeededBy<A> = A extends { readonly needs: readonly (infer N)[] } ? N : never

/** The table with `never` for each attribute that reads something that the table does not store. */
export type Consistent<T extends AttributeTable> = {
  readonly [K in keyof T]: [StateOf<T>, NeededBy<T[K]>] extends [ReadBy<T[K]>, keyof StateOf<T>]
    ? T[K]
    : never
}

/** What is computed for each kind of key. */
type Computed = {
  readonly text: string | null
  readonly number: number | null
  readonly boolean: boolean | null
  readonly texts: readonly string[]
  readonly intervals: readonly string[]
}

/** A computed attribute whose values are those of its kind of key. */
export type ComputedKey<S, K extends QueryKey> = CommonOfComputed & { compute(state: S): Computed[K] }

export const computed = <S, K extends QueryKey>(
  key: K,
  description: string,
  reads: readonly (keyof S & string)[],
  compute: (state: S) => Computed[K],
  options: Pick<ComputedAttribute, 'revision'> = {},
): ComputedKey<S, K> => ({
  kind: 'computed',
  description,
  key,
  reads,
  compute,
  ...options,
})

/** The key of an order by a text: its folded form. */
export const folded = <S>(
  description: string,
  reads: readonly (keyof S & string)[],
  foldedFrom: (state: S) => string | null,
): CommonOfComputed & Folded<S> => ({
  kind: 'computed',
  description,
  key: 'text',
  reads,
  foldedFrom,
  revision: foldingVersion,
})

type StoredOptions<A extends Json, V extends string, R extends true, S> = Omit<
  StoredAttribute<A, V, R, S>,
  'kind' | 'type' | 'description'
>

export const stored = <A extends Json, V extends string = string, R extends true = never, S = unknown>(
  type: ValueType<A>,
  description: string,
  options: StoredOptions<A, V, R, S> = {},
): StoredAttribute<A, V, R, S> => ({ kind: 'stored', type, description, ...options })

/** A stored attribute whose default is not null, so that its type has no null either. */
export const defaulted = <A extends Json>(
  type: ValueType<A>,
  initial: NoInfer<A>,
  description: string,
): StoredAttribute<A, string, never, unknown> & { readonly initial: A } => ({
  kind: 'stored',
  type,
  description,
  initial,
})

type DerivedOptions<N extends string> = Omit<
  DerivedAttribute,
  'kind' | 'description' | 'schema' | 'needs' | 'derive'
> & {
  readonly needs?: readonly N[]
}

export const derived = <S, N extends string = never>(
  schema: Schema,
  description: string,
  derive: (state: S, view: ViewContext) => Json,
  options: DerivedOptions<N> = {},
): DerivedAttribute<S, N> => ({
  kind: 'derived',
  schema,
  description,
  derive,
  ...options,
  needs: options.needs ?? [],
})

/** A table with a prefix before each name. */
export type Prefixed<P extends string, T extends AttributeTable> = {
  readonly [K in keyof T & string as `${P}_${K}`]: T[K]
}

/** Adds a prefix to each name of a table, as in `thumb_uuid`. */
export const prefixed = <P extends string, T extends AttributeTable>(prefix: P, table: T): Prefixed<P, T> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- keys are mapped as the type says
  Object.fromEntries(
    Object.entries(table).map(([name, attribute]) => [`${prefix}_${name}`, attribute]),
  ) as Prefixed<P, T>
