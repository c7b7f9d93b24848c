/**
 * The marks of a copy in its target: its source, and the progress of each partition. They exist until the copy is
 * complete, so that an incomplete copy is detected.
 */
import { pipe, t, TE } from '@publishing-service/domain/fp'
import { json, type JsonObject } from '@publishing-service/domain/json'
import { singleChanges, type DocumentStore } from '@publishing-service/ports'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { orThrow } from '../attempt.js'
import { rejectConflict } from './copy-failure.js'
import { documentsAfter, partitionName, type Partition } from './partitions.js'

const { name: collection } = systemCollections.copies

/** The source of an incomplete copy. */
const CopyHead = t.readonly(t.type({ source: t.string }), collection)

/** The progress of a partition. */
const PartitionMark = t.readonly(
  t.type({
    /** The position in the source after what was copied; null before the first and after the last document. */
    after: json,
    isWhole: t.boolean,
    /** Documents that were copied. */
    count: t.number,
    /** Of their texts in the source, in their order. */
    checksum: t.string,
  }),
  collection,
)
export type PartitionMark = t.TypeOf<typeof PartitionMark>

export const initialMark: PartitionMark = { after: null, isWhole: false, count: 0, checksum: '' }

const marksPartition: Partition = { instance: systemInstance, target: { collection, unique: () => null } }
const head = 'copy'

/** The source of an incomplete copy; null if the store is not one. */
export const sourceOfCopy = (documents: DocumentStore) =>
  pipe(
    documents.get(collection, systemInstance, head),
    TE.map((found) => (found === null ? null : decodeStored(CopyHead, found).source)),
  )

/** The marks in one target. All throw a PortFailure, and ConcurrentWriter if another process writes the same. */
export const copyMarks = (documents: DocumentStore, position: () => number) => {
  const changes = singleChanges(documents, position)
  const versions = new Map<string, number>()

  const write = async (id: string, value: JsonObject): Promise<void> => {
    const version = versions.get(id)
    const document = { id, unique: null, value }
    const written =
      version === undefined
        ? await orThrow(rejectConflict(changes.insert(collection, systemInstance, document)))
        : await orThrow(rejectConflict(changes.replace(collection, systemInstance, { ...document, version })))
    versions.set(id, written.version)
  }

  const remove = async (id: string, version: number): Promise<void> => {
    await orThrow(rejectConflict(changes.remove(collection, systemInstance, id, version)))
    versions.delete(id)
  }

  const find = async (id: string) => orThrow(documents.get(collection, systemInstance, id))

  return {
    begin: (source: string): Promise<void> => write(head, { source }),
    read: async (partition: Partition): Promise<PartitionMark> => {
      const found = await find(partitionName(partition))
      if (found === null) return initialMark
      versions.set(found.id, found.version)
      return decodeStored(PartitionMark, found)
    },
    write: (partition: Partition, mark: PartitionMark): Promise<void> =>
      write(partitionName(partition), mark),
    /** Removes the mark, so that a resumed copy copies the partition again. */
    forget: async (partition: Partition): Promise<void> => {
      const found = await find(partitionName(partition))
      if (found !== null) await remove(found.id, found.version)
    },
    /** Removes all marks. The head is removed last, so that the copy can be resumed until then. */
    end: async (): Promise<void> => {
      for (;;) {
        const left = await documentsAfter(documents, marksPartition, 0)
        const others = left.filter(({ id }) => id !== head)
        for (const { id, version } of others.length > 0 ? others : left) await remove(id, version)
        if (others.length === 0) return
      }
    },
  }
}

export type CopyMarks = ReturnType<typeof copyMarks>
