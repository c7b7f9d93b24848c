import { countInMemory, keyTextTooLong } from '@publishing-service/ports'
import type {
  Change,
  Collection,
  Document,
  DocumentTooLarge,
  NewDocument,
  UniqueConflict,
  VersionConflict,
} from '@publishing-service/ports'
import type { MemoryPartition, MemoryPartitions } from './memory-partition.js'

type WriteConflict = VersionConflict | UniqueConflict | DocumentTooLarge

/** What an insert and a replace store. */
type Written = Pick<NewDocument, 'id' | 'unique' | 'value'>

const documentConflict = (
  collection: Collection,
  partition: MemoryPartition,
  document: Written,
  change: number,
): WriteConflict | null =>
  keyTextTooLong(collection, document.unique, document.value) ??
  (partition.isUsed(document) ? { _tag: 'UniqueConflict', change } : null)

/** The documents of a collection as they are after the changes. */
const documentsAfter = (
  partition: MemoryPartition,
  collection: string,
  changes: readonly Change[],
): readonly Document[] => {
  const after = new Map(partition.documents.map((document) => [document.id, document]))
  for (const change of changes)
    if (change.collection !== collection) continue
    else if (change.kind === 'remove') after.delete(change.id)
    else if (change.kind === 'insert' || change.kind === 'replace') {
      const { id, value } = change.document
      after.set(id, { id, version: 0, position: after.get(id)?.position ?? 0, value })
    }
  return [...after.values()]
}

/** Why a change of a write cannot be made; null if it can. */
export const conflictOf = (
  partitions: MemoryPartitions,
  instance: number,
  changes: readonly Change[],
  change: Change,
  number: number,
): WriteConflict | null => {
  const { collection } = change
  const partition = partitions.of(collection, instance)
  const unless = (holds: boolean): WriteConflict | null =>
    holds ? null : { _tag: 'VersionConflict', change: number }
  const versionOf = (id: string): number | null => partition.get(id)?.version ?? null
  switch (change.kind) {
    case 'insert':
      return (
        unless(versionOf(change.document.id) === null) ??
        documentConflict(partitions.declaration(collection), partition, change.document, number)
      )
    case 'replace':
      return (
        unless(versionOf(change.document.id) === change.document.version) ??
        documentConflict(partitions.declaration(collection), partition, change.document, number)
      )
    case 'remove':
      return unless(versionOf(change.id) === change.version)
    case 'expect': {
      const version = versionOf(change.id)
      return unless(version !== null && (change.version === null || change.version === version))
    }
    case 'expect none': {
      const documents = documentsAfter(partition, collection, changes)
      return unless(countInMemory(partitions.declaration(collection), documents, change.selection, 1) === 0)
    }
  }
}
