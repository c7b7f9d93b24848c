/**
 * How a document lies in MongoDB, and the names that it goes by there: instance and id, instance and unique text.
 * Keys stand beside the text as values of their own, absent where they hold nothing, so that an index finds them;
 * so do lists of texts, and what tallies count.
 */
import { BSON, type Document as Update } from 'mongodb'
import type { JsonObject } from '@publishing-service/domain'
import {
  documentText,
  type DocumentTooLarge,
  keyTextTooLong,
  keyValue,
  type NewDocument,
  textsUnder,
} from '@publishing-service/ports'
import type { CollectionLayout } from './collection-layout.js'
import { groupCountText } from './stored-group-count.js'

/** Never null: MongoDB takes what is absent and what is null for one, and absent costs nothing. */
type StoredKey = string | number | boolean

type StoredContent = {
  /** Its unique text behind `=`, or its id behind `-` where it has none: one plain unique index serves both. */
  readonly unique: string
  readonly keys: Readonly<Record<string, StoredKey>>
  /** Lists of texts, each text once; absent where there is none, and from documents of a former version. */
  readonly texts?: Readonly<Record<string, readonly string[]>>
  /** What tallies count, by the tally's name. */
  readonly tallied?: Readonly<Record<string, string>>
  /** The number of the layout that keys and texts were made by. */
  readonly layout: number
  readonly light: string
  readonly heavy?: string
}

export type StoredDocument = StoredContent & {
  readonly _id: string
  readonly instance: number
  readonly version: number
  /** Ascends with each insertion into the collection and instance. */
  readonly sequence: number
}

export const nameOf = (instance: number, id: string): string => `${instance}/${id.toWellFormed()}`

export const idOf = (name: string): string => name.slice(name.indexOf('/') + 1)

const uniqueOf = ({ id, unique }: Pick<NewDocument, 'id' | 'unique'>): string =>
  unique === null ? `-${id.toWellFormed()}` : `=${unique.toWellFormed()}`

const keysOf = (layout: CollectionLayout, value: JsonObject): StoredContent['keys'] =>
  Object.fromEntries(
    Object.entries(layout.keys).flatMap(([key, type]) => {
      const stored = type === 'texts' ? null : keyValue(type, value, key)
      return stored === null ? [] : [[key, stored]]
    }),
  )

/** Both are there whatever the layout, so that none of a former one stays behind. */
const listsOf = (
  { keys: types, groupCounts }: CollectionLayout,
  keys: StoredContent['keys'],
  value: JsonObject,
): Required<Pick<StoredContent, 'texts' | 'tallied'>> => {
  const named = Object.keys(types).filter((key) => types[key] === 'texts')
  const lists = new Map(named.map((key) => [key, textsUnder(value, key)] as const))
  return {
    texts: Object.fromEntries([...lists].filter(([, list]) => list.length > 0)),
    tallied: Object.fromEntries(
      groupCounts.flatMap(({ name, key, within }) => {
        // In one order, so that the server can count equal lists together.
        const list = (lists.get(key) ?? []).toSorted()
        const values = within.map((each) => keys[each] ?? null)
        return list.length === 0 ? [] : [[name, groupCountText(values, list)]]
      }),
    ),
  }
}

/** What MongoDB takes as one document. */
const largestStored = 16 * 1024 * 1024

/** The most bytes of a document: what MongoDB takes, less room for its keys and for the command around it. */
export const largestDocument = largestStored - 64 * 1024

/** Below this a document can't be too large: what its keys hold is part of its texts. */
const surelySmall = 4 * 1024 * 1024

export type Content = {
  /** The value as it will be read back. */
  readonly value: JsonObject
  readonly stored: StoredContent
  readonly tooLarge: DocumentTooLarge | null
}

/** A value as this layout stores it. Lists of many texts are in it several times, and count so against MongoDB's limit. */
export const contentOf = (
  layout: CollectionLayout,
  document: Pick<NewDocument, 'id' | 'unique' | 'value'>,
): Content => {
  const { value, light, heavy, bytes } = documentText(document.value, layout.heavy)
  const keys = keysOf(layout, value)
  const stored: StoredContent = {
    unique: uniqueOf(document),
    keys,
    ...listsOf(layout, keys, value),
    layout: layout.number,
    light,
    ...(heavy === null ? {} : { heavy }),
  }
  const isTooLarge =
    bytes > largestDocument ||
    (bytes > surelySmall && BSON.calculateObjectSize(stored) > largestStored - 16 * 1024)
  const tooLarge: DocumentTooLarge = { _tag: 'DocumentTooLarge', limit: largestDocument }
  return { value, stored, tooLarge: isTooLarge ? tooLarge : keyTextTooLong(layout, document.unique, value) }
}

/** Sets this content. A document that has no heavy attributes any more must not keep those it had. */
export const replacing = ({ heavy, ...content }: Partial<StoredDocument>): Update =>
  heavy === undefined ? { $set: content, $unset: { heavy: '' } } : { $set: { ...content, heavy } }
