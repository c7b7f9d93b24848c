/**
 * Caches light values of documents, which pages read again and again: to parse one takes longer than to read it. An entry
 * is of one document at one version, so it is never outdated.
 */
import { LRUCache } from 'lru-cache'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import type { Document } from '@publishing-service/ports'

export type DocumentCache = {
  /** The value of a document, parsed if it is not cached. Another document may have the position later. */
  readonly valueOf: (document: Omit<Document, 'value'>, light: string) => JsonObject
}

type Entry = Pick<Document, 'id' | 'version' | 'value'>

/** Readers share the values: one that changed a value would change the others' documents. */
const freeze = (json: Json): void => {
  if (typeof json !== 'object' || json === null) return
  Object.values(json).forEach(freeze)
  Object.freeze(json)
}

/** The documents of which it is known that they were read. */
const mostSeen = 2000

/** Caches as many values of one collection as have `limit` characters together, each from its second read on. */
export const documentCache = (limit: number, parse: (light: string) => JsonObject): DocumentCache => {
  const entries = new LRUCache<number, Entry>({ maxSize: limit })
  /** The versions that were read once, by position. */
  const seen = new Map<number, number>()
  return {
    valueOf: ({ id, position, version }, light) => {
      const entry = entries.get(position)
      if (entry?.version === version && entry.id === id) return entry.value
      const value = parse(light)
      if (seen.get(position) !== version) {
        if (seen.size >= mostSeen) seen.clear()
        seen.set(position, version)
        return value
      }
      seen.delete(position)
      freeze(value)
      entries.set(position, { id, version, value }, { size: light.length })
      return value
    },
  }
}
