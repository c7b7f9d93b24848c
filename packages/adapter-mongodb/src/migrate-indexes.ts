/** Creates the indexes of a collection, and drops those that neither of the last two declarations needs. */
import { type Collection as MongodbCollection, MongoNetworkError, MongoServerError } from 'mongodb'
import { formerIndexes, keyIndexPrefix, type LayoutIndex } from './collection-layout.js'
import type { StoredDocument } from './stored-document.js'

type Documents = MongodbCollection<StoredDocument>

const indexNotFound = 27
const namespaceNotFound = 26

const codeOf = (error: unknown): unknown => (error instanceof MongoServerError ? error.code : null)

const indexNames = async (documents: Documents): Promise<readonly string[]> => {
  try {
    const indexes = await documents.listIndexes().toArray()
    return indexes.flatMap(({ name }: { readonly name?: unknown }) =>
      typeof name === 'string' ? [name] : [],
    )
  } catch (error) {
    if (codeOf(error) === namespaceNotFound) return []
    throw error
  }
}

const attempts = 3

/** Creates all missing indexes in one command, so that documents are read once. */
const createIndexes = async (
  documents: Documents,
  wanted: readonly LayoutIndex[],
  existing: readonly string[],
  attempt = 1,
): Promise<void> => {
  const missing = wanted.filter(({ name }) => !existing.includes(name))
  if (missing.length === 0) return
  try {
    await documents.createIndexes([...missing])
  } catch (error) {
    // FerretDB 1 closes the connection if another process creates the same indexes concurrently.
    if (!(error instanceof MongoNetworkError) || attempt === attempts) throw error
    await createIndexes(documents, wanted, await indexNames(documents), attempt + 1)
  }
}

/** The limit of MongoDB, with the index over `_id`. */
const maxIndexes = 64

/**
 * Indexes are dropped first: MongoDB accepts a limited number, and not two with the same keys. `former` are those that
 * processes with the previous declaration need; they are dropped only if there is no room for all.
 */
export const migrateIndexes = async (
  documents: Documents,
  declared: readonly LayoutIndex[],
  former: readonly string[],
): Promise<void> => {
  const own = new Set(declared.map(({ name }) => name))
  const both = new Set([...own, ...former])
  const needed = both.size < maxIndexes ? both : own
  const existing = await indexNames(documents)
  for (const name of existing) {
    const isUnneeded = name.startsWith(keyIndexPrefix) && !needed.has(name)
    if (!isUnneeded && !formerIndexes.includes(name)) continue
    try {
      await documents.dropIndex(name)
    } catch (error) {
      // Another process dropped it concurrently.
      if (codeOf(error) !== indexNotFound) throw error
    }
  }
  await createIndexes(documents, declared, existing)
}
