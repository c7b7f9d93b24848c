/** Stores in memory that count their calls. */
import { memoryBlobStore, memoryDocumentStore } from '@publishing-service/adapter-memory'
import { collections } from '@publishing-service/application'
import type { BlobStore, DocumentStore } from '@publishing-service/ports'

/** The number of calls of each function of a store. */
export type Uses = Readonly<Record<string, number>>

export type CountingStores = {
  readonly documents: DocumentStore
  readonly blobs: BlobStore
  /** Returns and resets the counts. */
  readonly takeCounts: () => { readonly documents: Uses; readonly blobs: Uses }
}

type Functions = Readonly<Record<string, (...args: never[]) => unknown>>

const counted = <Store extends Functions>(store: Store, counts: Map<string, number>): Store =>
  Object.fromEntries(
    Object.entries(store).map(([name, use]) => [
      name,
      (...args: never[]) => {
        counts.set(name, (counts.get(name) ?? 0) + 1)
        return use(...args)
      },
    ]),
  ) as Store

const takeCounts = (counts: Map<string, number>): Uses => {
  const result = Object.fromEntries(counts)
  counts.clear()
  return result
}

/** A store in memory has no separate index. */
const withoutIndex = ({ searchIndex: _none, ...store }: DocumentStore): Omit<DocumentStore, 'searchIndex'> =>
  store

/** Empty stores. */
export const countingStores = (): CountingStores => {
  const documents = new Map<string, number>()
  const blobs = new Map<string, number>()
  return {
    documents: counted(withoutIndex(memoryDocumentStore(collections)), documents),
    blobs: counted(memoryBlobStore(), blobs),
    takeCounts: () => ({ documents: takeCounts(documents), blobs: takeCounts(blobs) }),
  }
}
