/**
 * For stores that store the value of a document as JSON texts: the light attributes, and the heavy ones if there are any.
 * A text is read back unchanged, whatever the names of the attributes.
 */
import { isJsonList, utf8Length, type Json, type JsonObject } from '@publishing-service/domain/json'

export type DocumentText = {
  /** The value as it will be read back. */
  readonly value: JsonObject
  readonly light: string
  readonly heavy: string | null
  /** The size of the document: the bytes of the value as one JSON text in UTF-8. */
  readonly bytes: number
}

/** The value of a damaged document. It is compared by identity. */
export const unreadable: JsonObject = Object.freeze({})

const wellFormed = (json: Json): Json => {
  if (typeof json === 'string') return json.toWellFormed()
  if (isJsonList(json)) return json.map(wellFormed)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(
    Object.entries(json).map(([name, item]) => [name.toWellFormed(), wellFormed(item)]),
  )
}

type Split = Omit<DocumentText, 'bytes'>

const split = (value: JsonObject, heavy: ReadonlySet<string>): Split => {
  let lights: Record<string, Json | undefined> | null = null
  const heavies: [string, Json][] = []
  for (const name of heavy) {
    if (!Object.hasOwn(value, name)) continue
    heavies.push([name, value[name] as Json])
    // JSON.stringify omits undefined attributes.
    lights ??= { ...value }
    lights[name] = undefined
  }
  if (lights === null) return { value, light: JSON.stringify(value), heavy: null }
  return { value, light: JSON.stringify(lights), heavy: JSON.stringify(Object.fromEntries(heavies)) }
}

/** JSON.stringify escapes only lone surrogates. A backslash before `\u` causes a false positive. */
const loneSurrogate = /\\u[dD][89a-fA-F]/

/**
 * Splits a value by the heavy attributes of its collection. A lone surrogate cannot be encoded in UTF-8 and becomes
 * U+FFFD everywhere, so that a document, its keys and the filters for it agree.
 */
export const documentText = (value: JsonObject, heavy: ReadonlySet<string>): DocumentText => {
  const sent = split(value, heavy)
  const text =
    loneSurrogate.test(sent.light) || loneSurrogate.test(sent.heavy ?? '')
      ? split(wellFormed(value) as JsonObject, heavy)
      : sent
  const { light, heavy: heavyText } = text
  // One text has one pair of braces instead of two, and a comma if neither is empty.
  const heavyBytes = heavyText === null ? 0 : utf8Length(heavyText) - (light === '{}' ? 2 : 1)
  return { ...text, bytes: utf8Length(light) + heavyBytes }
}

const parsedObject = (text: string): JsonObject => {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SyntaxError('not a JSON object')
  return value as JsonObject
}

/**
 * The value of the two texts; without the heavy text, its light attributes. A damaged document must not fail the others that
 * are read with it: its value is `unreadable`.
 */
export const readDocument = (light: string, heavy: string | null): JsonObject => {
  try {
    const value = parsedObject(light)
    // A spread of both takes three times as long.
    return heavy === null ? value : Object.assign(value, parsedObject(heavy))
  } catch (error) {
    if (error instanceof SyntaxError) return unreadable
    throw error
  }
}
