/**
 * Light documents that were read before, so that a page doesn't parse them again. A version of a sequence never
 * changes, in whatever process it was written, so what is kept is right for as long as the file says that version.
 */
import type { Json, JsonObject } from '@publishing-service/domain'
import { readDocument } from '@publishing-service/ports'

type Kept = { readonly version: number; readonly value: JsonObject; readonly size: number }

export type KeptDocuments = {
  /** The light value of a sequence at a version; undefined where it isn't kept. */
  readonly find: (sequence: number, version: number) => JsonObject | undefined
  /** Reads a light text and keeps what it holds. */
  readonly keep: (sequence: number, version: number, light: string) => JsonObject
}

/** Many readers share what is kept: one that changed it would change the others' documents. */
const frozen = <A extends Json>(json: A): A => {
  if (typeof json === 'object' && json !== null) {
    Object.values(json).forEach(frozen)
    Object.freeze(json)
  }
  return json
}

/** Keeps as many documents of one collection as have `limit` characters together; the longest unused go first. */
export const keptDocuments = (limit: number): KeptDocuments => {
  const documents = new Map<number, Kept>()
  let size = 0

  const forget = (sequence: number, kept: Kept): void => {
    documents.delete(sequence)
    size -= kept.size
  }

  return {
    find: (sequence, version) => {
      const kept = documents.get(sequence)
      if (kept === undefined || kept.version !== version) return undefined
      documents.delete(sequence)
      documents.set(sequence, kept)
      return kept.value
    },
    keep: (sequence, version, light) => {
      const before = documents.get(sequence)
      if (before !== undefined) forget(sequence, before)
      const value = frozen(readDocument(light, null))
      documents.set(sequence, { version, value, size: light.length })
      size += light.length
      for (const [oldest, kept] of documents) {
        if (size <= limit) break
        forget(oldest, kept)
      }
      return value
    },
  }
}
