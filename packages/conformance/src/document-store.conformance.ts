/**
 * The contract of the document store's port as a mocha suite. Each sentence of the port's doc comment is the title of
 * its tests. A test file of the adapter declares the suite.
 */
import { describe } from 'mocha'
import type { Collection } from '@publishing-service/ports'
import { type Conformance, declareContract } from './contract.js'
import { appending } from './document-store/appended.js'
import { conflicts } from './document-store/conflicts.js'
import { filters } from './document-store/filters.js'
import { instances } from './document-store/instances.js'
import { lifecycle } from './document-store/lifecycle.js'
import { lists } from './document-store/lists.js'
import { orders } from './document-store/orders.js'
import { paging } from './document-store/paging.js'
import { sharing } from './document-store/sharing.js'
import { lostResponses } from './document-store/lost-responses.js'
import { fullStorage } from './document-store/full-storage.js'
import { sentences } from './document-store/sentences.js'
import {
  type FullStorageSubject,
  type LostResponsesSubject,
  type OpenSubject,
  type Stage,
  stageFor,
} from './document-store/stage.js'
import { groupCounts } from './document-store/group-counts.js'
import { writing } from './document-store/writing.js'

export type {
  DocumentStoreSubject,
  FullStorageSubject,
  LostResponsesSubject,
} from './document-store/stage.js'

/** `open` opens a store with these collections on new, empty data. The suite calls it about a dozen times. */
export type DocumentStoreConformance = Conformance<'documentStore', OpenSubject> & {
  /** The largest document in bytes; the store returns DocumentTooLarge for larger ones. Null if there is no limit. */
  readonly maxDocumentBytes: number | null
  /** A store whose responses can be lost, for stores that use a connection or wait for a disk. */
  readonly openLosingResponses?: (collections: readonly Collection[]) => Promise<LostResponsesSubject>
  /** A store whose storage can be filled. */
  readonly openFull?: (collections: readonly Collection[]) => Promise<FullStorageSubject>
}

/** Declares the suite. Call it at the top of a test file or in a `describe`. It takes seconds on a fast store. */
export const documentStoreConformance = (options: DocumentStoreConformance): void => {
  const { open, deviations = {}, maxDocumentBytes, openLosingResponses, openFull } = options
  declareContract('documentStore', options, 30_000, () => {
    // Each part has separate data, so that a store which reads all documents for each query is fast enough.
    const part = (name: string, declare: (stage: Stage) => void): void => {
      describe(name, () => declare(stageFor(open)))
    }
    part('Writing and reading', (stage) => writing(stage, { ...deviations, maxDocumentBytes }))
    part('Appended documents', (stage) =>
      appending(stage, open, { ...deviations, maxBytes: maxDocumentBytes }),
    )
    part('Shared data', (stage) => sharing(stage, open, deviations))
    part('Conflicts', (stage) => conflicts(stage, deviations))
    part('Instances', instances)
    part('Filters', filters)
    part('Lists and alternatives', lists)
    part('Orders', (stage) => orders(stage, deviations))
    part('Pages', (stage) => paging(stage, deviations))
    part('Group counts', (stage) => groupCounts(stage, deviations))
    part('Check and close', (stage) => lifecycle(stage, open))
    if (openLosingResponses !== undefined)
      describe(sentences.failed, () => lostResponses(openLosingResponses))
    if (openFull !== undefined) describe(sentences.full, () => fullStorage(openFull))
  })
}
