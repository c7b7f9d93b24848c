import { E, type TaskEither } from '@publishing-service/domain'
import type { DocumentStore, PortFailure, SearchProgress } from '@publishing-service/ports'
import { collections } from '../collections.js'
import type { Ports } from '../ports.js'

const searchedCollections = collections
  .filter(({ searched = [] }) => searched.length > 0)
  .map(({ name }) => name)

/** Whether the words of all documents of these collections can be found. */
export const isSearchComplete =
  ({ searchIndex }: Pick<DocumentStore, 'searchIndex'>) =>
  (names: readonly string[]): TaskEither<PortFailure, boolean> =>
  async () => {
    if (searchIndex === undefined) return E.right(true)
    for (const name of names) {
      const progress = await searchIndex.progress(name)()
      if (E.isLeft(progress)) return progress
      if (!progress.right.isComplete) return E.right(false)
    }
    return E.right(true)
  }

/** How far an index is, in documents of all collections. */
export type IndexingProgress = { readonly step: 'index words'; readonly done: number; readonly total: number }

/** The index by which words are found; null if the store needs none. Both functions throw a PortFailure. */
export const createSearchIndex = ({
  documents: { searchIndex },
  clock,
}: Pick<Ports, 'documents' | 'clock'>) => {
  /** Completes and repairs the index while the store is in use. Returns how many collections were incomplete. */
  const complete = async (
    onProgress: (progress: IndexingProgress) => void = () => undefined,
  ): Promise<number> => {
    if (searchIndex === undefined) return 0
    const known = new Map<string, SearchProgress>()
    let incomplete = 0
    for (const name of searchedCollections) {
      const progress = await searchIndex.progress(name)()
      if (E.isLeft(progress)) throw progress.left
      known.set(name, { ...progress.right, done: 0 })
      if (!progress.right.isComplete) incomplete += 1
    }
    for (const name of searchedCollections)
      for (;;) {
        const progress = await searchIndex.index(name)()
        if (E.isLeft(progress)) throw progress.left
        known.set(name, progress.right)
        const all = [...known.values()]
        onProgress({
          step: 'index words',
          done: all.reduce((sum, { done }) => sum + done, 0),
          total: all.reduce((sum, { total }) => sum + total, 0),
        })
        if (progress.right.isCurrent) break
        await clock.turn()
      }
    return incomplete
  }

  return {
    complete,
    /** Removes the index and makes it again. Until then, queries find only documents that are indexed already. */
    rebuild: async (onProgress: (progress: IndexingProgress) => void): Promise<number> => {
      if (searchIndex === undefined) return 0
      for (const name of searchedCollections) {
        const removed = await searchIndex.remove(name)()
        if (E.isLeft(removed)) throw removed.left
      }
      return complete(onProgress)
    },
    isSeparate: searchIndex !== undefined,
  }
}
