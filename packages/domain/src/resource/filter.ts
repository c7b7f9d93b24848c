import type { Json, JsonObject } from '../json.js'

/**
 * A condition on one key of a document: equal, one of, or within a range. To a filter an absent value, null and
 * the empty text are one value, which comes before every other.
 */
export type Filter =
  | { readonly key: string; readonly equals: Json }
  | { readonly key: string; readonly oneOf: readonly Json[] }
  | {
      readonly key: string
      readonly atLeast?: string | number
      readonly below?: string | number
      readonly atMost?: string | number
    }

export type Order = { readonly key: string; readonly direction: 'asc' | 'desc' }

const plainValue = (value: Json | undefined): Json => (value === undefined || value === '' ? null : value)

/** Whether a stored state meets a filter; the same answer that a store's query gives. */
export const meets = (filter: Filter, state: JsonObject): boolean => {
  const value = plainValue(state[filter.key])
  if ('equals' in filter) return value === plainValue(filter.equals)
  if ('oneOf' in filter) return filter.oneOf.some((each) => value === plainValue(each))
  // Every bound is above the absent value, so a lower bound leaves it out and an upper bound alone lets it in.
  if (value === null) return filter.atLeast === undefined
  if (typeof value !== 'string' && typeof value !== 'number') return false
  return (
    (filter.atLeast === undefined || value >= filter.atLeast) &&
    (filter.below === undefined || value < filter.below) &&
    (filter.atMost === undefined || value <= filter.atMost)
  )
}
