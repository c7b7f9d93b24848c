import type { WebhookSender } from '@publishing-service/ports'
import type { SystemParts } from '../system-parts.js'

/** What is done to web hooks with. */
export type WebhookParts = SystemParts & { readonly sender: WebhookSender }
