import type { DeliveryAnswer } from '@publishing-service/domain/webhooks'
import type { WebhookMessage, WebhookSender } from '@publishing-service/ports'

/** A sender that keeps what it sends, and answers as a test says. */
export type RecordingSender = WebhookSender & {
  readonly messages: WebhookMessage[]
  answer: (message: WebhookMessage) => DeliveryAnswer | Promise<DeliveryAnswer | null> | null
}

export const accepted: DeliveryAnswer = { status: 200, failure: null }

export const recordingSender = (): RecordingSender => {
  const messages: WebhookMessage[] = []
  let secrets = 0
  const sender: RecordingSender = {
    messages,
    answer: () => accepted,
    newSecret: () => `whsec_${(secrets += 1)}`,
    refusal: async (url) => {
      if (!url.startsWith('https:')) return 'insecure'
      return url.startsWith('https://10.') ? 'private_address' : null
    },
    send: async (message) => {
      messages.push(message)
      return sender.answer(message)
    },
    close: async () => undefined,
  }
  return sender
}
