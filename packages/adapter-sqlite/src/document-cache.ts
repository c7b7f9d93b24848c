/**
 * Parsed light documents, so that a page doesn't parse them again. A version of a sequence never changes, in whatever
 * process it was written, so an entry is valid for as long as the file has that version.
 */
import type { Json, JsonObject } from '@publishing-service/domain'
import { readDocument } from '@publishing-service/ports'
import { LRUCache } from 'lru-cache'

export type DocumentCache = {
  /** The light value of a sequence at a version; undefined where it isn't cached. */
  readonly find: (sequence: number, version: number) => JsonObject | undefined
  /** Parses a light text and caches the value. */
  readonly add: (sequence: number, version: number, light: string) => JsonObject
}

type Entry = { readonly version: number; readonly value: JsonObject }

/** Readers share the values: one that changed a value would change the others' documents. */
const frozen = <A extends Json>(json: A): A => {
  if (typeof json === 'object' && json !== null) {
    Object.values(json).forEach(frozen)
    Object.freeze(json)
  }
  return json
}

/** Caches as many documents of one collection as have `limit` characters together. */
export const documentCache = (limit: number): DocumentCache => {
  const entries = new LRUCache<number, Entry>({ maxSize: limit })
  return {
    find: (sequence, version) => {
      const entry = entries.get(sequence)
      return entry?.version === version ? entry.value : undefined
    },
    add: (sequence, version, light) => {
      const value = frozen(readDocument(light, null))
      entries.set(sequence, { version, value }, { size: Math.max(1, light.length) })
      return value
    },
  }
}
