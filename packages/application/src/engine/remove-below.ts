import type { Document } from '@publishing-service/ports'
import type { InstanceDocuments } from '../instance-store.js'

const batchSize = 200

/**
 * Removes the documents of a collection whose value under a key is below a limit, and returns their number. `beforeEach` runs
 * before each removal. Throws a PortFailure.
 */
export const removeBelow = async (
  documents: Pick<InstanceDocuments, 'find' | 'remove'>,
  collection: string,
  { key, below }: { readonly key: string; readonly below: string | number },
  beforeEach: (document: Document) => Promise<void> = async () => undefined,
): Promise<number> => {
  let removed = 0
  for (;;) {
    const found = await documents.find(collection, {
      where: [{ key, below }],
      order: [{ key, direction: 'asc' }],
      skip: 0,
      limit: batchSize,
      detail: 'light',
    })
    for (const document of found.documents) {
      await beforeEach(document)
      // Another process may have removed it first.
      await documents.remove(collection, document.id, document.version)
    }
    removed += found.documents.length
    if (found.next === null) return removed
  }
}
