/** Inserts documents: those that a change inserts, and those that are appended with one. */
import type { NewDocument } from '@publishing-service/ports'
import type { Origin, Pending } from './appended-documents.js'
import { isDuplicate } from './mongodb-failure.js'
import type { StoredCollection } from './stored-collection.js'
import { type Content, contentOf, nameOf, type StoredDocument } from './stored-document.js'

/** What a change needs to know of a stored document. */
export type Held = Pick<
  StoredDocument,
  '_id' | 'instance' | 'version' | 'sequence' | 'origin' | 'removed' | 'moving'
>

/** The document or tombstone with this name, if there is one. */
export const readHeld = ({ documents }: StoredCollection, name: string): Promise<Held | null> =>
  documents.findOne<Held>(
    { _id: name },
    { projection: { instance: 1, version: 1, sequence: 1, origin: 1, removed: 1, moving: 1 } },
  )

export type Insertion =
  | { readonly kind: 'inserted'; readonly position: number }
  /** A document or a tombstone has the id. */
  | { readonly kind: 'present'; readonly held: Held }
  | { readonly kind: 'unique text is used' }

type Inserted = Pick<NewDocument, 'id' | 'position' | 'version'>

const storedForm = (
  instance: number,
  { id, version = 1 }: Inserted,
  content: Content,
  more: Partial<Pending> & Pick<StoredDocument, 'origin'>,
): Omit<StoredDocument, 'sequence'> => ({
  _id: nameOf(instance, id),
  instance,
  version,
  ...content.stored,
  ...more,
})

/** Inserts a document at the next free position, or at the next one in the order of commits, with the words of its content. */
export const insertDocument = async (
  stored: StoredCollection,
  instance: number,
  inserted: Inserted,
  content: Content,
  more: Partial<Pending> & Pick<StoredDocument, 'origin'>,
): Promise<Insertion> => {
  const { documents, vocabulary, commitOrder } = stored
  const { position } = inserted
  await vocabulary.add(instance, content.words)
  const document = storedForm(instance, inserted, content, more)

  /** Not every server reports which index rejects a document: null if it is the position. */
  const rejection = async (): Promise<Insertion | null> => {
    const held = await readHeld(stored, document._id)
    if (held !== null) return { kind: 'present', held }
    const { unique } = content.stored
    const isUsed = (await documents.findOne({ instance, unique }, { projection: { _id: 1 } })) !== null
    return isUsed ? { kind: 'unique text is used' } : null
  }

  if (typeof position === 'number')
    for (let sequence = position; ; sequence++)
      try {
        await documents.insertOne({ ...document, sequence })
        return { kind: 'inserted', position: sequence }
      } catch (error) {
        if (!isDuplicate(error)) throw error
        const reason = await rejection()
        if (reason !== null) return reason
      }
  const next = await commitOrder.insertNext(document, position.atLeast, rejection)
  return typeof next === 'number' ? { kind: 'inserted', position: next } : next
}

/** Inserts documents that were appended with another, in their sequence. One that is in the collection already stays as it is. */
export const insertAppended = async (
  stored: StoredCollection,
  instance: number,
  appended: readonly NewDocument[],
  origin: Origin,
): Promise<void> => {
  const each = appended.map((document) => ({ document, content: contentOf(stored.layout, document) }))
  const placed = each.flatMap(({ document, content }) =>
    typeof document.position === 'number'
      ? [{ ...storedForm(instance, document, content, { origin }), sequence: document.position }]
      : [],
  )
  if (placed.length === each.length && each.length > 1) {
    for (const { content } of each) await stored.vocabulary.add(instance, content.words)
    try {
      await stored.documents.insertMany(placed)
      return
    } catch (error) {
      if (!isDuplicate(error)) throw error
    }
  }
  for (const { document, content } of each)
    await insertDocument(stored, instance, document, content, { origin })
}
