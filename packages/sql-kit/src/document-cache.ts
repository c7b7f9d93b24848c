/**
 * Light values of documents are cached, which pages read again and again: to parse one takes longer than to read it. An entry is of
 * one document at one version, so it is never outdated.
 */
import { deepFreeze, type JsonObject } from '@publishing-service/domain/json'
import type { Document } from '@publishing-service/ports'
import { LRUCache } from 'lru-cache'

export type DocumentCache = {
  /** A document, parsed if it is not cached. Another document may have the position later. */
  readonly documentOf: (position: number, version: number, id: string, light: string) => Document
}

/** The documents of which it is known that they were read. */
const mostSeen = 10_000

/**
 * While the cache is full, one document of so many is cached that could be: a walk through more documents than fit would
 * otherwise replace each before it is read again.
 */
const admitted = 8

/** Caches as many documents of one collection as have `limit` characters together, each from its second read on. */
export const documentCache = (limit: number, parse: (light: string) => JsonObject): DocumentCache => {
  const documents = new LRUCache<number, Document>({ maxSize: limit })
  /** The versions that were read once, by position. */
  const seen = new Map<number, number>()
  let candidates = 0
  return {
    documentOf: (position, version, id, light) => {
      const cached = documents.get(position)
      if (cached?.version === version && cached.id === id) return cached
      const document = { id, version, position, value: parse(light) }
      if (seen.get(position) !== version) {
        if (seen.size >= mostSeen) seen.clear()
        seen.set(position, version)
        return document
      }
      const isFull = documents.calculatedSize + light.length > limit
      if (isFull && (candidates += 1) % admitted > 0) return document
      seen.delete(position)
      // Readers share it.
      deepFreeze(document.value)
      Object.freeze(document)
      documents.set(position, document, { size: light.length })
      return document
    },
  }
}
