import { E, isJsonObject, type JsonObject } from '@publishing-service/domain'
import { unreadable, type Cursor, type Document, type PortFailure } from '@publishing-service/ports'
import type { PagedQuery, PagedRead } from './read-page.js'

/** A condition on a stored state that stores cannot evaluate. */
export type Test = (state: JsonObject) => boolean

/** A position: `passed` documents after a cursor of the store. */
type Place = { readonly after: Cursor | null; readonly passed: number }

const placeOf = (cursor: Cursor | undefined): Place => {
  const place: JsonObject = cursor !== undefined && isJsonObject(cursor) ? cursor : {}
  const { after = null, passed } = place
  return { after, passed: typeof passed === 'number' ? passed : 0 }
}

/** The minimum and maximum number of documents of one read of the store. */
const [minRead, maxRead] = [100, 1000]

type Taken = { readonly items: readonly Document[]; readonly end: Place | null }

/** The next `limit` documents that pass the test, and the position after them; null after the last document. */
const take = async (
  find: PagedQuery['find'],
  test: Test,
  from: Place,
  { limit, ...read }: Pick<PagedRead, 'limit' | 'detail' | 'bytes'>,
): Promise<E.Either<PortFailure, Taken>> => {
  const items: Document[] = []
  for (let { after, passed } = from; ;) {
    const found: Awaited<ReturnType<ReturnType<typeof find>>> = await find({
      ...read,
      ...(after === null ? {} : { after }),
      skip: passed,
      limit: Math.min(Math.max(2 * (limit - items.length), minRead), maxRead),
    })()
    if (E.isLeft(found)) return found
    for (const [index, document] of found.right.items.entries()) {
      if (document.value === unreadable || test(document.value)) items.push(document)
      if (items.length === limit) return E.right({ items, end: { after, passed: passed + index + 1 } })
    }
    const { next } = found.right
    if (next === null) return E.right({ items, end: null })
    ;[after, passed] = [next, 0]
    // A page may end early, so that it is not much longer than a read of the store.
    if (read.bytes !== undefined && items.length > 0) return E.right({ items, end: { after, passed } })
  }
}

/** The documents of a result that also pass a test, if there is one. Those that are skipped are read too. */
export const refined = (find: PagedQuery['find'], test: Test | null): PagedQuery['find'] =>
  test === null
    ? find
    : ({ after, skip, ...read }) =>
        async () => {
          let start: Place | null = placeOf(after)
          if (skip > 0) {
            const skipped = await take(find, test, start, { limit: skip, detail: 'light' })
            if (E.isLeft(skipped)) return skipped
            start = skipped.right.end
          }
          if (start === null) return E.right({ items: [], next: null })
          const taken = await take(find, test, start, read)
          if (E.isLeft(taken)) return taken
          const { items, end } = taken.right
          const ahead = end === null ? null : await take(find, test, end, { limit: 1, detail: 'light' })
          if (ahead !== null && E.isLeft(ahead)) return ahead
          return E.right({ items, next: ahead === null || ahead.right.items.length === 0 ? null : end })
        }
