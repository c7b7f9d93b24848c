import * as t from 'io-ts'

export { linesOf } from './lines-of.js'

/** JSON values, as requests send them and as stores save them. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [name: string]: Json }

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isJsonList = (json: Json | undefined): json is readonly Json[] => Array.isArray(json)

/** A JSON object as an io-ts type. */
export const jsonObject = new t.Type<JsonObject, JsonObject, unknown>(
  'object',
  isJsonObject,
  (input, context) => (isJsonObject(input) ? t.success(input) : t.failure(input, context)),
  t.identity,
)

/** Any JSON as an io-ts type; the values within objects are not checked. */
export const json: t.Type<Json> = t.recursion('JSON', () =>
  t.union([t.null, t.boolean, t.number, t.string, t.readonlyArray(json), jsonObject]),
)

/** Freezes a value with all that it contains, so that those who share it cannot change it. */
export const deepFreeze = (value: Json): void => {
  if (typeof value !== 'object' || value === null) return
  Object.values(value).forEach(deepFreeze)
  Object.freeze(value)
}

/** Structural equality. Key order doesn't matter; list order does. */
export const jsonEqual = (a: Json, b: Json): boolean => {
  if (a === b) return true
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    for (const [index, item] of a.entries()) if (!jsonEqual(item, b[index])) return false
    return true
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  for (const name of names)
    if (!Object.hasOwn(b, name) || !jsonEqual(a[name] ?? null, b[name] ?? null)) return false
  return true
}

/** The bytes of one UTF-16 unit in a JSON text of ASCII characters: two or six if it is escaped. */
const unitBytes = (code: number): number => {
  if (code === 0x22 || code === 0x5c) return 2
  if (code >= 0x20) return code < 0x80 ? 1 : 6
  return code === 0x08 || code === 0x09 || code === 0x0a || code === 0x0c || code === 0x0d ? 2 : 6
}

/** The length in bytes of a well-formed text in UTF-8. */
export const utf8Length = (text: string): number => {
  // Most texts are ASCII up to their end, which one search finds.
  const first = text.search(/[\u0080-\uffff]/)
  if (first === -1) return text.length
  let bytes = text.length
  for (let i = first; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    // A surrogate pair has four bytes in UTF-8, two for each half.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1
  }
  return bytes
}

const textBytes = (text: string): number => {
  let bytes = 2
  for (let index = 0; index < text.length; index += 1) bytes += unitBytes(text.charCodeAt(index))
  return bytes
}

/** The number of bytes of a value as JSON in ASCII, without serializing it; `ofText` returns that of a text. */
export const jsonBytes = (value: Json, ofText: (text: string) => number = textBytes): number => {
  if (typeof value === 'string') return ofText(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value).length
  const isList = Array.isArray(value)
  const parts = Object.entries(value)
  // Brackets, and commas between the parts; a colon follows each name.
  let bytes = 2 + Math.max(0, parts.length - 1)
  for (const [name, part] of parts) bytes += (isList ? 0 : ofText(name) + 1) + jsonBytes(part, ofText)
  return bytes
}

/** At least as many bytes as a text has as JSON in ASCII, found without reading it. */
export const mostTextBytes = (text: string): number => 2 + 6 * text.length

/**
 * How many bytes a row has as JSON, with the comma after it; `ofText` returns that of a text. A value that is repeated is
 * measured once.
 */
export const rowBytes = (
  names: readonly string[],
  row: readonly Json[],
  ofText: (text: string) => number = textBytes,
): number => {
  const sizes: number[] = []
  let bytes = 2
  for (const [index, value] of row.entries()) {
    const first = names.indexOf(names[index] ?? '')
    const size = first < index ? (sizes[first] ?? 0) : jsonBytes(value, ofText) + 1
    sizes.push(size)
    bytes += size
  }
  return bytes
}

// Texts in ASCII.

/** Characters that are encoded at a time. */
export const asciiPieceLength = 64 * 1024

const beyondAscii = /[\u0080-\uffff]+/g

/** The two hexadecimal digits of each byte. */
const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

const escaped = (characters: string): string => {
  let text = ''
  for (let index = 0; index < characters.length; index += 1) {
    const code = characters.charCodeAt(index)
    text += `\\u${digits[code >> 8]}${digits[code & 255]}`
  }
  return text
}

/** A JSON text in ASCII: other characters are written `\uXXXX`, astral ones as surrogate pairs (docs/behaviour/wire.md#ascii). */
export const asciiText = (text: string): string => text.replace(beyondAscii, escaped)

/** The same in pieces, so that the sender of a long text can do other work in between. */
export function* asciiJsonPieces(text: string): Generator<string> {
  for (let from = 0; from < text.length; from += asciiPieceLength)
    yield asciiText(text.slice(from, from + asciiPieceLength))
}

/** A value as JSON in ASCII, for short responses and for documents that are made once. */
export const asciiJson = (value: Json): string => asciiText(JSON.stringify(value))
