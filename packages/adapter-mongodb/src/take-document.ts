/**
 * Takes documents for changes: changes them at once, or marks them for an intent (`own`). A document that another intent has
 * marked can't be taken until that intent is concluded.
 */
import type { NewDocument } from '@publishing-service/ports'
import { atFreePosition } from './free-position.js'
import type { Mark, Marked } from './marks.js'
import { isDuplicate } from './mongodb-failure.js'
import type { StoredCollection } from './stored-collection.js'
import { isHidden, isUniqueText, type NewStored, type StoredDocument } from './stored-document.js'

/** What a writer needs to know of a stored document. */
export type Held = Pick<
  StoredDocument,
  '_id' | 'instance' | 'version' | 'sequence' | 'unique' | 'claim' | keyof Marked
>

const heldFields = { instance: 1, version: 1, sequence: 1, unique: 1, claim: 1, mark: 1, shared: 1 }

export type Taken =
  | { readonly kind: 'taken'; readonly position: number }
  /** A document has the id, or has another version or none. */
  | { readonly kind: 'version' }
  | { readonly kind: 'unique' }
  | { readonly kind: 'marked'; readonly marks: readonly Mark[] }

export type Filter = NonNullable<Parameters<StoredCollection['documents']['findOne']>[0]>

/** The documents of a filter, which can be hidden. */
export const readHeld = ({ documents }: StoredCollection, filter: Filter): Promise<readonly Held[]> =>
  documents.find<Held>(filter, { projection: heldFields }).toArray()

const readOne = ({ documents }: StoredCollection, filter: Filter): Promise<Held | null> =>
  documents.findOne<Held>(filter, { projection: heldFields })

/** The document that a change expects; with any version if it is null. */
export type Expected = {
  readonly name: string
  readonly instance: number
  readonly version: number | null
}

/** How an existing document is taken. */
export type Taking = Expected & {
  /** Changes or marks what the filter selects, and returns how many documents these are. */
  readonly take: (filter: Filter) => Promise<number>
  /** The unique text that it gets, and its claim; null if it keeps those that it has. */
  readonly content: Pick<StoredDocument, 'unique' | 'claim'> | null
  /** Whether others may expect the document too. */
  readonly isShared: boolean
}

export type Taker = {
  /** Inserts a document: at its position, the next free one or the next in the order of commits; or hidden. */
  readonly insert: (
    stored: StoredCollection,
    document: NewStored,
    position: NewDocument['position'],
    own: string | null,
  ) => Promise<Taken>
  /** `first` is the document as it was read before. */
  readonly takeExisting: (
    stored: StoredCollection,
    taking: Taking,
    first: Held | null,
    own: string | null,
  ) => Promise<Taken>
  /** The marks of other intents in a document, which may keep a writer from it. */
  readonly marksIn: (stored: StoredCollection, held: Held | null, own: string | null) => readonly Mark[]
}

/**
 * A document as an intent inserts it. No other has its position while it is hidden; its place among the others is decided when
 * it is shown.
 */
export const hiddenFor = (
  intent: string,
  document: NewStored,
  position: NewDocument['position'],
): StoredDocument => ({
  ...document,
  instance: document._id,
  mark: intent,
  sequence: typeof position === 'number' ? position : 0,
})

const isExpected = (held: Held | null, { instance, version }: Omit<Expected, 'name'>): held is Held =>
  held?.instance === instance && (version === null || held.version === version)

