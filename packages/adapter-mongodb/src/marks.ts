/**
 * Marks in documents, by which intents hold them: one exclusive mark, which keeps every other writer away, or shared ones of
 * intents that only expect the document. A document that an intent inserts, or has removed, is hidden: a text is in place of the
 * instance, so that no query, count or unique position has it, while it reserves the id.
 *
 * An exclusive mark stays in a visible document after its intent was concluded, and means nothing then: the next writer, who
 * finds no such intent, replaces it. So it costs no write.
 */
import type { Document as Filter } from 'mongodb'

export type Marked = {
  /** The intent that has the document alone. New shared marks are not set then, while earlier ones may still be there. */
  readonly mark?: string
  /** The intents that expect the document. */
  readonly shared?: readonly string[]
}

/** A mark that may keep a writer from a document. */
export type Mark = {
  readonly collection: string
  readonly name: string
  readonly intent: string
  /** Of which kind it is, or whether it hides the document. */
  readonly kind: 'exclusive' | 'hidden' | 'shared'
}

/** Some documents by their names. FerretDB 1 has an index for one name only. */
export const named = (names: readonly string[]): Filter => {
  const [first] = names
  return { _id: names.length === 1 ? first : { $in: [...names] } }
}
