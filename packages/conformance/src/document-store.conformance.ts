/**
 * The contract of the document store's port as a mocha suite: every sentence of its doc comment is a test in the
 * same words. Whoever writes a store declares the suite in a test file of their own.
 */
import { describe } from 'mocha'
import { type Conformance, declareContract } from './contract.js'
import { conflicts } from './document-store/conflicts.js'
import { filters } from './document-store/filters.js'
import { instances } from './document-store/instances.js'
import { lifecycle } from './document-store/lifecycle.js'
import { lists } from './document-store/lists.js'
import { orders } from './document-store/orders.js'
import { paging } from './document-store/paging.js'
import { sharing } from './document-store/sharing.js'
import { type OpenSubject, type Stage, stageFor } from './document-store/stage.js'
import { tallies } from './document-store/tallies.js'
import { writing } from './document-store/writing.js'

export type { DocumentStoreSubject } from './document-store/stage.js'

/** `open` makes a store of the given collections, on empty data of its own; the suite does so about a dozen times. */
export type DocumentStoreConformance = Conformance<'documentStore', OpenSubject> & {
  /** A size in bytes from which on a document is refused with DocumentTooLarge; null where the store takes any. */
  readonly refusesAbove: number | null
}

/** Declares the suite. Call it at the top of a test file or within a `describe`; it takes seconds on a fast store. */
export const documentStoreConformance = (options: DocumentStoreConformance): void => {
  const { open, deviations = {}, refusesAbove } = options
  declareContract('documentStore', options, 30_000, () => {
    // Each part on data of its own, so that a store which reads them all for each query stays quick.
    const part = (name: string, declare: (stage: Stage) => void): void => {
      describe(name, () => declare(stageFor(open)))
    }
    part('Writing and reading', (stage) => writing(stage, { ...deviations, refusesAbove }))
    part('Sharing', (stage) => sharing(stage, open, deviations))
    part('Competing', conflicts)
    part('Instances', instances)
    part('Filters', filters)
    part('Lists and alternatives', lists)
    part('Orders', orders)
    part('Pages', (stage) => paging(stage, deviations))
    part('Tallies', (stage) => tallies(stage, deviations))
    part('Checking and closing', (stage) => lifecycle(stage, open))
  })
}
