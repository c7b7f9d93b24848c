import { E, type TaskEither } from '@publishing-service/domain/fp'
import type {
  CountedGroup,
  Document,
  DocumentStore,
  FoundRelated,
  NamedDocuments,
  Related,
  TextCount,
} from './document-store.js'
import type { PortFailure } from './port-failure.js'

/** Reads of one collection. */
export type SingleReads = {
  /** The existing documents among the ids, in any order, each once. */
  readonly getMany: (
    collection: string,
    instance: number,
    ids: NamedDocuments['ids'],
    detail: NamedDocuments['detail'],
  ) => TaskEither<PortFailure, readonly Document[]>
  /** A declared group count, in any order. */
  readonly countGroups: (
    collection: string,
    instance: number,
    key: string,
    within: CountedGroup['within'],
  ) => TaskEither<PortFailure, readonly TextCount[]>
}

/** The reads of a store as functions of one collection. */
export const singleReads = ({ getRelated }: Pick<DocumentStore, 'getRelated'>): SingleReads => {
  const reading =
    <A>(
      instance: number,
      related: Partial<Related>,
      only: (found: FoundRelated) => readonly (readonly A[])[],
    ): TaskEither<PortFailure, readonly A[]> =>
    async () => {
      const found = await getRelated(instance, { documents: [], counts: [], ...related })()
      return E.isLeft(found) ? found : E.right(only(found.right)[0] ?? [])
    }
  return {
    getMany: (collection, instance, ids, detail) =>
      reading(instance, { documents: [{ collection, ids, detail }] }, ({ documents }) => documents),
    countGroups: (collection, instance, key, within) =>
      reading(instance, { counts: [{ collection, key, within }] }, ({ counts }) => counts),
  }
}
