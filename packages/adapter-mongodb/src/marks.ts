/**
 * Marks in documents, by which intents hold them until they are concluded: one exclusive mark, which keeps every other writer
 * away, or shared ones of intents that only expect the document. A document that an intent inserts, or has removed, is hidden:
 * its name is in place of the instance, so that no query, count or unique position has it, while it reserves the id.
 */
import type { Document as Filter } from 'mongodb'

export type Marked = {
  /** The intent that has the document alone. New shared marks are not set then, while earlier ones may still be there. */
  readonly mark?: string
  /** The intents that expect the document. */
  readonly shared?: readonly string[]
}

/** A mark that keeps a writer from a document. */
export type Mark = { readonly collection: string; readonly name: string; readonly intent: string }

/** Documents without an exclusive mark. */
export const unmarked: Filter = { mark: { $exists: false } }

/** Documents without any mark. */
export const free: Filter = { ...unmarked, 'shared.0': { $exists: false } }

/** Marks of other intents: the exclusive one, or the shared ones if these keep the writer away too. */
export const foreignMarks = (
  { mark, shared = [] }: Marked,
  own: string | null,
  isShared: boolean,
): readonly string[] => {
  if (mark !== undefined && mark !== own) return [mark]
  return isShared ? [] : shared.filter((intent) => intent !== own)
}

/** Some documents by their names. FerretDB 1 has an index for one name only. */
export const named = (names: readonly string[]): Filter => {
  const [first] = names
  return { _id: names.length === 1 ? first : { $in: [...names] } }
}
