/**
 * Intents: what a write of several documents is going to change. An intent is stored before the documents are marked, so that
 * every process can conclude it: one conditional update commits it, or withdraws it, never both.
 */
import { BSON, type Collection, type Db } from 'mongodb'
import type { NewDocument } from '@publishing-service/ports'
import { isDuplicate } from './mongodb-failure.js'
import type { NewStored, StoredContent } from './stored-document.js'

/** What an intent does with a document. */
export type IntentPart = { readonly collection: string; readonly name: string } & (
  | { readonly kind: 'insert'; readonly instance: number; readonly position: NewDocument['position'] }
  /** `version` is that which is replaced. */
  | { readonly kind: 'replace'; readonly version: number; readonly content: StoredContent }
  | { readonly kind: 'remove' | 'expect' }
  | { readonly kind: 'append'; readonly document: NewStored; readonly position: NewDocument['position'] }
)

export type IntentState = 'prepared' | 'committed' | 'withdrawn'

export type Intent = {
  readonly id: string
  readonly state: IntentState
  readonly parts: readonly IntentPart[]
}

/** An intent as it is listed. The state is null if only further documents are left. */
export type ListedIntent = { readonly state: IntentState | null; readonly size: number }

export type Intents = {
  /** Stores an intent, unless it is stored already. */
  readonly add: (intent: Intent) => Promise<void>
  /** Returns false if it was withdrawn. */
  readonly commit: (id: string) => Promise<boolean>
  /** Returns false if it is committed. */
  readonly withdraw: (id: string) => Promise<boolean>
  /** Null if it was concluded. A prepared one may still lack parts, of documents that are not marked yet. */
  readonly read: (id: string) => Promise<Intent | null>
  readonly list: () => Promise<ReadonlyMap<string, ListedIntent>>
  readonly remove: (id: string) => Promise<void>
}

/** The first document of an intent has its id, and further ones what does not fit into it. */
type StoredIntent = {
  readonly _id: string
  readonly state?: IntentState
  /** The number of all parts. */
  readonly size: number
  /** The number of further documents. */
  readonly further: number
  readonly parts: readonly IntentPart[]
}

/** Bytes of the parts in one document, unless a single part is larger. A document has at most 16 MB. */
const largestParts = 8 * 1024 * 1024

const inDocuments = (parts: readonly IntentPart[]): readonly (readonly IntentPart[])[] => {
  const documents: IntentPart[][] = [[]]
  let bytes = 0
  for (const part of parts) {
    const own = BSON.calculateObjectSize(part)
    bytes += own
    if (bytes <= largestParts) documents.at(-1)?.push(part)
    else {
      documents.push([part])
      bytes = own
    }
  }
  return documents
}

/** All documents of an intent: `/` is before `0`. */
const documentsOf = (id: string) => ({ _id: { $gte: id, $lt: `${id}0` } })

export const intentsIn = (database: Db): Intents => {
  const stored: Collection<StoredIntent> = database.collection('intents')

  const change = async (id: string, state: IntentState): Promise<boolean> => {
    const { matchedCount } = await stored.updateOne({ _id: id, state: 'prepared' }, { $set: { state } })
    return matchedCount === 1
  }

  return {
    add: async ({ id, state, parts }) => {
      const [first = [], ...others] = inDocuments(parts)
      const own = { size: parts.length, further: others.length }
      const documents = [
        { ...own, _id: id, state, parts: first },
        ...others.map((each, index) => ({ ...own, _id: `${id}/${index + 1}`, parts: each })),
      ]
      for (const each of documents)
        try {
          await stored.insertOne(each)
        } catch (error) {
          if (!isDuplicate(error)) throw error
        }
    },
    commit: (id) => change(id, 'committed'),
    withdraw: async (id) => {
      if (await change(id, 'withdrawn')) return true
      const found = await stored.findOne({ _id: id }, { projection: { state: 1 } })
      return found?.state !== 'committed'
    },
    read: async (id) => {
      const documents = await stored.find(documentsOf(id)).toArray()
      const first = documents.find(({ _id }) => _id === id)
      // A committed one was complete: another process is removing it.
      const isGone = first?.state === 'committed' && documents.length <= first.further
      return first?.state === undefined || isGone
        ? null
        : { id, state: first.state, parts: documents.flatMap(({ parts }) => parts) }
    },
    list: async () => {
      const listed = new Map<string, ListedIntent>()
      const found = await stored.find({}, { projection: { state: 1, size: 1 } }).toArray()
      for (const { _id, state = null, size } of found) {
        const [id = ''] = _id.split('/')
        listed.set(id, { state: listed.get(id)?.state ?? state, size })
      }
      return listed
    },
    remove: async (id) => {
      await stored.deleteMany(documentsOf(id))
    },
  }
}
