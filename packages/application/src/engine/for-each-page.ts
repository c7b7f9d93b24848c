import type { Filter, Order } from '@publishing-service/domain/filters'
import type { Cursor, Document, Page } from '@publishing-service/ports'
import type { InstanceDocuments } from '../instance-store.js'
import { maxReadBytes } from './read-page.js'

type Scan = {
  readonly documents: Pick<InstanceDocuments, 'find'>
  readonly collection: string
  readonly where?: readonly Filter[]
  /** The order of creation by default. */
  readonly order?: readonly Order[]
  /** The start, by default. */
  readonly after?: Cursor | null
  /** Documents of a page at most. */
  readonly limit: number
}

/**
 * Passes all documents that meet the filters to `onPage`, page by page, without heavy attributes. Waits for a promise
 * that `onPage` returns; what it throws ends the scan.
 */
export const forEachPage = async (
  { documents, collection, where = [], order = [], after: start = null, limit }: Scan,
  onPage: (found: readonly Document[]) => unknown,
): Promise<void> => {
  for (let after = start; ;) {
    const page: Page = await documents.find(collection, {
      where,
      order,
      skip: 0,
      limit,
      detail: 'light',
      bytes: maxReadBytes,
      ...(after === null ? {} : { after }),
    })
    await onPage(page.documents)
    if (page.next === null) return
    after = page.next
  }
}
