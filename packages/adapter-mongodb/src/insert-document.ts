/** Inserts documents: those that a change inserts, and those that are appended with one. */
import type { NewDocument } from '@publishing-service/ports'
import type { Pending } from './appended-documents.js'
import { isDuplicate } from './mongodb-failure.js'
import type { StoredCollection } from './stored-collection.js'
import { type Content, nameOf, type StoredDocument } from './stored-document.js'

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

/** Inserts a document at the next free position, or at the next one in the order of commits, with the words of its content. */
export const insertDocument = async (
  stored: StoredCollection,
  instance: number,
  { id, position, version = 1 }: Pick<NewDocument, 'id' | 'position' | 'version'>,
  content: Content,
  more: Partial<Pending> & Pick<StoredDocument, 'origin'>,
): Promise<Insertion> => {
  const { documents, vocabulary, commitOrder } = stored
  const _id = nameOf(instance, id)
  await vocabulary.add(instance, content.words)

  /** Null if another document has the position. */
  const insertAt = async (sequence: number): Promise<Insertion | null> => {
    try {
      await documents.insertOne({ _id, instance, version, sequence, ...content.stored, ...more })
      return { kind: 'inserted', position: sequence }
    } catch (error) {
      if (!isDuplicate(error)) throw error
    }
    // Not every server reports which index rejects a document.
    const held = await readHeld(stored, _id)
    if (held !== null) return { kind: 'present', held }
    const { unique } = content.stored
    const isUsed = (await documents.findOne({ instance, unique }, { projection: { _id: 1 } })) !== null
    return isUsed ? { kind: 'unique text is used' } : null
  }

  if (typeof position === 'number')
    for (let sequence = position; ; sequence++) {
      const insertion = await insertAt(sequence)
      if (insertion !== null) return insertion
    }
  const highest = async (): Promise<number | null> => {
    const options = { sort: { sequence: -1 }, projection: { sequence: 1 } } as const
    return (await documents.findOne({ instance }, options))?.sequence ?? null
  }
  return commitOrder.insertAtNext(instance, position.atLeast, highest, insertAt)
}
