/**
 * Where pages of the service's own documents start. These are documents of all instances, so such a place has only what its
 * page shows (docs/behaviour/collections.md#links).
 */
import { isJsonList } from '@publishing-service/domain/json'
import {
  cursorAt,
  InvalidCursor,
  placeOf,
  queryConditions,
  queryOrder,
  type Collection,
  type Cursor,
} from '@publishing-service/ports'
import type { FindPage, Selection } from '../engine/read-page.js'
import { filteredInMemory, afterFiltered, type Test } from '../engine/filter-in-memory.js'
import type { InstanceDocuments } from '../instance-store.js'

/** The documents of a result that pass a test. Places are after one of them, not after a document that is not shown. */
export const refinedRows = (
  find: FindPage,
  test: Test,
  collection: Collection,
  { where, order }: Pick<Selection, 'where' | 'order'>,
): FindPage => {
  const tested = filteredInMemory(find, test)
  const needed = queryOrder(collection, order, queryConditions(collection, where) ?? [])
  return async ({ after, ...read }) => {
    const start = after === undefined ? {} : { after: afterFiltered(after) }
    const { items, next } = await tested({ ...read, ...start })
    const last = items.at(-1)
    const isEnd = next === null || last === undefined
    return { items, next: isEnd ? null : cursorAt(placeOf(collection, needed, last)) }
  }
}

/** The last part of a cursor is the position of its document. */
const withLast = (cursor: Cursor, last: Cursor): Cursor => [
  ...(isJsonList(cursor) ? cursor.slice(0, -1) : []),
  last,
]

/** The position of the document that the last part of a cursor names. Throws InvalidCursor if there is none. */
const positionIn = async (
  documents: Pick<InstanceDocuments, 'find'>,
  collection: string,
  cursor: Cursor,
): Promise<number> => {
  const id = isJsonList(cursor) ? cursor.at(-1) : null
  if (typeof id !== 'string') throw new InvalidCursor()
  const query = { where: [], order: [], ids: [id], skip: 0, limit: 1, detail: 'light' } as const
  const [found] = (await documents.find(collection, query)).documents
  if (found === undefined) throw new InvalidCursor()
  return found.position
}

/** A result with ids in place of positions, which in the order of commits count the writes of all instances. */
export const withoutPositions =
  (documents: Pick<InstanceDocuments, 'find'>, { name }: Collection, find: FindPage): FindPage =>
  async ({ after, ...read }) => {
    const start =
      after === undefined ? {} : { after: withLast(after, await positionIn(documents, name, after)) }
    const { items, next } = await find({ ...read, ...start })
    return { items, next: next === null ? null : withLast(next, items.at(-1)?.id ?? null) }
  }
