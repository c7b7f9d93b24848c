import type { Filter } from '@publishing-service/domain/filters'
import { E } from '@publishing-service/domain/fp'
import type { Document } from '@publishing-service/ports'
import { fail } from '../attempt.js'
import { contended } from '../failure.js'
import type { InstanceDocuments } from '../instance-store.js'
import { forEachPage } from './for-each-page.js'

const attempts = 50

/**
 * Removes a document, also one that is written meanwhile, such as a session that is renewed; does nothing if there is none.
 * Throws a Failure.
 */
export const removeStored = async (
  documents: Pick<InstanceDocuments, 'get' | 'remove'>,
  collection: string,
  id: string,
): Promise<void> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const found = await documents.get(collection, id)
    if (found === null || E.isRight(await documents.remove(collection, id, found.version))) return
  }
  fail(contended)
}

/** Removes the documents that meet the filters and are meant, and returns them. Throws a Failure. */
export const removeAllStored = async (
  documents: Pick<InstanceDocuments, 'find' | 'get' | 'remove'>,
  collection: string,
  where: readonly Filter[],
  isMeant: (document: Document) => boolean = () => true,
): Promise<readonly Document[]> => {
  const removed: Document[] = []
  await forEachPage({ documents, collection, where, limit: 200 }, (page) =>
    removed.push(...page.filter(isMeant)),
  )
  for (const { id } of removed) await removeStored(documents, collection, id)
  return removed
}
