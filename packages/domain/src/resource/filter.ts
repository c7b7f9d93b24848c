/** Filters and orders as data, for stores and use cases: this entry loads no resource. */
import type { Json, JsonObject } from '../json.js'

/** Texts from `atLeast` to below `below`. `endsAbove`: only those with a space, whose part after the first one is greater. */
export type TextRange = { readonly atLeast: string; readonly below: string; readonly endsAbove?: string }

/**
 * A condition on one key of a document: equal, one of, within a range, or, for a key that is a list of texts, that the
 * list contains a text, one of a range, or none of some texts. Filters treat an absent value, null and the empty text as one
 * value, which comes before all others.
 */
export type KeyFilter =
  | { readonly key: string; readonly equals: Json }
  | { readonly key: string; readonly oneOf: readonly Json[] }
  | { readonly key: string; readonly has: string }
  | { readonly key: string; readonly hasIn: TextRange }
  | { readonly key: string; readonly hasNone: readonly string[] }
  | {
      readonly key: string
      readonly atLeast?: string | number
      readonly above?: string | number
      readonly below?: string | number
      readonly atMost?: string | number
    }

/** A condition on one key, or a disjunction of groups of conditions. */
export type Filter = KeyFilter | { readonly anyOf: readonly (readonly KeyFilter[])[] }

export type Order = { readonly key: string; readonly direction: 'asc' | 'desc' }

const plainValue = (value: Json | undefined): Json => (value === undefined || value === '' ? null : value)

/** Orders UTF-16 units by code point: surrogates come after all other units. */
const rank = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit)

/** Negative if the first comes before the second by code point. */
export const compareTexts = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index += 1) {
    const difference = rank(a.charCodeAt(index)) - rank(b.charCodeAt(index))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Negative if the value comes before the bound; null if their types differ, so that no condition is met. */
const compare = (value: Json, bound: Json): number | null => {
  if (value === null || bound === null) return Number(value !== null) - Number(bound !== null)
  if (typeof value === 'string' && typeof bound === 'string') return compareTexts(value, bound)
  return typeof value === 'number' && typeof bound === 'number' ? value - bound : null
}

export const isInRange = (text: string, { atLeast, below, endsAbove }: TextRange): boolean =>
  compareTexts(text, atLeast) >= 0 &&
  compareTexts(text, below) < 0 &&
  (endsAbove === undefined ||
    (text.includes(' ') && compareTexts(text.slice(text.indexOf(' ') + 1), endsAbove) > 0))

const isConditionMet = (
  value: Json,
  bound: string | number | undefined,
  test: (difference: number) => boolean,
): boolean => {
  if (bound === undefined) return true
  const difference = compare(value, plainValue(bound))
  return difference !== null && test(difference)
}

/** Whether a stored state meets a filter, with the same result as a query of a store. */
export const matchesFilter = (filter: Filter, state: JsonObject): boolean => {
  if ('anyOf' in filter)
    return filter.anyOf.some((group) => group.every((each) => matchesFilter(each, state)))
  if ('has' in filter) {
    const list = state[filter.key]
    return filter.has !== '' && Array.isArray(list) && list.includes(filter.has)
  }
  if ('hasIn' in filter) {
    const list = state[filter.key]
    return (
      Array.isArray(list) &&
      list.some((text) => typeof text === 'string' && text !== '' && isInRange(text, filter.hasIn))
    )
  }
  if ('hasNone' in filter) {
    const list = state[filter.key]
    return !Array.isArray(list) || !filter.hasNone.some((text) => text !== '' && list.includes(text))
  }
  const value = plainValue(state[filter.key])
  if ('equals' in filter) return value === plainValue(filter.equals)
  if ('oneOf' in filter) return filter.oneOf.some((each) => value === plainValue(each))
  return (
    isConditionMet(value, filter.atLeast, (difference) => difference >= 0) &&
    isConditionMet(value, filter.above, (difference) => difference > 0) &&
    isConditionMet(value, filter.below, (difference) => difference < 0) &&
    isConditionMet(value, filter.atMost, (difference) => difference <= 0)
  )
}
