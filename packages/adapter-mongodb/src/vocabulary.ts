/**
 * All words that were ever in the documents of a collection. A query replaces a prefix by the words that begin with it,
 * so that MongoDB merges their documents in the order of the index, and reads no more than a page. A word is stored
 * before its document, so a crash between the two leaves no document without its words.
 */
import { type Collection, type Db, MongoBulkWriteError } from 'mongodb'
import { vocabularyEntry, vocabularyRange, wordOfEntry } from '@publishing-service/ports'

/** The words with a prefix; null if they are too many. */
export type WordsWith = (prefix: string) => readonly string[] | null

export type Vocabulary = {
  readonly add: (instance: number, words: Iterable<string>) => Promise<void>
  readonly wordsWith: (instance: number, prefixes: readonly string[]) => Promise<WordsWith>
}

type Entry = { readonly _id: string }

/** MongoDB merges the documents of at most 200 words. With more words, it reads and sorts all that it finds. */
const maxExpansions = 200

/** Words that a process remembers to be in the vocabulary of a collection. */
const maxKnown = 100_000

/** Entries in one command. */
const entriesAtOnce = 1000

/** Whether other processes have inserted the same words concurrently, and nothing else failed. */
const areDuplicates = (error: unknown): boolean =>
  error instanceof MongoBulkWriteError && [error.writeErrors].flat().every(({ code }) => code === 11000)

/** `maxTimeMS` limits the time of a read on the server. */
export const vocabularyOf = (database: Db, name: string, maxTimeMS?: number): Vocabulary => {
  const entries: Collection<Entry> = database.collection(`words_${name}`)
  const limits = maxTimeMS === undefined ? {} : { maxTimeMS }
  const known = new Set<string>()

  const insertMissing = async (named: readonly string[]): Promise<void> => {
    const existing = await entries.find({ _id: { $in: [...named] } }, limits).toArray()
    const missing = new Set(named)
    for (const { _id } of existing) missing.delete(_id)
    if (missing.size === 0) return
    try {
      await entries.insertMany(
        Array.from(missing, (_id) => ({ _id })),
        { ordered: false },
      )
    } catch (error) {
      if (!areDuplicates(error)) throw error
    }
  }

  return {
    add: async (instance, words) => {
      const unknown = Array.from(words, (word) => vocabularyEntry(instance, word)).filter(
        (entry) => !known.has(entry),
      )
      for (let from = 0; from < unknown.length; from += entriesAtOnce) {
        const named = unknown.slice(from, from + entriesAtOnce)
        await insertMissing(named)
        if (known.size + named.length > maxKnown) known.clear()
        for (const entry of named) known.add(entry)
      }
    },
    wordsWith: async (instance, prefixes) => {
      const found = new Map<string, readonly string[] | null>()
      for (const prefix of prefixes) {
        const [first, end] = vocabularyRange(instance, prefix)
        const options = { ...limits, limit: maxExpansions + 1 }
        const named = await entries.find({ _id: { $gte: first, $lt: end } }, options).toArray()
        const words = named.map(({ _id }) => wordOfEntry(_id))
        found.set(prefix, words.length > maxExpansions ? null : words)
      }
      return (prefix) => found.get(prefix) ?? null
    },
  }
}
