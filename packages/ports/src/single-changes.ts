import { E, type TaskEither } from '@publishing-service/domain/fp'
import type {
  Change,
  Document,
  DocumentStore,
  NewDocument,
  Replacement,
  WriteFailure,
} from './document-store.js'

/** Changes that append nothing. */
export type SingleChanges = {
  /** The document gets the next position. */
  readonly insert: (
    collection: string,
    instance: number,
    document: Omit<NewDocument, 'position'>,
  ) => TaskEither<WriteFailure, Document>
  readonly replace: (
    collection: string,
    instance: number,
    document: Replacement,
  ) => TaskEither<WriteFailure, Document>
  readonly remove: (
    collection: string,
    instance: number,
    id: string,
    version: number,
  ) => TaskEither<WriteFailure, void>
}

/** The changes of a store as functions. `position` returns the position of a new document. */
export const singleChanges = (
  { write }: Pick<DocumentStore, 'write'>,
  position: () => number,
): SingleChanges => {
  const put =
    (collection: string, instance: number, change: Change): TaskEither<WriteFailure, Document> =>
    async () => {
      const written = await write(collection, instance, change, [])()
      if (E.isLeft(written)) return written
      if (written.right === null)
        throw new Error('The store returned no document for one that it has written')
      return E.right(written.right)
    }
  return {
    insert: (collection, instance, document) =>
      put(collection, instance, { kind: 'insert', document: { ...document, position: position() } }),
    replace: (collection, instance, document) => put(collection, instance, { kind: 'replace', document }),
    remove: (collection, instance, id, version) => async () => {
      const removed = await write(collection, instance, { kind: 'remove', id, version }, [])()
      return E.isLeft(removed) ? removed : E.right(undefined)
    },
  }
}
