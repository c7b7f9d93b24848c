import { objectName, pipe, resourceOf, TE, type JsonObject } from '@publishing-service/domain'
import type { InstanceDocuments } from '../instance-store.js'
import type { AuditChange } from './audit.js'

type Stored = { readonly id: string; readonly value: JsonObject }

/**
 * The objects of a collection that a run reads and writes, so that its audit entry names the one that it changed
 * (docs/behaviour/administration.md#audit-log).
 */
export const observeObjects = (documents: InstanceDocuments, collection: string) => {
  const before = new Map<string, JsonObject>()
  const after = new Map<string, JsonObject>()
  const read = ({ id, value }: Stored): void => {
    if (!after.has(id)) before.set(id, value)
  }
  const noting =
    (into: string, { id, value }: Stored) =>
    <A>(written: A): A => {
      if (into === collection) after.set(id, value)
      return written
    }
  const observed: InstanceDocuments = {
    ...documents,
    get: (from, id) =>
      pipe(
        documents.get(from, id),
        TE.map((found) => {
          if (from === collection && found !== null) read(found)
          return found
        }),
      ),
    getMany: (from, ids, detail) =>
      pipe(
        documents.getMany(from, ids, detail),
        TE.map((found) => {
          if (from === collection) found.forEach(read)
          return found
        }),
      ),
    insert: (into, document) => pipe(documents.insert(into, document), TE.map(noting(into, document))),
    replace: (into, document) => pipe(documents.replace(into, document), TE.map(noting(into, document))),
  }

  /** The name of an object, and how its publication state has changed. */
  const describe = (id: string | null): Pick<AuditChange, 'title' | 'changes'> => {
    const resource = resourceOf(collection)
    if (resource === undefined || id === null) return {}
    const written = after.get(id)
    const former = before.get(id)
    const known = written ?? former
    const [state, formerState] = [written?.['state'] ?? null, former?.['state'] ?? null]
    return {
      title: known === undefined ? null : objectName(resource, known),
      ...(state === null || state === formerState
        ? {}
        : { changes: { state: { before: formerState, after: state } } }),
    }
  }

  return { documents: observed, describe }
}
