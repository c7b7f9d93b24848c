/**
 * Parsed light documents, so that a page does not parse them again. The version of a document at a sequence number never
 * changes, whichever process wrote it, so an entry is valid as long as the file has that version. A document is cached
 * when it is read again: a walk through all pages reads each once, and would evict those that are read often.
 */
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { LRUCache } from 'lru-cache'

/** A value, and the bytes of the texts that it was parsed from. */
export type SizedValue = { readonly value: JsonObject; readonly bytes: number }

export type DocumentCache = {
  /** The light value of a sequence at a version; undefined where it isn't cached. */
  readonly find: (sequence: number, version: number) => SizedValue | undefined
  /** Caches a light value that was read before, and returns it. */
  readonly add: (sequence: number, version: number, light: SizedValue) => SizedValue
}

type Entry = { readonly version: number; readonly light: SizedValue }

/** Readers share the values: one that changed a value would change the others' documents. */
const freeze = (json: Json): void => {
  if (typeof json !== 'object' || json === null) return
  Object.values(json).forEach(freeze)
  Object.freeze(json)
}

/** The documents of which it is known that they were read. */
const mostSeen = 2000

/** Caches as many documents of one collection as have `limit` bytes together. */
export const documentCache = (limit: number): DocumentCache => {
  const entries = new LRUCache<number, Entry>({ maxSize: limit })
  /** The versions that were read once, by sequence. */
  const seen = new Map<number, number>()
  return {
    find: (sequence, version) => {
      const entry = entries.get(sequence)
      return entry?.version === version ? entry.light : undefined
    },
    add: (sequence, version, light) => {
      if (seen.get(sequence) !== version) {
        if (seen.size >= mostSeen) seen.clear()
        seen.set(sequence, version)
        return light
      }
      seen.delete(sequence)
      freeze(light.value)
      entries.set(sequence, { version, light }, { size: Math.max(1, light.bytes) })
      return light
    },
  }
}
