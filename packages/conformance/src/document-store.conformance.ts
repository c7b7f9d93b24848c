/**
 * The contract of the document store's port as a mocha suite. Each sentence of the port's doc comment is the title of
 * its tests. A test file of the adapter declares the suite.
 */
import { expect } from 'chai'
import { before, beforeEach, describe, it } from 'mocha'
import type { Collection, DocumentStore } from '@publishing-service/ports'
import { type Conformance, declareContract, type Deviations } from './contract.js'
import { appending } from './document-store/appended.js'
import { commitOrder } from './document-store/commit-order.js'
import { conflicts } from './document-store/conflicts.js'
import { crashes, type Crashes } from './document-store/crashes.js'
import { filters } from './document-store/filters.js'
import { instances } from './document-store/instances.js'
import { lifecycle } from './document-store/lifecycle.js'
import { lists } from './document-store/lists.js'
import { outages, type Outages } from './document-store/outages.js'
import { orders } from './document-store/orders.js'
import { paging } from './document-store/paging.js'
import { related } from './document-store/related.js'
import { sharing } from './document-store/sharing.js'
import { lostResponses } from './document-store/lost-responses.js'
import { fullStorage } from './document-store/full-storage.js'
import { counts } from './document-store/selections.js'
import { sentences } from './document-store/sentences.js'
import { snapshots } from './document-store/snapshots.js'
import {
  type DocumentStoreSubject,
  type FullStorageSubject,
  type LostResponsesSubject,
  type OpenSubject,
  type Stage,
  stageFor,
} from './document-store/stage.js'
import { groupCounts } from './document-store/group-counts.js'
import { together } from './document-store/together.js'
import { writing } from './document-store/writing.js'

export type { CrashSubject, Crashes } from './document-store/crashes.js'
export type { Outages } from './document-store/outages.js'
export type {
  DocumentStoreSubject,
  FullStorageSubject,
  LostResponsesSubject,
  OutageSubject,
} from './document-store/stage.js'

/** Faults that the suite can cause in a store. */
type Faults = {
  /** A process that writes and is killed. */
  readonly crashes?: Crashes
  /** A server that is unreachable, does not respond, or resets its connections. */
  readonly outages?: Outages
  /** Responses that are lost while a write commits, of a connection or a disk. */
  readonly lostResponses?: (collections: readonly Collection[]) => Promise<LostResponsesSubject>
  /** Storage that can be filled. */
  readonly fullStorage?: (collections: readonly Collection[]) => Promise<FullStorageSubject>
}

/**
 * `open` opens a store with these collections on new, empty data. The suite calls it about a dozen times. A fault that is
 * neither there nor among the deviations is a pending test.
 */
export type DocumentStoreConformance = Conformance<'documentStore', OpenSubject> &
  Faults & {
    /** The largest document in bytes; the store returns DocumentTooLarge for larger ones. Null if there is no limit. */
    readonly maxDocumentBytes: number | null
  }

const defaultTimeout = 30_000
const faultTimeout = 180_000

/** A store that does not respond must not keep the suite for hours: it ends after this many time limits of a test. */
const timeoutsOfSuite = 20

const endEarly = (milliseconds: number): void => {
  let start = 0
  before(() => {
    start = performance.now()
  })
  beforeEach(() => expect(performance.now() - start, 'milliseconds of the suite').to.be.below(milliseconds))
}

type Open<Subject> = (collections: readonly Collection[]) => Promise<Subject>

/** The same, whose `dispose` closes the stores that a failed test has left open, so that the process can end. */
const closingAll =
  <Subject extends DocumentStoreSubject>(open: Open<Subject>): Open<Subject> =>
  async (collections) => {
    const subject = await open(collections)
    const reopened: DocumentStore[] = []
    return {
      ...subject,
      reopen: async (declared) => {
        const store = await subject.reopen(declared)
        reopened.push(store)
        return store
      },
      dispose: async () => {
        await Promise.all(reopened.map((store) => store.close()))
        await subject.dispose()
      },
    }
  }

const declareFaults = (faults: Faults, deviations: Deviations<'documentStore'>, timeout: number): void => {
  const fault = <Name extends keyof Faults>(
    name: Name,
    title: string,
    declare: (hook: NonNullable<Faults[Name]>) => void,
  ): void => {
    const hook = faults[name]
    if (hook !== undefined)
      describe(title, function () {
        this.timeout(Math.max(timeout, faultTimeout))
        declare(hook)
      })
    else if (deviations[name] === undefined) it(`${title} (needs the option ${name}, or a deviation)`)
  }
  describe('Faults', () => {
    fault('lostResponses', sentences.failed, lostResponses)
    fault('fullStorage', sentences.full, fullStorage)
    fault('crashes', 'When the process is killed', crashes)
    fault('outages', 'When the server is unavailable', (hook) =>
      outages({ ...hook, open: closingAll(hook.open) }),
    )
  })
}

/** Declares the suite. Call it at the top of a test file or in a `describe`. It takes seconds on a fast store. */
export const documentStoreConformance = (options: DocumentStoreConformance): void => {
  const { deviations = {}, maxDocumentBytes, timeout = defaultTimeout } = options
  const open = closingAll(options.open)
  declareContract('documentStore', options, defaultTimeout, () => {
    endEarly(timeoutsOfSuite * timeout)
    // Each part has separate data, so that a store which reads all documents for each query is fast enough.
    const part = (name: string, declare: (stage: Stage) => void): void => {
      describe(name, () => declare(stageFor(open)))
    }
    part('Writing and reading', (stage) => writing(stage, { ...deviations, maxDocumentBytes }))
    part('Several changes', together)
    part('Appended documents', (stage) =>
      appending(stage, open, { ...deviations, maxBytes: maxDocumentBytes }),
    )
    part('Commit order', (stage) => commitOrder(stage, deviations))
    part('Shared data', (stage) => sharing(stage, open, deviations))
    part('Conflicts', (stage) => conflicts(stage, deviations))
    part('Instances', instances)
    part('Filters', filters)
    part('Lists and alternatives', lists)
    part('Orders', (stage) => orders(stage, deviations))
    part('Pages', paging)
    part('Related documents', related)
    part('Group counts', (stage) => groupCounts(stage, deviations))
    part('Counts', counts)
    part('Snapshots', (stage) => snapshots(stage, deviations))
    part('Check and close', (stage) => lifecycle(stage, open))
    declareFaults(options, deviations, timeout)
  })
}
