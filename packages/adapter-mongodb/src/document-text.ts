/**
 * A document's value as two JSON texts: the light attributes, and the heavy ones where it has any. As text it comes
 * back to the letter, whatever its attributes are named, and costs the driver next to nothing to read.
 */
import type { Json, JsonObject } from '@publishing-service/domain'

export type DocumentText = {
  /** The value as it will be read back. */
  readonly value: JsonObject
  readonly light: string
  readonly heavy: string | null
  /** Size of both texts in UTF-8. */
  readonly bytes: number
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

/** JSON.stringify escapes surrogates only where they are alone; a backslash before `\u` makes a false alarm. */
const loneSurrogate = /\\u[dD][89a-fA-F]/

const split = (value: JsonObject, heavy: ReadonlySet<string>): Pick<DocumentText, 'light' | 'heavy'> => {
  const entries = Object.entries(value)
  const isHeavy = ([name]: readonly [string, Json]): boolean => heavy.has(name)
  if (heavy.size === 0 || !entries.some(isHeavy)) return { light: JSON.stringify(value), heavy: null }
  return {
    light: JSON.stringify(withoutHeavy(value, heavy)),
    heavy: JSON.stringify(Object.fromEntries(entries.filter(isHeavy))),
  }
}

/** The value's light attributes. */
export const withoutHeavy = (value: JsonObject, heavy: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !heavy.has(name)))

/**
 * Half of a surrogate pair is no text in UTF-8, which is what BSON holds: it becomes U+FFFD throughout, so that a
 * document, its keys and the filters for it agree.
 */
export const documentText = (given: JsonObject, heavy: ReadonlySet<string>): DocumentText => {
  const texts = split(given, heavy)
  const isBroken = loneSurrogate.test(texts.light) || loneSurrogate.test(texts.heavy ?? '')
  const value = isBroken ? (wellFormed(given) as JsonObject) : given
  const { light, heavy: apart } = isBroken ? split(value, heavy) : texts
  return { value, light, heavy: apart, bytes: Buffer.byteLength(light) + Buffer.byteLength(apart ?? '') }
}

/** The value that the two texts hold; without the heavy text, its light attributes. */
export const parsedDocument = (light: string, heavy: string | null): JsonObject => {
  const value = JSON.parse(light) as JsonObject
  return heavy === null ? value : { ...value, ...(JSON.parse(heavy) as JsonObject) }
}
