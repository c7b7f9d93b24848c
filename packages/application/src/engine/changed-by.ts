import { jsonEqual, type JsonObject } from '@publishing-service/domain/json'
import type { Session } from '../session.js'

/**
 * Which API users have changed each of these values of an object since it was this one; null for the service. Without an entry
 * for what the records of its changes do not have any more.
 */
export const changedBy = async (
  { records }: Pick<Session, 'records'>,
  collection: string,
  id: string,
  since: JsonObject,
): Promise<ReadonlyMap<string, ReadonlySet<string | null>>> => {
  const found = new Map<string, ReadonlySet<string | null>>()
  const users = new Map(Object.keys(since).map((name) => [name, new Set<string | null>()]))
  for await (const record of records.ofObject(collection, id)) {
    if (record.kind !== 'replace' || users.size === 0) break
    const changed = [...users].filter(([name]) => name in record.changes)
    const before = changed.length === 0 ? {} : await records.valuesBefore(record)
    if (before === null) break
    for (const [name, by] of changed) {
      by.add(record.user)
      if (!jsonEqual(before[name] ?? null, since[name] ?? null)) continue
      found.set(name, by)
      users.delete(name)
    }
  }
  return found
}
