import { E } from '@publishing-service/domain'
import { unreadable, type Document, type DocumentStore, type Log } from '@publishing-service/ports'

/** A stored document is damaged. This is a defect, because clients of the API cannot resolve it. */
export class UnreadableDocument extends Error {
  constructor(collection: string, instance: number, id: string) {
    super(`The stored document ${id} of ${collection} on instance ${instance} is damaged and cannot be read`)
  }
}

/**
 * Two variants of a store. `strict` throws an UnreadableDocument instead of returning a damaged document, so that no
 * write is computed from one. `lenient` is for views of many documents, which must not fail because of one: it logs
 * damaged documents, omits them from documents that are read by id, and returns them in query results.
 */
export const guardUnreadable = (
  store: DocumentStore,
  log: Log,
): { readonly strict: DocumentStore; readonly lenient: DocumentStore } => {
  type Unreadable = (collection: string, instance: number, id: string) => void
  const throwUnreadable: Unreadable = (...place) => {
    throw new UnreadableDocument(...place)
  }
  const report: Unreadable = (collection, instance, id) => {
    log.write('error', 'unreadable document', { collection, instance, id })
  }
  const checking = (found: Unreadable): Pick<DocumentStore, 'get' | 'getMany' | 'find' | 'findTexts'> => {
    const check = (collection: string, instance: number, documents: readonly Document[]): boolean => {
      const damaged = documents.filter(({ value }) => value === unreadable)
      for (const { id } of damaged) found(collection, instance, id)
      return damaged.length > 0
    }
    return {
      get: (collection, instance, id) => async () => {
        const outcome = await store.get(collection, instance, id)()
        if (E.isRight(outcome) && outcome.right?.value === unreadable)
          throwUnreadable(collection, instance, id)
        return outcome
      },
      getMany: (collection, instance, ids, detail) => async () => {
        const outcome = await store.getMany(collection, instance, ids, detail)()
        if (E.isLeft(outcome) || !check(collection, instance, outcome.right)) return outcome
        return E.right(outcome.right.filter(({ value }) => value !== unreadable))
      },
      find: (collection, instance, query) => async () => {
        const outcome = await store.find(collection, instance, query)()
        if (E.isRight(outcome)) check(collection, instance, outcome.right.documents)
        return outcome
      },
      findTexts: (collection, instance, query) => async () => {
        const outcome = await store.findTexts(collection, instance, query)()
        if (E.isRight(outcome)) {
          const documents = new Set(outcome.right.texts.map(({ document }) => document))
          check(collection, instance, [...documents])
        }
        return outcome
      },
    }
  }
  return { strict: { ...store, ...checking(throwUnreadable) }, lenient: { ...store, ...checking(report) } }
}
