/** Reads the contents of stores through the ports, to compare a copy of a copy with its original. */
import { createHash } from 'node:crypto'
import { collections } from '@publishing-service/application'
import { createContainer, tokens } from '@publishing-service/composition-root'
import { E } from '@publishing-service/domain/fp'
import type { Cursor, Document, DocumentStore } from '@publishing-service/ports'
import { configurationOf } from '../harness/start-test-service.js'
import type { Environment } from '../start-up/program.js'

type StoredRow = Pick<Document, 'id' | 'position' | 'value'>

export type StoreContents = {
  /** By instance and collection, in the order of insertion. */
  readonly documents: Readonly<Record<string, readonly StoredRow[]>>
  /** Digests by key. */
  readonly blobs: Readonly<Record<string, string>>
}

const readCollection = async (store: DocumentStore, collection: string, instance: number) => {
  const found: StoredRow[] = []
  let after: Cursor | null = null
  do {
    const start: { readonly after?: Cursor } = after === null ? {} : { after }
    const query = { where: [], order: [], skip: 0, limit: 200, detail: 'full' as const, ...start }
    const page = await store.find(collection, instance, query)()
    if (E.isLeft(page)) throw new Error(page.left.reason)
    found.push(...page.right.documents.map(({ id, position, value }) => ({ id, position, value })))
    after = page.right.next
  } while (after !== null)
  return found
}

/** Opens the stores of an environment, reads all data up to this instance, and closes them. */
export const readStoreContents = async (
  environment: Environment,
  lastInstance: number,
): Promise<StoreContents> => {
  const container = createContainer(configurationOf(environment))
  try {
    const store = await container.getAsync(tokens.documents)
    const blobStore = await container.getAsync(tokens.blobs)
    const documents: Record<string, readonly StoredRow[]> = {}
    for (let instance = 0; instance <= lastInstance; instance += 1)
      for (const { name } of collections)
        documents[`${instance}/${name}`] = await readCollection(store, name, instance)
    const blobs: Record<string, string> = {}
    for await (const { key } of blobStore.list('')) {
      const body = await blobStore.read(key)()
      if (E.isLeft(body)) throw new Error(`${key} can't be read`)
      const hash = createHash('sha256')
      for await (const chunk of body.right.chunks) hash.update(chunk)
      blobs[key] = hash.digest('hex')
    }
    return { documents, blobs }
  } finally {
    await container.unbindAll()
  }
}
