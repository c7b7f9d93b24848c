/** The documents of a store by partition: those of one collection and instance, in the order of their insertion. */
import { resources } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { unreadable, type Cursor, type Document, type DocumentStore } from '@publishing-service/ports'
import { keysTarget } from '../administration/stored-keys.js'
import { systemCollections, systemInstance } from '../collections.js'
import { forEachPage } from '../engine/for-each-page.js'
import { targetOf, type Target } from '../engine/update-document.js'
import { UnreadableDocument, type InstanceDocuments } from '../instance-store.js'
import { orThrow } from '../attempt.js'

export type Partition = { readonly instance: number; readonly target: Target }

const {
  copies: _marks,
  rateCounts: _counts,
  rightsChanges: _changes,
  keys: _keys,
  ...others
} = systemCollections

/** All collections except what only running processes use and copy marks, with the uniqueness key of a document. */
const targets: readonly Target[] = [
  ...resources.map(targetOf),
  keysTarget,
  ...Object.values(others).map(({ name }) => ({ collection: name, unique: () => null })),
]

export const partitionsOf = (instances: readonly number[]): readonly Partition[] =>
  [systemInstance, ...instances].flatMap((instance) => targets.map((target) => ({ instance, target })))

/** The partition of a collection. */
export const partitionOf = (instance: number, collection: string): Partition => {
  const target = targets.find((each) => each.collection === collection)
  if (target === undefined) throw new Error(`${collection} is no collection that is copied`)
  return { instance, target }
}

export const partitionName = ({ instance, target }: Partition): string => `${instance}/${target.collection}`

/** The maximum number of characters of a page, to limit memory. */
const pageCharacters = 4 * 1024 * 1024
const [shortestPage, longestPage] = [8, 256]

export type PartitionPage = {
  readonly documents: readonly Document[]
  /** The text of each of them, which does not depend on the order of its attributes. */
  readonly texts: readonly string[]
  /** The position after the page; null after the last. */
  readonly next: Cursor | null
}

const textOf = (id: string, value: JsonObject): string =>
  JSON.stringify([id, Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))])

const read = (store: DocumentStore, { instance, target }: Partition, query: PageQuery) =>
  orThrow(store.find(target.collection, instance, { where: [], order: [], skip: 0, ...query }))

type PageQuery = {
  readonly after?: Cursor
  readonly skip?: number
  readonly limit: number
  readonly detail: 'light' | 'full'
}

/** The partition's pages from a position on. Pages are larger if documents are short. Throws a PortFailure. */
export async function* pagesOf(
  store: DocumentStore,
  partition: Partition,
  start: Cursor | null = null,
): AsyncGenerator<PartitionPage> {
  let limit = shortestPage
  for (let after = start; ;) {
    const page = await read(store, partition, { ...(after === null ? {} : { after }), limit, detail: 'full' })
    const texts = page.documents.map(({ id, value }) => {
      if (value === unreadable)
        throw new UnreadableDocument(partition.target.collection, partition.instance, id)
      return textOf(id, value)
    })
    yield { documents: page.documents, texts, next: page.next }
    if (page.next === null) return
    after = page.next
    const average = texts.reduce((sum, { length }) => sum + length, 0) / texts.length
    limit = Math.max(shortestPage, Math.min(longestPage, 4 * limit, Math.floor(pageCharacters / average)))
  }
}

/** The number of documents of the partition. Throws a PortFailure. */
export const countOf = async (store: DocumentStore, partition: Partition): Promise<number> => {
  let count = 0
  const { instance, target } = partition
  const { collection } = target
  const find: InstanceDocuments['find'] = (name, query) => orThrow(store.find(name, instance, query))
  await forEachPage({ documents: { find }, collection, limit: 1000 }, (documents) => {
    count += documents.length
  })
  return count
}

/** Up to 256 documents after the first `skip` ones, without what is heavy. Throws a PortFailure. */
export const documentsAfter = async (
  store: DocumentStore,
  partition: Partition,
  skip: number,
): Promise<readonly Document[]> =>
  (await read(store, partition, { skip, limit: longestPage, detail: 'light' })).documents
