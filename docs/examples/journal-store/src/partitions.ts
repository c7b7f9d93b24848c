/**
 * The documents that the lines of a journal produce, by collection and instance. The same lines in the same order
 * produce the same documents and the same conflicts, in every process that reads them.
 */
import { E, type Either } from '@publishing-service/domain/fp'
import type { Json } from '@publishing-service/domain/json'
import type {
  Appended,
  Change,
  Document,
  NewDocument,
  UniqueConflict,
  VersionConflict,
} from '@publishing-service/ports'

/** A write as a line of the journal. The lines before it decide whether it is applied. */
export type Line = {
  /** Identifies the write, so that its writer recognizes it. */
  readonly by: string
  readonly collection: string
  readonly instance: number
  readonly change: Change
  readonly appended: readonly Appended[]
}

export type Conflict = VersionConflict | UniqueConflict

/** The documents of a collection and instance by id, and what else must be unique. */
type Partition = {
  readonly documents: Map<string, Document>
  readonly uniqueTexts: Map<string, string>
  readonly idsByUnique: Map<string, string>
  readonly positions: Set<number>
  /** The highest position that a document has or had. */
  highest: number
}

/** Callers must not change the stored values. */
const freeze = <A extends Json>(json: A): A => {
  if (typeof json === 'object' && json !== null) Object.values(Object.freeze(json)).forEach(freeze)
  return json
}

/** The partitions of an empty journal. */
export const emptyPartitions = () => {
  const partitions = new Map<string, Partition>()

  const partitionOf = (collection: string, instance: number): Partition => {
    const key = `${instance}/${collection}`
    const partition = partitions.get(key) ?? {
      documents: new Map(),
      uniqueTexts: new Map(),
      idsByUnique: new Map(),
      positions: new Set(),
      highest: 0,
    }
    partitions.set(key, partition)
    return partition
  }

  const conflictIn = ({ documents, idsByUnique }: Partition, change: Change): Conflict | null => {
    const { id } = change.kind === 'remove' ? change : change.document
    const expected =
      change.kind === 'insert' ? null : change.kind === 'replace' ? change.document.version : change.version
    if ((documents.get(id)?.version ?? null) !== expected) return { _tag: 'VersionConflict' }
    const unique = change.kind === 'remove' ? null : change.document.unique
    const isDuplicate = unique !== null && (idsByUnique.get(unique) ?? id) !== id
    return isDuplicate ? { _tag: 'UniqueConflict' } : null
  }

  const remove = ({ documents, uniqueTexts, idsByUnique, positions }: Partition, id: string): void => {
    const unique = uniqueTexts.get(id)
    if (unique !== undefined) idsByUnique.delete(unique)
    uniqueTexts.delete(id)
    positions.delete(documents.get(id)?.position ?? 0)
    documents.delete(id)
  }

  const put = (partition: Partition, { id, unique, value, ...wanted }: NewDocument, version: number) => {
    const { documents, uniqueTexts, idsByUnique, positions, highest } = partition
    let position =
      typeof wanted.position === 'number' ? wanted.position : Math.max(wanted.position.atLeast, highest + 1)
    while (positions.has(position)) position++
    const document = freeze({ id, version, position, value })
    positions.add(position)
    partition.highest = Math.max(highest, position)
    documents.set(id, document)
    if (unique === null) return document
    uniqueTexts.set(id, unique)
    idsByUnique.set(unique, id)
    return document
  }

  /** Makes a change that has no conflict. Returns the stored document, null after a removal. */
  const make = (partition: Partition, change: Change): Document | null => {
    if (change.kind === 'insert') return put(partition, change.document, change.document.version ?? 1)
    const { id, version } = change.kind === 'remove' ? change : change.document
    const position = partition.documents.get(id)?.position ?? 0
    remove(partition, id)
    return change.kind === 'remove' ? null : put(partition, { ...change.document, position }, version + 1)
  }

  return {
    /** The conflict that the change would have now, or null. */
    conflictOf: ({ collection, instance, change }: Omit<Line, 'by'>): Conflict | null =>
      conflictIn(partitionOf(collection, instance), change),

    /** Applies a line, unless its change conflicts. */
    apply: ({ collection, instance, change, appended }: Line): Either<Conflict, Document | null> => {
      const partition = partitionOf(collection, instance)
      const conflict = conflictIn(partition, change)
      if (conflict !== null) return E.left(conflict)
      const written = make(partition, change)
      for (const { document, ...place } of appended) {
        const target = partitionOf(place.collection, place.instance)
        if (!target.documents.has(document.id)) put(target, document, document.version ?? 1)
      }
      return E.right(written)
    },

    /** By their ids. */
    documents: (collection: string, instance: number): ReadonlyMap<string, Document> =>
      partitionOf(collection, instance).documents,
  }
}
