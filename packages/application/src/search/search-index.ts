import type { DocumentStore, SearchProgress } from '@publishing-service/ports'
import { collections } from '../collections.js'
import { orThrow } from '../attempt.js'
import type { Ports } from '../ports.js'

const searchedCollections = collections
  .filter(({ searched = [] }) => searched.length > 0)
  .map(({ name }) => name)

/** Whether the words of all documents of these collections can be found. */
export const isSearchComplete =
  ({ searchIndex }: Pick<DocumentStore, 'searchIndex'>) =>
  async (names: readonly string[]): Promise<boolean> => {
    if (searchIndex === undefined) return true
    const results = await Promise.all(names.map((name) => orThrow(searchIndex.isComplete(name))))
    return results.every(Boolean)
  }

/** How far an index is, in documents of all collections. */
export type IndexingProgress = { readonly step: 'index words'; readonly done: number; readonly total: number }

/** Maintains the index by which words are found. The functions throw a PortFailure. */
export type SearchIndexMaintenance = {
  /** Completes and repairs the index while the store is in use. Returns how many collections were incomplete. */
  readonly complete: (onProgress?: (progress: IndexingProgress) => void) => Promise<number>
  /** Removes the index and makes it again. Until then, queries find only documents that are indexed already. */
  readonly rebuild: (onProgress: (progress: IndexingProgress) => void) => Promise<number>
  /** Whether the store has an index apart from its documents. */
  readonly isSeparate: boolean
}

export const createSearchIndex = ({
  documents: { searchIndex },
  clock,
}: Pick<Ports, 'documents' | 'clock'>): SearchIndexMaintenance => {
  const complete = async (
    onProgress: (progress: IndexingProgress) => void = () => undefined,
  ): Promise<number> => {
    if (searchIndex === undefined) return 0
    let incomplete = 0
    for (const name of searchedCollections)
      if (!(await orThrow(searchIndex.isComplete(name)))) incomplete += 1
    const known = new Map<string, SearchProgress>()
    let outdated = searchedCollections
    while (outdated.length > 0) {
      for (const name of outdated) {
        known.set(name, await orThrow(searchIndex.index(name)))
        await clock.turn()
      }
      outdated = outdated.filter((name) => known.get(name)?.isCurrent === false)
      const all = [...known.values()]
      onProgress({
        step: 'index words',
        done: all.reduce((sum, { done }) => sum + done, 0),
        total: all.reduce((sum, { total }) => sum + total, 0),
      })
    }
    return incomplete
  }

  return {
    complete,
    rebuild: async (onProgress: (progress: IndexingProgress) => void): Promise<number> => {
      if (searchIndex === undefined) return 0
      for (const name of searchedCollections) await orThrow(searchIndex.remove(name))
      return complete(onProgress)
    },
    isSeparate: searchIndex !== undefined,
  }
}
