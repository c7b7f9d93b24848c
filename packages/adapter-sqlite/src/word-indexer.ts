/**
 * Has the words of changed documents indexed by the writer: soon after a write, so that those of several writes are indexed
 * together, and before a search.
 */
import type { Outcome, Write } from './writer-messages.js'

/** Milliseconds after a write until its words are indexed. */
const delay = 1000

/** Writes after which words are indexed at once. Other writes wait for that: some ten milliseconds. */
const mostWrites = 64

export type WordIndexer = {
  /** Called after a write of a collection that is searched. */
  readonly onWrite: (collection: string) => void
  /** Resolves when the words of all documents that were changed before the call are indexed. */
  readonly index: (collection: string) => Promise<Outcome>
  readonly close: () => void
}

export const wordIndexer = (submit: (write: Write) => Promise<Outcome>): WordIndexer => {
  const changed = new Set<string>()
  let writes = 0
  let timer: NodeJS.Timeout | null = null

  const close = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }

  /** What fails is indexed after a later write, or before a search. */
  const indexChanged = (): void => {
    close()
    writes = 0
    for (const collection of changed) void submit({ kind: 'index', collection, urgent: false })
    changed.clear()
  }

  return {
    onWrite: (collection) => {
      changed.add(collection)
      writes += 1
      if (writes >= mostWrites) indexChanged()
      else timer ??= setTimeout(indexChanged, delay).unref()
    },
    // On a full disk, the storage reserve keeps searches possible.
    index: (collection) => submit({ kind: 'index', collection, urgent: true }),
    close,
  }
}
