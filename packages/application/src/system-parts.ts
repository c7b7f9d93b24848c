import type { UpdateDocument, WriteDocument } from './engine/update-document.js'
import type { InstanceDocuments } from './instance-store.js'

/** What is done to the documents of the service itself with. */
export type SystemParts = {
  readonly documents: InstanceDocuments
  /** Inserts, changes or removes one of them. */
  readonly write: WriteDocument
  /** Changes one of them. */
  readonly update: UpdateDocument
}
