/**
 * For stores that keep a document's value as JSON texts: the light attributes, and the heavy ones where it has any. As
 * text it comes back to the letter, whatever its attributes are named.
 */
import type { Json, JsonObject } from '@publishing-service/domain'

export type DocumentText = {
  /** The value as it will be read back. */
  readonly value: JsonObject
  readonly light: string
  readonly heavy: string | null
}

const isList = (json: Json): json is readonly Json[] => Array.isArray(json)

const wellFormed = (json: Json): Json => {
  if (typeof json === 'string') return json.toWellFormed()
  if (isList(json)) return json.map(wellFormed)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(
    Object.entries(json).map(([name, item]) => [name.toWellFormed(), wellFormed(item)]),
  )
}

const split = (value: JsonObject, heavy: ReadonlySet<string>): DocumentText => {
  const present = [...heavy].filter((name) => Object.hasOwn(value, name))
  if (present.length === 0) return { value, light: JSON.stringify(value), heavy: null }
  // JSON.stringify leaves out what is undefined.
  const lights: Record<string, Json | undefined> = { ...value }
  for (const name of present) lights[name] = undefined
  return {
    value,
    light: JSON.stringify(lights),
    heavy: JSON.stringify(Object.fromEntries(present.map((name) => [name, value[name] as Json]))),
  }
}

/** JSON.stringify escapes surrogates only where they are alone; a backslash before `\u` makes a false alarm. */
const loneSurrogate = /\\u[dD][89a-fA-F]/

/**
 * Parts a value by the heavy attributes of its collection. Half of a surrogate pair is no text in UTF-8, which keys
 * are kept in: it becomes U+FFFD throughout, so that a document, its keys and the filters for it agree.
 */
export const documentText = (value: JsonObject, heavy: ReadonlySet<string>): DocumentText => {
  const text = split(value, heavy)
  return loneSurrogate.test(text.light) || loneSurrogate.test(text.heavy ?? '')
    ? split(wellFormed(value) as JsonObject, heavy)
    : text
}

/** The value that the two texts hold; without the heavy text, its light attributes. */
export const parsedDocument = (light: string, heavy: string | null): JsonObject => {
  const value = JSON.parse(light) as JsonObject
  return heavy === null ? value : { ...value, ...(JSON.parse(heavy) as JsonObject) }
}
