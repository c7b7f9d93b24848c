import type { DeliveryAnswer } from '@publishing-service/domain/webhooks'

/** A message to the receiver of a web hook. */
export type WebhookMessage = {
  readonly url: string
  /** Identifies the delivery: the same in each attempt. */
  readonly id: string
  /** When it is sent, in milliseconds since 1970. */
  readonly time: number
  /** JSON. */
  readonly body: string
  /** Each signs the message. */
  readonly secrets: readonly string[]
  /** Further headers, such as those of a trace. They are not signed. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Sends messages to the receivers of web hooks, by the conventions of Standard Webhooks.
 * - A secret has 256 random bits, and the form of those conventions.
 * - A message has its id, its time, and a signature with each secret, which their libraries verify.
 * - An address that is private, loopback or link-local is refused unless it is allowed, in every notation.
 * - The address is checked at each connection: what a name led to before does not count.
 * - `http` is refused unless private addresses are allowed.
 * - It ends after 10 seconds, the look-up of the address included. A status that has arrived by then counts.
 * - Redirects are not followed.
 * - At most 64 KiB of an answer are read, and none of them is returned.
 * - Sending never rejects. It returns null once the sender is closed, which ends what is being sent.
 */
export type WebhookSender = {
  readonly newSecret: () => string
  /** Why nothing would be sent to this address; null if it would, as far as that is known now. */
  readonly refusal: (url: string) => Promise<'insecure' | 'private_address' | null>
  readonly send: (message: WebhookMessage) => Promise<DeliveryAnswer | null>
  readonly close: () => Promise<void>
}
