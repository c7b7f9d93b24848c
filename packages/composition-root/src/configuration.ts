import type { BlobStore, DocumentStore } from '@publishing-service/ports'
import type { VariableValues } from './configuration-table.js'
import type { StoreKind } from './stores/store-kind.js'

/** The configuration of one process. */
export type Configuration = VariableValues & {
  /** The store that STORE chooses. */
  readonly documentStore: StoreKind<DocumentStore>
  /** The store that BLOBS chooses. */
  readonly blobStore: StoreKind<BlobStore>
}
