/**
 * The documents that the lines of a journal produce, by collection and instance. The same lines in the same order
 * produce the same documents and the same conflicts, in every process that reads them.
 */
import { E, type Either } from '@publishing-service/domain/fp'
import type { Json } from '@publishing-service/domain/json'
import { countInMemory } from '@publishing-service/ports'
import type { Appended, Change, Collection, Document, NewDocument } from '@publishing-service/ports'
import type { UniqueConflict, VersionConflict } from '@publishing-service/ports'

/** A write as a line of the journal. The lines before it decide whether it is applied. */
export type Line = {
  /** Identifies the write, so that its writer recognizes it. */
  readonly by: string
  readonly instance: number
  readonly changes: readonly Change[]
  readonly appended: readonly Appended[]
  /** The collections of `expect none` as the writer declares them, so that every process selects the same documents. */
  readonly declared: Readonly<Record<string, Collection>>
}

export type Write = Omit<Line, 'by'>

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

  /** The documents of a collection as they are after the changes. */
  const documentsAfter = (collection: string, { instance, changes }: Write): readonly Document[] => {
    const after = new Map(partitionOf(collection, instance).documents)
    for (const change of changes)
      if (change.collection !== collection) continue
      else if (change.kind === 'remove') after.delete(change.id)
      else if (change.kind === 'insert' || change.kind === 'replace')
        after.set(change.document.id, { ...change.document, version: 0, position: 0 })
    return [...after.values()]
  }

  /** Whether what the change expects is so. */
  const isMet = (write: Write, change: Change): boolean => {
    const versionOf = (id: string): number | undefined =>
      partitionOf(change.collection, write.instance).documents.get(id)?.version
    switch (change.kind) {
      case 'insert':
        return versionOf(change.document.id) === undefined
      case 'replace':
        return versionOf(change.document.id) === change.document.version
      case 'remove':
        return versionOf(change.id) === change.version
      case 'expect': {
        const version = versionOf(change.id)
        return version !== undefined && (change.version ?? version) === version
      }
      case 'expect none': {
        const collection = write.declared[change.collection]
        const documents = documentsAfter(change.collection, write)
        return collection !== undefined && countInMemory(collection, documents, change.selection, 1) === 0
      }
    }
  }

  const hasFreeText = ({ instance }: Write, change: Change): boolean => {
    if (change.kind !== 'insert' && change.kind !== 'replace') return true
    const { id, unique } = change.document
    const { idsByUnique } = partitionOf(change.collection, instance)
    return unique === null || (idsByUnique.get(unique) ?? id) === id
  }

  /** The conflict that a write has now, or null. It is found before anything is changed, so nothing has to be undone. */
  const conflictOf = (write: Write): Conflict | null => {
    for (const [number, change] of write.changes.entries()) {
      if (!isMet(write, change)) return { _tag: 'VersionConflict', change: number }
      if (!hasFreeText(write, change)) return { _tag: 'UniqueConflict', change: number }
    }
    return null
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

  /** Makes a change that has no conflict. Returns the stored document, null without one. */
  const make = (instance: number, change: Change): Document | null => {
    const partition = partitionOf(change.collection, instance)
    switch (change.kind) {
      case 'insert':
        return put(partition, change.document, change.document.version ?? 1)
      case 'replace': {
        const { id, version } = change.document
        const position = partition.documents.get(id)?.position ?? 0
        remove(partition, id)
        return put(partition, { ...change.document, position }, version + 1)
      }
      case 'remove':
        remove(partition, change.id)
        return null
      default:
        return null
    }
  }

  return {
    conflictOf,

    /** Applies a line, unless one of its changes conflicts. */
    apply: (line: Line): Either<Conflict, readonly (Document | null)[]> => {
      const conflict = conflictOf(line)
      if (conflict !== null) return E.left(conflict)
      const written = line.changes.map((change) => make(line.instance, change))
      for (const { document, ...place } of line.appended) {
        const target = partitionOf(place.collection, place.instance)
        if (!target.documents.has(document.id)) put(target, document, document.version ?? 1)
      }
      return E.right(written)
    },

    /** By their ids. */
    documents: (collection: string, instance: number): ReadonlyMap<string, Document> =>
      partitionOf(collection, instance).documents,

    /** All documents as they are now. */
    copy: (): ((collection: string, instance: number) => readonly Document[]) => {
      const copied = new Map([...partitions].map(([key, { documents }]) => [key, [...documents.values()]]))
      return (collection, instance) => copied.get(`${instance}/${collection}`) ?? []
    },
  }
}
