import type {
  Action,
  JsonObject,
  Parameters,
  OperationAccess,
  TaskEither,
  Listing,
} from '@publishing-service/domain'
import type { PortFailure } from '@publishing-service/ports'
import type { AuditChange } from './audit/audit.js'
import type { Dependencies, InstanceDocuments } from './instance-store.js'
import type { Caller } from './caller.js'
import type { Derivatives } from './files/derivatives.js'
import type { Instances } from './access/instances.js'
import type { Outcome } from './failure.js'
import type { KeyedMutex } from './keyed-mutex.js'
import type { MergedReader } from './objects/read-merged.js'
import type { PageReader } from './objects/read-page.js'
import type { Precondition } from './objects/precondition.js'
import type { RecordCascade } from './objects/record-cascade.js'
import type { UpdateDocument } from './objects/update-document.js'
import type { Deployment, Ports } from './ports.js'

/** What all sessions share: ports without instances, and the state of this process. */
export type Services = Pick<Ports, 'blobs' | 'checksum' | 'clock' | 'ids' | 'imaging' | 'log'> & {
  readonly deployment: Deployment
  readonly derivatives: Derivatives
  readonly instances: Instances
  readonly merged: MergedReader
  readonly pages: PageReader
  readonly recordCascade: RecordCascade
  /** Whether the words of all documents of these collections can be found. */
  readonly isSearchComplete: (collections: readonly string[]) => TaskEither<PortFailure, boolean>
}

/** One execution of an operation: the caller, and the ports. The documents are those of the caller's instance. */
export type Session = Caller &
  Services & {
    /**
     * Operations that read receive damaged documents as `unreadable` from queries, and no damaged documents by id. In
     * operations that write, a damaged document is a defect.
     */
    readonly documents: InstanceDocuments
    /** Changes one document of the instance, and retries if others change it concurrently. */
    readonly update: UpdateDocument
    /** Runs tasks of the same key in this instance one at a time. */
    readonly exclusively: KeyedMutex
    /** The number of writes of this process to a collection of the instance: part of cache keys. */
    readonly writesTo: (collection: string) => number
    /** What the audit log says of an object of the subject that the session has read or written. */
    readonly describe: (id: string | null) => Pick<AuditChange, 'title' | 'changes'>
    /** What the session has read: the write counters of the collections, with their values before the read. */
    readonly dependencies: Dependencies
    /** Whether the session has read the clock, so that its result changes with time. */
    readonly isTimed: () => boolean
    /** If-Match and If-None-Match, over the representation that the operation writes. */
    readonly precondition: Precondition | undefined
    /** A page of the audit log of the instance. */
    readonly audit: (parameters: Parameters) => Outcome<Listing>
  }

/** What an operation has changed: an object of its subject, or null for the whole. */
export type Changed = {
  readonly object: string | null
  /** What changed in users, roles, keys and settings; never secrets. */
  readonly changes?: JsonObject
}

type Runs<Input, Output> = { readonly run: (session: Session, input: Input) => Outcome<Output> }

/** A use case of an instance that reads. */
export type ReadOperation<Input, Output> = OperationAccess<'read'> & Runs<Input, Output>

/** A use case of an instance that writes. */
export type WriteOperation<Input, Output> = OperationAccess<Exclude<Action, 'read'>> &
  Runs<Input, Output> & {
    /** What the audit log records of a run. */
    readonly changed: (input: Input, output: Output) => Changed
  }

/**
 * A use case of an instance, as a value: it runs in a session of a caller whose role permits the action on the subject.
 */
export type Operation<Input, Output> = ReadOperation<Input, Output> | WriteOperation<Input, Output>
