/**
 * The stored form of a document and its names: instance and id, instance and unique text. Keys, lists of texts and the
 * texts of group counts are separate fields for indexes, absent if empty.
 */
import { BSON, type Document as Update } from 'mongodb'
import type { JsonObject } from '@publishing-service/domain/json'
import {
  documentText,
  isListType,
  type DocumentTooLarge,
  keyTextTooLong,
  keyValue,
  type NewDocument,
  textsUnder,
  wordsByLevel,
} from '@publishing-service/ports'
import type { CollectionLayout } from './collection-layout.js'
import type { Marked } from './marks.js'
import { tokenList } from './stored-words.js'
import { groupCountText } from './stored-group-count.js'

/** Never null: to MongoDB absent and null are equal, and absent needs no space. */
type StoredKey = string | number | boolean

export type StoredContent = {
  /** `=` and the unique text, or `-` and the id without one, so that one unique index is enough. */
  readonly unique: string
  /**
   * The instance with `unique`, if there is a unique text, which reserves it: also in a hidden document, and for an intent that
   * changes it. A writer of the text must have the only document with this claim, and none with the text may be in the instance.
   */
  readonly claim?: string
  readonly keys: Readonly<Record<string, StoredKey>>
  /** Lists of texts, each text once; absent if empty, and in documents of an earlier version. */
  readonly texts?: Readonly<Record<string, readonly string[]>>
  /** The tokens of the words that are searched; absent if none is. */
  readonly words?: readonly string[]
  /** The texts of group counts, by name. */
  readonly tallied?: Readonly<Record<string, string>>
  /** The number of the layout of keys and texts. */
  readonly layout: number
  readonly light: string
  readonly heavy?: string
}

export type StoredDocument = StoredContent &
  Marked & {
    readonly _id: string
    /** While the document is hidden, its name in place of its instance, or the intent that has removed it. */
    readonly instance: number | string
    readonly version: number
    /** Its position. Earlier versions numbered the documents of an instance instead. */
    readonly sequence: number
  }

/** A document before it has a position. */
export type NewStored = Omit<StoredDocument, 'sequence' | 'instance'> & { readonly instance: number }

export const nameOf = (instance: number, id: string): string => `${instance}/${id.toWellFormed()}`

export const isHidden = ({ instance }: Pick<StoredDocument, 'instance'>): boolean =>
  typeof instance === 'string'

/** Whether a text is unique, and not the id of a document without a unique text. */
export const isUniqueText = (unique: string): boolean => unique.startsWith('=')

const claimOf = (instance: number, unique: string): Pick<StoredContent, 'claim'> =>
  isUniqueText(unique) ? { claim: `${instance}${unique}` } : {}

export const idOf = (name: string): string => name.slice(name.indexOf('/') + 1)

export const instanceOf = (name: string): number => Number(name.slice(0, name.indexOf('/')))

const uniqueOf = ({ id, unique }: Pick<NewDocument, 'id' | 'unique'>): string =>
  unique === null ? `-${id.toWellFormed()}` : `=${unique.toWellFormed()}`

const keysOf = (layout: CollectionLayout, value: JsonObject): StoredContent['keys'] =>
  Object.fromEntries(
    Object.entries(layout.keys).flatMap(([key, type]) => {
      const stored = isListType(type) ? null : keyValue(type, value, key)
      return stored === null ? [] : [[key, stored]]
    }),
  )

/** Both are always set, so that nothing of an earlier layout remains. */
const listsOf = (
  { keys: types, groupCounts }: CollectionLayout,
  keys: StoredContent['keys'],
  value: JsonObject,
): Required<Pick<StoredContent, 'texts' | 'tallied'>> => {
  const named = Object.keys(types).filter((key) => isListType(types[key]))
  const lists = new Map(named.map((key) => [key, textsUnder(value, key)] as const))
  return {
    texts: Object.fromEntries([...lists].filter(([, list]) => list.length > 0)),
    tallied: Object.fromEntries(
      groupCounts.flatMap(({ name, key, within }) => {
        // Sorted, so that the server groups equal lists.
        const list = (lists.get(key) ?? []).toSorted()
        const values = within.map((each) => keys[each] ?? null)
        return list.length === 0 ? [] : [[name, groupCountText(values, list)]]
      }),
    ),
  }
}

/** The document size limit of MongoDB. */
const largestStored = 16 * 1024 * 1024

/** The size limit of a document, in bytes: that of MongoDB minus space for keys and the command. */
export const largestDocument = largestStored - 64 * 1024

/** A smaller document cannot be too large, because its keys are part of its texts. */
const surelySmall = 4 * 1024 * 1024

export type Content = {
  /** The value as it is read back. */
  readonly value: JsonObject
  readonly stored: StoredContent
  /** The words that are searched. */
  readonly words: ReadonlySet<string>
  readonly tooLarge: DocumentTooLarge | null
}

/** The stored form of a value. It contains lists of texts several times, which counts for the size limit of MongoDB. */
export const contentOf = (
  layout: CollectionLayout,
  instance: number,
  document: Pick<NewDocument, 'id' | 'unique' | 'value'>,
): Content => {
  const { value, light, heavy, bytes } = documentText(document.value, layout.heavy)
  const keys = keysOf(layout, value)
  const { levels, words } = wordsByLevel(layout.searched, value)
  const unique = uniqueOf(document)
  const stored: StoredContent = {
    unique,
    ...claimOf(instance, unique),
    keys,
    ...listsOf(layout, keys, value),
    ...(layout.searched.length === 0 ? {} : { words: tokenList(levels) }),
    layout: layout.number,
    light,
    ...(heavy === null ? {} : { heavy }),
  }
  const isTooLarge =
    bytes > largestDocument ||
    (bytes > surelySmall && BSON.calculateObjectSize(stored) > largestStored - 16 * 1024)
  const tooLarge: DocumentTooLarge = { _tag: 'DocumentTooLarge', limit: largestDocument }
  return {
    value,
    stored,
    words,
    tooLarge: isTooLarge ? tooLarge : keyTextTooLong(layout, document.unique, value),
  }
}

/** An update that sets this content, and removes what it no longer has: claims and marks only together with the unique text. */
export const replacing = (content: Partial<StoredDocument>): Update => {
  const fields: readonly (keyof StoredDocument)[] =
    content.unique === undefined ? ['heavy'] : ['heavy', 'claim', 'mark']
  const absent = fields.filter((field) => content[field] === undefined).map((field) => [field, ''])
  return { $set: content, ...(absent.length === 0 ? {} : { $unset: Object.fromEntries(absent) }) }
}
