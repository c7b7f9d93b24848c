/** What lists count on request (docs/behaviour/collections.md#total, docs/behaviour/collections.md#facets). */
import { E, type Either } from '../fp.js'

/** Values that a list counts: those under a key, which name objects of a collection if it has one. */
type KeyFacet<K extends string = string> = { readonly key: K; readonly of?: string }

/** What a list counts: the values under a key, or all objects of a kind as one value. */
export type Facet<K extends string = string> = KeyFacet<K> | { readonly constant: string }

export type Facets<K extends string = string> = Readonly<Record<string, Facet<K>>>

export type Total = { readonly count: number; readonly exact: boolean }

export type FacetValue = { readonly value: string; readonly title?: string | null; readonly count: number }

/** The values of each facet. */
export type FacetCounts = {
  readonly facets: Readonly<Record<string, readonly FacetValue[]>>
  /** Whether all counts are exact. Otherwise those of kinds with many objects are estimated. */
  readonly facets_exact: boolean
}

/** What a list has counted. */
export type Counted = { readonly total?: Total } & Partial<FacetCounts>

/** What a query counts. */
export type Counting = { readonly total: boolean; readonly facets: readonly string[] }

export const countLimits = {
  /** The highest total that is exact, and about the most objects of a kind whose facets are. */
  exact: 10_000,
  /** Maximum number of values of a facet. */
  values: 100,
} as const

/** A total of so many objects, counted up to one more than the limit. */
export const totalOf = (count: number): Total =>
  count > countLimits.exact ? { count: countLimits.exact, exact: false } : { count, exact: true }

export const parseTotal = (text: string): Either<string, boolean> =>
  text === 'true' || text === 'false' ? E.right(text === 'true') : E.left('must be true or false')

/** The facets that a parameter names, each once, or what is accepted. */
export const parseFacets = (facets: Facets, text: string): Either<string, readonly string[]> => {
  const names = [...new Set(text.split(/[-,]/))]
  const unknown = names.find((name) => !Object.hasOwn(facets, name))
  return unknown === undefined
    ? E.right(names)
    : E.left(`unknown name «${unknown.slice(0, 60)}»; the facets are ${Object.keys(facets).join(', ')}`)
}
