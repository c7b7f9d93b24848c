import type { WriteCounters } from '@publishing-service/application'
import type {
  BlobStore,
  DocumentStore,
  ExaminedStore,
  Log,
  StoreDescription,
} from '@publishing-service/ports'
import type { VariableValues } from './configuration-table.js'

/** The configuration of one process. */
export type Configuration = VariableValues & {
  /** The store that STORE chooses. */
  readonly documentStore: StoreKind<DocumentStore>
  /** The store that BLOBS chooses. */
  readonly blobStore: StoreKind<BlobStore>
}

/** A kind of store that STORE or BLOBS names: built in, or of an installed package. */
export type StoreKind<S> = {
  /** The variables that identify the store: messages name them, and a copy into the store needs them to be set. */
  readonly location: readonly string[]
  /** Where the data are: in the folder DATA_DIR, in the memory of the process, or in a place that `place` names. */
  readonly medium: 'folder' | 'memory' | 'other'
  /** Where it is, as people read it, without secrets. Equal places are the same store. */
  readonly place: (values: VariableValues) => string | Promise<string>
  /** Describes the store without changing it; rejects as `open` does. Null if that is not possible. */
  readonly describe: ((values: VariableValues) => Promise<StoreDescription>) | null
  /** What opening the store does with its data, with the documents of a collection; changes nothing. Null if that is not possible. */
  readonly examine: ((values: VariableValues, read: string) => Promise<ExaminedStore>) | null
  /** Rejects with an Error for the operator. The store counts the writes of other processes that it is notified of. */
  readonly open: (values: VariableValues, log: Log, writeCounters: WriteCounters) => Promise<S>
}

/** A kind that is built in, with the variables without a default that it needs. */
export type BuiltInStore<S> = StoreKind<S> & {
  readonly needed: readonly (keyof VariableValues)[]
}
