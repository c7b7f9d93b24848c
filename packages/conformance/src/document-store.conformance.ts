/**
 * The contract of the document store's port as a mocha suite: every sentence of its doc comment is a test in the
 * same words. Whoever writes a store declares the suite in a test file of their own.
 */
import { describe } from 'mocha'
import type { Deviation } from './document-store/capability.js'
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

export type { Deviation as DocumentStoreDeviation } from './document-store/capability.js'
export type { DocumentStoreSubject } from './document-store/stage.js'

export type DocumentStoreConformanceOptions = {
  /** Titles the suite: `sqliteDocumentStore`. */
  readonly name: string
  /** Opens a store of these collections on empty data of its own. The suite does so about a dozen times. */
  readonly open: OpenSubject
  /** Whether data outlive a store and are shared with others on the same data; then `reopen` never answers null. */
  readonly sharedData: true | Deviation
  /** A size in bytes from which on a document is refused with DocumentTooLarge. */
  readonly refusesAbove: number | Deviation
  /** Whether a page far into a result costs what the first costs. */
  readonly evenPages: true | Deviation
  /** Whether a tally costs the same however many documents it counts. */
  readonly evenTallies: true | Deviation
  /** Whether objects within a document may hold attributes of any name: empty, with dots, with dollar signs. */
  readonly anyName: true | Deviation
  /** Milliseconds for one test; 30 000 where not given. */
  readonly timeout?: number
}

/** Declares the suite. Call it at the top of a test file or within a `describe`; it takes seconds on a fast store. */
export const documentStoreConformance = (options: DocumentStoreConformanceOptions): void => {
  describe(`${options.name} keeps the contract of the document store`, function () {
    this.timeout(options.timeout ?? 30_000)
    // Each part on data of its own, so that a store which reads them all for each query stays quick.
    const part = (name: string, declare: (stage: Stage) => void): void => {
      describe(name, () => declare(stageFor(options.open)))
    }
    part('Writing and reading', (stage) => writing(stage, options))
    part('Sharing', (stage) => sharing(stage, options.open, options.sharedData))
    part('Competing', conflicts)
    part('Instances', instances)
    part('Filters', filters)
    part('Lists and alternatives', lists)
    part('Orders', orders)
    part('Pages', (stage) => paging(stage, options.evenPages))
    part('Tallies', (stage) => tallies(stage, options))
    part('Checking and closing', (stage) => lifecycle(stage, options.open))
  })
}
