/**
 * For stores that store the value of a document as JSON texts: the light attributes, and the heavy ones if there are any.
 * A text is read back unchanged, whatever the names of the attributes.
 */
import { isJsonList, utf8Length, type Json, type JsonObject } from '@publishing-service/domain/json'
import type { Collection, DocumentTooLarge } from './document-store.js'
import { isListType } from './key-values.js'

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

// Texts that indexes hold: the unique text of a document, and the texts under its keys.

/** The maximum bytes in UTF-8 of a unique text, of a text under a key, and of an entry in a list under a key of texts. */
export const maxKeyTextBytes = 1024

/**
 * The maximum bytes in UTF-8 of the texts under the keys of one index, together: one text of the longest, and others of
 * half of that. With it, an entry fits into the index of every database that is known.
 */
export const maxIndexTextBytes = 1536

/** The maximum bytes in UTF-8 of a text under a key that a group count is within. */
const maxGroupTextBytes = maxIndexTextBytes - maxKeyTextBytes

/** The maximum bytes in UTF-8 of a text under this key of a collection. */
export const keyTextLimit = ({ groupCounts }: Pick<Collection, 'groupCounts'>, key: string): number =>
  groupCounts.some(({ within }) => within.includes(key)) ? maxGroupTextBytes : maxKeyTextBytes

type IndexedTexts = Pick<Collection, 'name' | 'keys' | 'indexes' | 'groupCounts'>

type TextKey = { readonly key: string; readonly isOfTexts: boolean; readonly limit: number }

/** The keys of texts, and the bytes that each text may have whatever the others under the keys of its indexes have. */
type TextLimits = { readonly keys: readonly TextKey[]; readonly part: number }

const textLimits = new WeakMap<IndexedTexts, TextLimits>()

/** Finds the keys of a collection whose values are texts or lists of texts, once for each collection. */
const findTextLimits = (collection: IndexedTexts): TextLimits => {
  const keys = Object.entries(collection.keys).flatMap(([key, type]) =>
    type === 'text' || isListType(type)
      ? [{ key, isOfTexts: type !== 'text', limit: keyTextLimit(collection, key) }]
      : [],
  )
  const widest = Math.max(1, ...collection.indexes.map((index) => index.length))
  const limits = { keys, part: Math.floor(maxIndexTextBytes / widest) }
  textLimits.set(collection, limits)
  return limits
}

const textsOf = (value: JsonObject, { key, isOfTexts }: TextKey): readonly string[] => {
  const found = value[key] ?? null
  if (isJsonList(found)) return isOfTexts ? found.filter((text) => typeof text === 'string') : []
  return typeof found === 'string' && !isOfTexts ? [found] : []
}

/** A unit of UTF-16 has at most three bytes, so that most texts need no count. */
const isLonger = (text: string, bytes: number): boolean => text.length * 3 > bytes && utf8Length(text) > bytes

/**
 * The failure for a document whose unique text, text under a key, or texts under the keys of one index are too long; else
 * null.
 */
export const keyTextTooLong = (
  collection: IndexedTexts,
  unique: string | null,
  value: JsonObject,
): DocumentTooLarge | null => {
  const tooLong = (limit: number): DocumentTooLarge => ({ _tag: 'DocumentTooLarge', limit })
  if (unique !== null && isLonger(unique, maxKeyTextBytes)) return tooLong(maxKeyTextBytes)
  const { keys, part } = textLimits.get(collection) ?? findTextLimits(collection)
  let isLong = false
  for (const each of keys)
    for (const text of textsOf(value, each)) {
      if (isLonger(text, each.limit)) return tooLong(each.limit)
      isLong ||= isLonger(text, part)
    }
  if (!isLong) return null
  const longest = new Map(
    keys.map((each) => [
      each.key,
      textsOf(value, each).reduce((most, text) => Math.max(most, utf8Length(text)), 0),
    ]),
  )
  const together = (index: readonly string[]): number =>
    index.reduce((sum, key) => sum + (longest.get(key) ?? 0), 0)
  return collection.indexes.some((index) => together(index) > maxIndexTextBytes)
    ? tooLong(maxIndexTextBytes)
    : null
}
