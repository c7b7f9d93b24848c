import { stateIn, content, type Resource } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { liveSince } from '@publishing-service/domain/lists'
import type { Filter } from '@publishing-service/domain/filters'
import { visibilityOf } from '@publishing-service/domain/engine'
import { unreadable, type Document } from '@publishing-service/ports'
import type { Session } from '../session.js'

/** The filters that live objects of a resource meet, for every role. */
export const liveIn = (session: Session, resource: Resource): readonly Filter[] =>
  visibilityOf(resource, session.asPublic())

/** The filters that live content meets, for every role. */
export const liveFilters = (session: Session): readonly Filter[] => liveIn(session, content)

/** The newest live content that meets the filters. It is read from an index, for any number of objects. */
export const newestLive = async (
  session: Session,
  where: readonly Filter[],
  limit: number,
): Promise<readonly Document[]> => {
  const { documents } = await session.documents.find(content.collection, {
    where: [...where, ...liveFilters(session)],
    order: [{ key: 'live_from', direction: 'desc' }],
    skip: 0,
    limit,
    detail: 'light',
  })
  return documents.filter(({ value }) => value !== unreadable)
}

const liveFrom = (value: JsonObject): string => liveSince(stateIn(content, value)) ?? ''

const newestFirst = (a: Document, b: Document): number => {
  const [left, right] = [liveFrom(a.value), liveFrom(b.value)]
  return left === right ? 0 : left < right ? 1 : -1
}

/** The newest of these objects, each once. */
export const newestOf = (found: readonly Document[], limit: number): readonly Document[] => {
  const each = new Map(found.map((document) => [document.id, document]))
  return [...each.values()].toSorted(newestFirst).slice(0, limit)
}
