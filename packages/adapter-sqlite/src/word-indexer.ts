import type { Write } from './writer-messages.js'

/** Milliseconds after a write until its words are indexed. */
const delay = 1000

/** Writes after which words are indexed at once. Other writes wait for that: some ten milliseconds. */
const mostWrites = 64

export type WordIndexer = {
  /** Called after a batch whose outcomes have been sent, so that no response waits for the words. */
  readonly onWritten: (batch: readonly Write[]) => void
  readonly close: () => void
}

/**
 * Has the words of changed documents indexed soon after a write, so that those of several writes are indexed together, and
 * segments merged while there are few writes. What fails is indexed after a later write, or before a search.
 */
export const wordIndexer = (
  searched: ReadonlySet<string>,
  make: (writes: readonly Write[]) => void,
): WordIndexer => {
  const changed = new Set<string>()
  let count = 0
  let timer: NodeJS.Timeout | null = null

  const close = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }

  const indexChanged = (merges: boolean): void => {
    close()
    const writes = Array.from(changed, (collection): Write => ({
      kind: 'index',
      collection,
      merges,
      urgent: false,
    }))
    changed.clear()
    count = 0
    make(writes)
  }

  return {
    onWritten: (batch) => {
      for (const each of batch) {
        if (each.kind !== 'write') continue
        const found = each.write.changes.filter(({ collection }) => searched.has(collection))
        for (const { collection } of found) changed.add(collection)
        count += found.length
      }
      if (count >= mostWrites) indexChanged(false)
      else if (count > 0) timer ??= setTimeout(() => indexChanged(true), delay)
    },
    close,
  }
}
