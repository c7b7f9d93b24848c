/** The documents of a store by partition: those of one collection and instance, in the order of their insertion. */
import { resources } from '@publishing-service/domain'
import type { Filter } from '@publishing-service/domain/filters'
import {
  unreadable,
  type Cursor,
  type Document,
  type DocumentStore,
  type Page,
} from '@publishing-service/ports'
import { isLiveInstance, StoredInstance } from '../access/stored-instance.js'
import { usersTarget } from '../administration/administer-users.js'
import { keysTarget } from '../administration/stored-keys.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { forEachPage } from '../engine/for-each-page.js'
import type { Target } from '../engine/update-document.js'
import { UnreadableDocument, type InstanceDocuments } from '../instance-store.js'
import { orThrow } from '../attempt.js'

/** What a copy reads of a store, or of its snapshot. */
export type DocumentReads = Pick<DocumentStore, 'get' | 'find'>

export type Partition = { readonly instance: number; readonly target: Target }

const {
  presences: _presences,
  rateCounts: _counts,
  rightsChanges: _changes,
  keys: _keys,
  users: _users,
  ...others
} = systemCollections

/** All collections except what only running processes use, with the uniqueness key of a document. */
const targets: readonly Target[] = [
  ...resources,
  keysTarget,
  usersTarget,
  ...Object.values(others).map(({ name }) => ({ collection: name, uniqueText: () => null })),
]

export const partitionsOf = (instances: readonly number[]): readonly Partition[] =>
  [systemInstance, ...instances].flatMap((instance) => targets.map((target) => ({ instance, target })))

const { name: identityCollection } = systemCollections.identity

/** The partitions of a copy: the identity is copied last, when the target has everything else. */
export const copiedPartitions = (instances: readonly number[]): readonly Partition[] =>
  partitionsOf(instances).filter(({ target }) => target.collection !== identityCollection)

export type PartitionName = { readonly instance: number; readonly collection: string }

export const nameOf = ({ instance, target: { collection } }: Partition): PartitionName => ({
  instance,
  collection,
})

export const nameText = ({ instance, collection }: PartitionName): string => `${instance}/${collection}`

/** The partition of a collection. */
export const partitionOf = (instance: number, collection: string): Partition => {
  const target = targets.find((each) => each.collection === collection)
  if (target === undefined) throw new Error(`${collection} is no collection that is copied`)
  return { instance, target }
}

/** Limits of a page, because of memory. */
const [pageDocuments, pageBytes] = [256, 4 * 1024 * 1024]

/** The documents of the partition, page by page. Throws a PortFailure, or an UnreadableDocument. */
export async function* pagesOf(
  store: DocumentReads,
  { instance, target: { collection } }: Partition,
  where: readonly Filter[] = [],
): AsyncGenerator<readonly Document[]> {
  const query = {
    where,
    order: [],
    skip: 0,
    detail: 'full',
    limit: pageDocuments,
    bytes: pageBytes,
  } as const
  for (let after: Cursor | null = null; ;) {
    const page: Page = await orThrow(
      store.find(collection, instance, { ...query, ...(after === null ? {} : { after }) }),
    )
    const damaged = page.documents.find(({ value }) => value === unreadable)
    if (damaged !== undefined) throw new UnreadableDocument(collection, instance, damaged.id)
    yield page.documents
    if (page.next === null) return
    after = page.next
  }
}

/** The documents of the partition, one by one. Throws like `pagesOf`. */
export async function* documentsOf(
  store: DocumentReads,
  partition: Partition,
  where: readonly Filter[] = [],
): AsyncGenerator<Document> {
  for await (const documents of pagesOf(store, partition, where)) yield* documents
}

/** The instances that are not deleted. Throws like `pagesOf`. */
export async function* liveInstances(store: DocumentReads): AsyncGenerator<StoredInstance> {
  const instances = partitionOf(systemInstance, systemCollections.instances.name)
  for await (const document of documentsOf(store, instances)) {
    const stored = decodeStored(StoredInstance, document)
    if (isLiveInstance(stored)) yield stored
  }
}

/** The number of documents of the partition, or of those among them that are counted, which are light. Throws a PortFailure. */
export const countOf = async (
  store: DocumentReads,
  partition: Partition,
  where: readonly Filter[] = [],
  isCounted: (document: Document) => boolean = () => true,
): Promise<number> => {
  let count = 0
  const { instance, target } = partition
  const { collection } = target
  const find: InstanceDocuments['find'] = (name, query) => orThrow(store.find(name, instance, query))
  await forEachPage({ documents: { find }, collection, where, limit: 1000 }, (documents) => {
    count += documents.filter(isCounted).length
  })
  return count
}

/** Whether the partition has a document. Throws a PortFailure. */
export const hasDocuments = async (
  store: DocumentReads,
  { instance, target: { collection } }: Partition,
): Promise<boolean> => {
  const query = { where: [], order: [], skip: 0, limit: 1, detail: 'light' } as const
  return (await orThrow(store.find(collection, instance, query))).documents.length > 0
}
