/** A document's value as two JSON texts: the light attributes, and the heavy ones where it has any. */
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

const split = (value: JsonObject, heavy: ReadonlySet<string>): Pick<DocumentText, 'light' | 'heavy'> => {
  const present = [...heavy].filter((name) => Object.hasOwn(value, name))
  if (present.length === 0) return { light: JSON.stringify(value), heavy: null }
  // JSON.stringify leaves out what is undefined.
  const lights: Record<string, Json | undefined> = { ...value }
  for (const name of present) lights[name] = undefined
  return {
    light: JSON.stringify(lights),
    heavy: JSON.stringify(Object.fromEntries(present.map((name) => [name, value[name] as Json]))),
  }
}

/** JSON.stringify escapes surrogates only where they are alone; a backslash before `\u` makes a false alarm. */
const loneSurrogate = /\\u[dD][89a-fA-F]/

/**
 * Half of a surrogate pair is no text in UTF-8, and SQLite's keys are UTF-8: it becomes U+FFFD throughout, so that
 * a document, its keys and the filters for it agree.
 */
export const documentText = (value: JsonObject, heavy: ReadonlySet<string>): DocumentText => {
  const texts = split(value, heavy)
  if (loneSurrogate.test(texts.light) || loneSurrogate.test(texts.heavy ?? '')) {
    const repaired = wellFormed(value) as JsonObject
    return { ...measured(split(repaired, heavy)), value: repaired }
  }
  return { ...measured(texts), value }
}

const measured = (texts: Pick<DocumentText, 'light' | 'heavy'>) => ({
  ...texts,
  bytes: Buffer.byteLength(texts.light) + (texts.heavy === null ? 0 : Buffer.byteLength(texts.heavy)),
})

/** The value that the two texts hold; without the heavy text, its light attributes. */
export const parsedDocument = (light: string, heavy: string | null): JsonObject => {
  const value = JSON.parse(light) as JsonObject
  return heavy === null ? value : { ...value, ...(JSON.parse(heavy) as JsonObject) }
}
