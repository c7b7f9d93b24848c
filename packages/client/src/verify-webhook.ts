import type { Change } from './watch-changes.js'

/** What a web hook sends (docs/behaviour/webhooks.md#deliveries). */
export type WebhookEvent = {
  /** The identifier of the delivery: it may arrive again. */
  readonly id: string
  /** Such as `content.updated`; `test` for a test. */
  readonly type: string
  readonly time: string
  readonly instance: number
  readonly object: Pick<Change, 'uuid' | 'type' | 'url' | 'path' | 'previous_path'>
  /** The tags by which a CDN purges what the change makes outdated (docs/behaviour/caching.md#cache-tags). */
  readonly cache_tags: readonly string[]
}

export type WebhookRequest = {
  /** The secret that was shown when the web hook was created: `whsec_…`. */
  readonly secret: string
  readonly headers: Pick<Headers, 'get'>
  /** The body as it was sent. Its bytes are signed, so JSON that was read and written again is another body. */
  readonly body: string | Uint8Array<ArrayBuffer>
  /** Milliseconds since 1970. Default: the clock of the machine. */
  readonly now?: number
}

/** The greatest age of a signature in seconds: by the conventions of Standard Webhooks. */
const tolerance = 300

const secretStart = 'whsec_'

/** Bytes in Base64; null if the text is something else. */
const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | null => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch (error) {
    if (error instanceof DOMException) return null
    throw error
  }
}

/**
 * The event of a delivery; null if nobody has signed it who knows the secret, or more than five minutes ago. Signatures are
 * those of Standard Webhooks, checked by Web Crypto. Throws if the secret is none.
 */
export const verifyWebhook = async ({
  secret,
  headers,
  body,
  now = Date.now(),
}: WebhookRequest): Promise<WebhookEvent | null> => {
  const key = secret.startsWith(secretStart) ? bytesOf(secret.slice(secretStart.length)) : null
  if (key === null || key.length === 0)
    throw new Error(
      `The secret of a web hook is ${secretStart} and Base64, as the response to its creation has it`,
    )
  const id = headers.get('webhook-id')
  const timestamp = headers.get('webhook-timestamp')
  const signatures = headers.get('webhook-signature')
  if (id === null || timestamp === null || signatures === null) return null
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= tolerance)) return null

  const { subtle } = globalThis.crypto
  const sent = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const start = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array([...start, ...sent])
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const cryptoKey = await subtle.importKey('raw', key, hmac, false, ['verify'])
  for (const versioned of signatures.split(' ')) {
    const [version, base64 = ''] = versioned.split(',')
    const signature = version === 'v1' ? bytesOf(base64) : null
    if (signature !== null && (await subtle.verify('HMAC', cryptoKey, signature, signed)))
      return JSON.parse(new TextDecoder().decode(sent)) as WebhookEvent
  }
  return null
}
