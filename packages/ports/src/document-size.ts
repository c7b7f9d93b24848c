/** The size limits of documents and of the texts of their keys, which all stores share. */
import { utf8Length, type JsonObject } from '@publishing-service/domain'
import type { Collection, DocumentTooLarge } from './document-store.js'
import { keyValue, plainTypeOf, textsUnder } from './key-values.js'

/** The maximum bytes in UTF-8 of a unique text, of a text under a key, and of an entry in a list under a key of texts. */
export const maxKeyTextBytes = 1024

/** A unit of UTF-16 has at most three bytes, so most texts need no count. */
const isTooLong = (text: string): boolean =>
  text.length * 3 > maxKeyTextBytes && utf8Length(text) > maxKeyTextBytes

/** The failure for a document whose unique text, or text under a key, is too long; else null. */
export const keyTextTooLong = (
  collection: Pick<Collection, 'name' | 'keys'>,
  unique: string | null,
  value: JsonObject,
): DocumentTooLarge | null => {
  const texts = (key: string): readonly string[] => {
    if (collection.keys[key] === 'texts') return textsUnder(value, key)
    const found = keyValue(plainTypeOf(collection, key), value, key)
    return typeof found === 'string' ? [found] : []
  }
  return (unique !== null && isTooLong(unique)) ||
    Object.keys(collection.keys).some((key) => texts(key).some(isTooLong))
    ? { _tag: 'DocumentTooLarge', limit: maxKeyTextBytes }
    : null
}
