/** Compares lines of documents with a store, without having either in memory. */
import type { JsonObject } from '@publishing-service/domain/json'
import { jsonEqual } from '@publishing-service/domain/json'
import type { Checksum, Document, DocumentStore } from '@publishing-service/ports'
import { isLiveInstance, StoredInstance } from '../access/stored-instance.js'
import { systemCollections } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import type { DocumentLine } from './export-format.js'
import { documentsOf, nameOf, nameText, type Partition, type PartitionName } from './partitions.js'

/** A line and the document of the store at its position; one of them may be missing. */
export type Pair = {
  readonly partition: Partition
  readonly line: DocumentLine | null
  readonly found: Document | null
}

export const isEqualPair = ({ line, found }: Pair): boolean =>
  line !== null && found !== null && line.id === found.id && jsonEqual(line.value, found.value)

/** Reads items one by one; null after the last. */
const reader = <A>(items: AsyncIterable<A>) => {
  const iterator = items[Symbol.asyncIterator]()
  return {
    next: async (): Promise<A | null> => {
      const { done, value } = await iterator.next()
      return done === true ? null : value
    },
    close: async (): Promise<void> => void (await iterator.return?.()),
  }
}

/**
 * All lines and all documents of the store in pairs. Both are in the order of the partitions and positions. Documents that
 * are inserted for a line without one do not appear again.
 */
export async function* pairsOf(
  lines: AsyncIterable<DocumentLine>,
  partitions: readonly Partition[],
  store: DocumentStore,
): AsyncGenerator<Pair, void, void> {
  const source = reader(lines)
  try {
    let next = await source.next()
    for (const partition of partitions) {
      const { instance, target } = partition
      const stored = reader(documentsOf(store, partition))
      let found = await stored.next()
      for (;;) {
        const line = next?.instance === instance && next.collection === target.collection ? next : null
        if (line === null && found === null) break
        const difference = (line?.position ?? Infinity) - (found?.position ?? Infinity)
        yield {
          partition,
          line: difference <= 0 ? line : null,
          found: difference >= 0 ? found : null,
        }
        if (difference <= 0) next = await source.next()
        if (difference >= 0) found = await stored.next()
      }
    }
  } finally {
    await source.close()
  }
}

/** A text of a document that does not depend on the order of its attributes, which stores may change. */
const textOf = ({ id, position, value }: Pick<Document, 'id' | 'position'> & { value: JsonObject }): string =>
  JSON.stringify([id, position, Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))])

/** Counts the lines that pass through, and makes a checksum of each partition. */
export type Tally = {
  readonly watch: (lines: AsyncIterable<DocumentLine>) => AsyncIterable<DocumentLine>
  readonly counts: () => { readonly instances: number; readonly keys: number; readonly documents: number }
  /** By the names of the partitions. Nothing can be added afterwards. */
  readonly checksums: () => ReadonlyMap<string, string>
}

export const tallyOf = (checksum: () => Checksum): Tally => {
  const sums = new Map<string, Checksum>()
  let [instances, keys, documents] = [0, 0, 0]
  const add = (line: DocumentLine): void => {
    const sum = sums.get(nameText(line)) ?? checksum()
    sums.set(nameText(line), sum)
    sum.add(textOf(line))
    documents += 1
    if (line.collection === systemCollections.keys.name) keys += 1
    if (line.collection !== systemCollections.instances.name) return
    if (isLiveInstance(decodeStored(StoredInstance, line))) instances += 1
  }
  return {
    async *watch(lines) {
      for await (const line of lines) {
        add(line)
        yield line
      }
    },
    counts: () => ({ instances, keys, documents }),
    checksums: () => new Map([...sums].map(([name, sum]) => [name, sum.value()])),
  }
}

/** The partitions whose lines differ between two readings. */
export const changedBetween = (
  one: Tally,
  other: Tally,
  partitions: readonly Partition[],
): readonly PartitionName[] => {
  const [before, after] = [one.checksums(), other.checksums()]
  return partitions.map(nameOf).filter((name) => before.get(nameText(name)) !== after.get(nameText(name)))
}
