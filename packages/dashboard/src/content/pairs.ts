/** Texts by names, as pairs that are edited. */
import type { Json } from '@publishing-service/domain/json'
import { isJsonObject } from '../json.js'

export type Pair = { readonly name: string; readonly text: string }

export const pairsIn = (value: Json): readonly Pair[] =>
  isJsonObject(value)
    ? Object.entries(value).map(([name, text]) => ({
        name,
        text: typeof text === 'string' ? text : JSON.stringify(text),
      }))
    : []

/** The texts by name; null if there are none. A pair without a name is left out, and of two with the same name the last remains. */
export const valueOfPairs = (pairs: readonly Pair[]): Json => {
  const named = pairs.filter(({ name }) => name.trim() !== '')
  return named.length === 0 ? null : Object.fromEntries(named.map(({ name, text }) => [name.trim(), text]))
}
