/**
 * Takes a document for a change: changes it at once, or marks it for an intent (`own`). A document that another intent has
 * marked can't be taken until that intent is concluded.
 */
import type { NewDocument } from '@publishing-service/ports'
import { foreignMarks, free, type Mark, type Marked, unmarked } from './marks.js'
import { isDuplicate } from './mongodb-failure.js'
import type { StoredCollection } from './stored-collection.js'
import { isUniqueText, type NewStored, type StoredDocument } from './stored-document.js'

/** What a writer needs to know of a stored document. */
export type Held = Pick<StoredDocument, '_id' | 'instance' | 'version' | 'sequence' | 'unique' | keyof Marked>

const heldFields = { instance: 1, version: 1, sequence: 1, unique: 1, mark: 1, shared: 1 }

type Refused =
  /** A document has the id, or has another version or none. */
  | { readonly kind: 'version' }
  | { readonly kind: 'unique' }
  | { readonly kind: 'marked'; readonly marks: readonly Mark[] }

export type Taken = { readonly kind: 'taken'; readonly position: number } | Refused

type Filter = Parameters<StoredCollection['documents']['findOne']>[0]

const findHeld = ({ documents }: StoredCollection, filter: Filter): Promise<Held | null> =>
  documents.findOne<Held>(filter, { projection: heldFields })

/** The document with this name, which can be hidden. */
export const readHeld = (stored: StoredCollection, name: string): Promise<Held | null> =>
  findHeld(stored, { _id: name })

export const readAllHeld = async (
  { documents }: StoredCollection,
  filter: NonNullable<Filter>,
): Promise<ReadonlyMap<string, Held>> => {
  const found = await documents.find<Held>(filter, { projection: heldFields }).toArray()
  return new Map(found.map((held) => [held._id, held]))
}

const marked = ({ layout }: StoredCollection, { _id }: Held, intents: readonly string[]): Refused => ({
  kind: 'marked',
  marks: intents.map((intent) => ({ collection: layout.name, name: _id, intent })),
})

/** Why a document can't be inserted, or have its unique text; null if nothing is in its way any more, but for its position. */
const refusalOf = async (
  stored: StoredCollection,
  instance: number,
  { _id, unique, claim }: Pick<StoredDocument, '_id' | 'unique' | 'claim'>,
  isInserted: boolean,
  own: string | null,
): Promise<Refused | null> => {
  const present = isInserted ? await readHeld(stored, _id) : null
  const user =
    present ??
    (await findHeld(stored, { instance, unique, _id: { $ne: _id } })) ??
    (claim === undefined ? null : await findHeld(stored, { claim, _id: { $ne: _id } }))
  if (user === null || (user === present && own !== null && user.mark === own)) return null
  const marks = foreignMarks(user, own, true)
  if (marks.length > 0) return marked(stored, user, marks)
  return { kind: user === present ? 'version' : 'unique' }
}

/** Whether others use a unique text that an own mark has claimed: those that had it before no longer need a claim. */
const used = (
  stored: StoredCollection,
  instance: number,
  document: Pick<StoredDocument, '_id' | 'unique'>,
  own: string | null,
): Promise<Refused | null> =>
  own === null || !isUniqueText(document.unique)
    ? Promise.resolve(null)
    : refusalOf(stored, instance, { _id: document._id, unique: document.unique }, false, own)

/** Inserts a document at the next free position, or at the next one in the order of commits. */
export const insertVisible = async (
  stored: StoredCollection,
  document: NewStored,
  position: NewDocument['position'],
): Promise<Taken> => {
  const refusal = () => refusalOf(stored, document.instance, document, true, null)
  if (typeof position !== 'number') {
    const next = await stored.commitOrder.insertNext(document, position.atLeast, refusal)
    return typeof next === 'number' ? { kind: 'taken', position: next } : next
  }
  for (let sequence = position; ; sequence++)
    try {
      await stored.documents.insertOne({ ...document, sequence })
      return { kind: 'taken', position: sequence }
    } catch (error) {
      if (!isDuplicate(error)) throw error
      const reason = await refusal()
      if (reason !== null) return reason
    }
}

/** Inserts a hidden document for an intent. */
export const insertHidden = async (
  stored: StoredCollection,
  document: NewStored,
  own: string,
): Promise<Taken> => {
  const { _id, instance } = document
  for (let isThere = false; !isThere;)
    try {
      await stored.documents.insertOne({ ...document, instance: _id, sequence: 0, mark: own })
      isThere = true
    } catch (error) {
      if (!isDuplicate(error)) throw error
      const reason = await refusalOf(stored, instance, document, true, own)
      if (reason !== null) return reason
      isThere = (await readHeld(stored, _id))?.mark === own
    }
  return (await used(stored, instance, document, own)) ?? { kind: 'taken', position: 0 }
}

/** The document that a change expects; with any version if it is null. */
export type Expected = { readonly _id: string; readonly instance: number; readonly version: number | null }

/** Whether a change can't have the document as it is, whatever its marks become. */
export const isOther = (held: Held | null, { instance, version }: Omit<Expected, '_id'>): boolean =>
  held?.mark === undefined && (held?.instance !== instance || (version !== null && held.version !== version))

/** How an existing document is taken. */
export type Taking = {
  /** Changes or marks what the filter selects, and returns how many documents these are. */
  readonly take: (filter: NonNullable<Filter>) => Promise<number>
  /** The unique text that it gets, and its claim. */
  readonly content: Pick<StoredDocument, 'unique' | 'claim'> | null
  /** Whether others may expect the document too. */
  readonly isShared: boolean
}

/** `first` is the document as it was read before. */
export const takeExisting = async (
  stored: StoredCollection,
  expected: Expected,
  first: Held | null,
  { take, content, isShared }: Taking,
  own: string | null,
): Promise<Taken> => {
  const { _id, instance, version } = expected
  for (let held = first; ; held = await readHeld(stored, _id)) {
    const marks = held === null ? [] : foreignMarks(held, own, isShared)
    const isOwn = own !== null && held?.mark === own
    // An intent marks a document that others expect, so that no further ones do, and waits for them.
    const waits = marks.length > 0 && own !== null && held?.mark === undefined
    if (held !== null && marks.length > 0 && !waits) return marked(stored, held, marks)
    if (held?.instance !== instance || (version !== null && held.version !== version))
      return { kind: 'version' }
    const found = { _id, instance, version: held.version, sequence: held.sequence }
    try {
      const count = isOwn ? 1 : await take({ ...found, ...(isShared || waits ? unmarked : free) })
      if (count === 0 || waits) continue
    } catch (error) {
      if (!isDuplicate(error)) throw error
      const reason =
        content === null ? null : await refusalOf(stored, instance, { _id, ...content }, false, own)
      if (reason !== null) return reason
      continue
    }
    const isNew = content !== null && content.unique !== held.unique
    const reason = isNew ? await used(stored, instance, { _id, ...content }, own) : null
    return reason ?? { kind: 'taken', position: held.sequence }
  }
}
