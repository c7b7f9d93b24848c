/**
 * The documents that the lines of a journal produce, by collection and instance. The same lines in the same order
 * produce the same documents and the same conflicts, in every process that reads them.
 */
import { E, type Either } from '@publishing-service/domain/fp'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import type { Document, UniqueConflict, VersionConflict } from '@publishing-service/ports'

/** A write as a line of the journal. The lines before it decide whether it is applied. */
export type Change = {
  /** Identifies the write, so that its writer recognizes it. */
  readonly by: string
  readonly collection: string
  readonly instance: number
  readonly id: string
  /** The version that must exist; null if the document must not exist. */
  readonly version: number | null
  /** The new content; null for a removal. */
  readonly put: { readonly unique: string | null; readonly value: JsonObject } | null
}

export type Entry = {
  readonly document: Document
  readonly unique: string | null
  /** The number of the insertion among all insertions. */
  readonly sequence: number
}

export type Conflict = VersionConflict | UniqueConflict

/** The documents of a collection and instance by id, and their ids by unique text. */
type Partition = { readonly documents: Map<string, Entry>; readonly idsByUnique: Map<string, string> }

/** Callers must not change the stored values. */
const freeze = <A extends Json>(json: A): A => {
  if (typeof json === 'object' && json !== null) Object.values(Object.freeze(json)).forEach(freeze)
  return json
}

/** The partitions of an empty journal. */
export const emptyPartitions = () => {
  const partitions = new Map<string, Partition>()
  let insertions = 0

  const partitionOf = (collection: string, instance: number): Partition => {
    const key = `${instance}/${collection}`
    const partition = partitions.get(key) ?? { documents: new Map(), idsByUnique: new Map() }
    partitions.set(key, partition)
    return partition
  }

  /** The conflict that the change would have now, or null. */
  const conflictOf = ({ collection, instance, id, version, put }: Omit<Change, 'by'>): Conflict | null => {
    const { documents, idsByUnique } = partitionOf(collection, instance)
    if ((documents.get(id)?.document.version ?? null) !== version) return { _tag: 'VersionConflict' }
    const unique = put?.unique ?? null
    const isDuplicate = unique !== null && (idsByUnique.get(unique) ?? id) !== id
    return isDuplicate ? { _tag: 'UniqueConflict' } : null
  }

  /** Applies a change, unless it conflicts. Returns the new document; after a removal it has no attributes. */
  const apply = (change: Change): Either<Conflict, Document> => {
    const conflict = conflictOf(change)
    if (conflict !== null) return E.left(conflict)
    const { collection, instance, id, version, put } = change
    const { documents, idsByUnique } = partitionOf(collection, instance)
    const former = documents.get(id)
    if (typeof former?.unique === 'string') idsByUnique.delete(former.unique)
    const document = freeze({ id, version: (version ?? 0) + 1, value: put?.value ?? {} })
    if (put === null) documents.delete(id)
    else documents.set(id, { document, unique: put.unique, sequence: former?.sequence ?? ++insertions })
    if (typeof put?.unique === 'string') idsByUnique.set(put.unique, id)
    return E.right(document)
  }

  return {
    conflictOf,
    apply,
    /** By the ids of the documents. */
    entries: (collection: string, instance: number): ReadonlyMap<string, Entry> =>
      partitionOf(collection, instance).documents,
  }
}
