import type { WebhookSender } from '@publishing-service/ports'
import type { InstanceDocuments } from '../instance-store.js'
import type { UpdateDocument } from '../engine/update-document.js'

/** What is done to web hooks with. */
export type WebhookParts = {
  /** The documents of the service itself. */
  readonly documents: InstanceDocuments
  /** Changes one of them. */
  readonly update: UpdateDocument
  readonly sender: WebhookSender
}