/** `isConcluded` is whether an intent is known to have been concluded. */
export const takerOf = (isConcluded: (intent: string) => boolean): Taker => {
  const marksIn: Taker['marksIn'] = ({ layout }, held, own) => {
    if (held === null) return []
    const { _id: name, mark, shared = [] } = held
    const at = { collection: layout.name, name }
    return [
      ...(mark === undefined || (isConcluded(mark) && !isHidden(held))
        ? []
        : [{ ...at, intent: mark, kind: isHidden(held) ? 'hidden' : 'exclusive' } as const]),
      ...shared.map((intent) => ({ ...at, intent, kind: 'shared' }) as const),
    ].filter(({ intent }) => intent !== own)
  }

  /** Why a document can't have its id or unique text. Null if nothing is in its way any more, or its position is. */
  const refusalOf = async (
    stored: StoredCollection,
    instance: number,
    { _id, unique, claim }: Pick<StoredDocument, '_id' | 'unique' | 'claim'>,
    own: string | null,
    isInserted: boolean,
  ): Promise<Taken | null> => {
    const others = { _id: { $ne: _id } }
    const present = isInserted ? await readOne(stored, { _id }) : null
    if (present !== null && own !== null && present.mark === own) return { kind: 'taken', position: 0 }
    const claimed = claim === undefined ? null : { claim, ...others }
    const user =
      present ??
      (await readOne(stored, { instance, unique, ...others })) ??
      (claimed && (await readOne(stored, claimed)))
    if (user === null) return null
    const marks = marksIn(stored, user, own).filter(({ kind }) => kind !== 'shared')
    if (marks.length > 0) return { kind: 'marked', marks }
    if (user === present) return { kind: 'version' }
    if (claim === undefined || user.unique === unique || user.mark === own) return { kind: 'unique' }
    // An intent that no longer exists has left its claim.
    const { _id: name, mark = { $exists: false } } = user
    await stored.documents.updateOne({ _id: name, claim, mark }, { $unset: { claim: '' } })
    return null
  }

  /** Why an intent can't have a unique text that it has claimed: a document may have it without a claim. */
  const usedBy = (
    stored: StoredCollection,
    instance: number,
    { _id, unique }: Pick<StoredDocument, '_id' | 'unique'>,
    own: string | null,
  ): Promise<Taken | null> =>
    own === null || !isUniqueText(unique)
      ? Promise.resolve(null)
      : refusalOf(stored, instance, { _id, unique }, own, false)

  return {
    marksIn,
    insert: async (stored, document, position, own) => {
      const { _id, instance } = document
      const refusal = () => refusalOf(stored, instance, document, own, true)
      if (own === null && typeof position !== 'number') {
        const next = await stored.commitOrder.insertNext(document, position.atLeast, refusal)
        return typeof next === 'number' ? { kind: 'taken', position: next } : next
      }
      const taken = await atFreePosition<Taken>(
        typeof position === 'number' ? position : 0,
        async (next) => {
          const inserted = own === null ? { ...document, sequence: next } : hiddenFor(own, document, position)
          await stored.documents.insertOne(inserted)
          return { kind: 'taken', position: inserted.sequence }
        },
        refusal,
      )
      return taken.kind === 'taken' ? ((await usedBy(stored, instance, document, own)) ?? taken) : taken
    },
    takeExisting: async (stored, taking, first, own) => {
      const { name, instance, take, content, isShared } = taking
      for (let held = first; ; held = await readOne(stored, { _id: name })) {
        const marks = marksIn(stored, held, own).filter(({ kind }) => !isShared || kind !== 'shared')
        const isOwn = own !== null && held?.mark === own
        // An intent marks a document that others expect, so that no further ones do, and waits for them.
        const waits =
          own !== null && !isOwn && marks.length > 0 && marks.every(({ kind }) => kind === 'shared')
        if (marks.length > 0 && !waits) return { kind: 'marked', marks }
        if (!isExpected(held, taking)) return { kind: 'version' }
        const { version, sequence, mark = { $exists: false } } = held
        const unshared = isShared || waits ? {} : { 'shared.0': { $exists: false } }
        try {
          const filter = { _id: name, instance, version, sequence, mark, ...unshared }
          const count = isOwn ? 1 : await take(filter)
          if (count === 0 || waits) continue
        } catch (error) {
          if (content === null || !isDuplicate(error)) throw error
          const reason = await refusalOf(stored, instance, { _id: name, ...content }, own, false)
          if (reason !== null) return reason
          continue
        }
        const isNew = content !== null && content.unique !== held.unique
        const reason = isNew ? await usedBy(stored, instance, { _id: name, ...content }, own) : null
        return reason ?? { kind: 'taken', position: sequence }
      }
    },
  }
}

/** Whether a change certainly can't have a document that no other intent has marked. */
export const isLost = (
  held: Held | null,
  marks: readonly Mark[],
  expected: Omit<Expected, 'name'>,
): boolean => marks.every(({ kind }) => kind === 'shared') && !isExpected(held, expected)
