/**
 * The contract of the document store's port as a mocha suite: every sentence of its doc comment is a test in the
 * same words. Whoever writes a store declares the suite in a test file of their own.
 */
import { describe } from 'mocha'
import type { Collection } from '@publishing-service/ports'
import { type Conformance, declareContract } from './contract.js'
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

/** `open` makes a store of the given collections, on empty data of its own; the suite does so about a dozen times. */
export type DocumentStoreConformance = Conformance<'documentStore', OpenSubject> & {
  /** The most bytes of a document; a larger one is refused with DocumentTooLarge. Null where the store takes any. */
  readonly refusesAbove: number | null
  /** A store whose answers can be lost, for stores that answer over a connection or wait for a disk. */
  readonly openLosingAnswers?: (collections: readonly Collection[]) => Promise<LostResponsesSubject>
  /** A store whose room can be taken away. */
  readonly openFull?: (collections: readonly Collection[]) => Promise<FullStorageSubject>
}

/** Declares the suite. Call it at the top of a test file or within a `describe`; it takes seconds on a fast store. */
export const documentStoreConformance = (options: DocumentStoreConformance): void => {
  const { open, deviations = {}, refusesAbove, openLosingAnswers, openFull } = options
  declareContract('documentStore', options, 30_000, () => {
    // Each part on data of its own, so that a store which reads them all for each query stays quick.
    const part = (name: string, declare: (stage: Stage) => void): void => {
      describe(name, () => declare(stageFor(open)))
    }
    part('Writing and reading', (stage) => writing(stage, { ...deviations, refusesAbove }))
    part('Sharing', (stage) => sharing(stage, open, deviations))
    part('Competing', (stage) => conflicts(stage, deviations))
    part('Instances', instances)
    part('Filters', filters)
    part('Lists and alternatives', lists)
    part('Orders', orders)
    part('Pages', (stage) => paging(stage, deviations))
    part('Tallies', (stage) => groupCounts(stage, deviations))
    part('Checking and closing', (stage) => lifecycle(stage, open))
    if (openLosingAnswers !== undefined) describe(sentences.failed, () => lostResponses(openLosingAnswers))
    if (openFull !== undefined) describe(sentences.full, () => fullStorage(openFull))
  })
}
