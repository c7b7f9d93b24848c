import { E, type TaskEither } from '@publishing-service/domain/fp'
import type {
  Appended,
  Document,
  DocumentChange,
  DocumentStore,
  NewDocument,
  Replacement,
  WriteFailure,
} from './document-store.js'

/** Writes of one document. */
export type SingleChanges = {
  /** The document as it is stored; null if it is removed. */
  readonly change: (
    collection: string,
    instance: number,
    change: DocumentChange,
    appended: readonly Appended[],
  ) => TaskEither<WriteFailure, Document | null>
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

/** Writes of one document as functions. `position` returns the position of a new document. */
export const singleChanges = (
  { write }: Pick<DocumentStore, 'write'>,
  position: () => number,
): SingleChanges => {
  const change: SingleChanges['change'] = (collection, instance, single, appended) => async () => {
    const written = await write(instance, [{ collection, ...single }], appended)()
    return E.isLeft(written) ? written : E.right(written.right[0] ?? null)
  }
  const put =
    (collection: string, instance: number, single: DocumentChange): TaskEither<WriteFailure, Document> =>
    async () => {
      const written = await change(collection, instance, single, [])()
      if (E.isLeft(written)) return written
      if (written.right === null)
        throw new Error('The store returned no document for one that it has written')
      return E.right(written.right)
    }
  return {
    change,
    insert: (collection, instance, document) =>
      put(collection, instance, { kind: 'insert', document: { ...document, position: position() } }),
    replace: (collection, instance, document) => put(collection, instance, { kind: 'replace', document }),
    remove: (collection, instance, id, version) => async () => {
      const removed = await change(collection, instance, { kind: 'remove', id, version }, [])()
      return E.isLeft(removed) ? removed : E.right(undefined)
    },
  }
}
