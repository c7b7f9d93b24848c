import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import { InvalidCursor, unreadable, type Cursor, type Document } from '@publishing-service/ports'
import type { FindPage, PagedRead } from './read-page.js'

/** A condition on a stored state that stores cannot evaluate. */
export type Test = (state: JsonObject) => boolean

/** A position: `passed` documents after a cursor of the store. */
type Place = { readonly after: Cursor | null; readonly passed: number }

/** The cursor of a result that is filtered in memory, after a document, by its cursor of the store. */
export const afterFiltered = (after: Cursor): Cursor => ({ after, passed: 0 })

/** The minimum and maximum number of documents of one read of the store. */
const [minRead, maxRead] = [100, 1000]

const placeOf = (cursor: Cursor | undefined): Place => {
  if (cursor === undefined) return { after: null, passed: 0 }
  const { after = null, passed = null } = isJsonObject(cursor) ? cursor : {}
  if (typeof passed !== 'number' || !Number.isInteger(passed) || passed < 0 || passed > maxRead)
    throw new InvalidCursor()
  return { after, passed }
}

type Taken = { readonly items: readonly Document[]; readonly end: Place | null }

/** The next `limit` documents that pass the test, and the position after them; null after the last document. */
const take = async (
  find: FindPage,
  test: Test,
  from: Place,
  { limit, ...read }: Pick<PagedRead, 'limit' | 'detail' | 'bytes'>,
): Promise<Taken> => {
  const items: Document[] = []
  for (let { after, passed } = from; ;) {
    const found: Awaited<ReturnType<typeof find>> = await find({
      ...read,
      ...(after === null ? {} : { after }),
      skip: passed,
      limit: Math.min(Math.max(2 * (limit - items.length), minRead), maxRead),
    })
    for (const [index, document] of found.items.entries()) {
      if (document.value === unreadable || test(document.value)) items.push(document)
      if (items.length === limit) return { items, end: { after, passed: passed + index + 1 } }
    }
    const { next } = found
    if (next === null) return { items, end: null }
    ;[after, passed] = [next, 0]
    // A page may end early, so that it is not much longer than a read of the store.
    if (read.bytes !== undefined && items.length > 0) return { items, end: { after, passed } }
  }
}

/** The documents of a result that also pass a test. Those that are skipped are read too. */
export const filteredInMemory =
  (find: FindPage, test: Test): FindPage =>
  async ({ after, skip, ...read }) => {
    let start: Place | null = placeOf(after)
    if (skip > 0) start = (await take(find, test, start, { limit: skip, detail: 'light' })).end
    if (start === null) return { items: [], next: null }
    const { items, end } = await take(find, test, start, read)
    const ahead = end === null ? null : await take(find, test, end, { limit: 1, detail: 'light' })
    return { items, next: ahead === null || ahead.items.length === 0 ? null : end }
  }
