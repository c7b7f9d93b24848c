/** Receives events of web hooks: verifies each, answers, and works on them in their order. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'

/** What has happened to an object. */
export type HookEvent = {
  /** Such as `content.updated`; `test` for a test. */
  readonly type: string
  readonly object: {
    readonly uuid: string
    readonly type: string
    readonly path: string | null
    readonly previous_path: string | null
  }
}

export type ReceiverOptions = {
  /** The secret that was shown when the web hook was created. */
  readonly secret: string
  readonly work: (event: HookEvent) => Promise<void>
  readonly onFailure: (error: unknown) => void
}

/** More than an event has. */
const maxBytes = 64 * 1024

/** Deliveries that are remembered: one may arrive again. */
const mostRemembered = 10_000

/** The body as it was sent: the signature is of these bytes. Null if it is too long. */
const readBody = async (request: IncomingMessage): Promise<string | null> => {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request) {
    pieces.push(Buffer.from(piece))
    bytes += pieces.at(-1)?.length ?? 0
    if (bytes > maxBytes) return null
  }
  return Buffer.concat(pieces).toString()
}

const headerOf = ({ headers }: IncomingMessage, name: string): string => String(headers[name] ?? '')

export const createReceiver = ({ secret, work, onFailure }: ReceiverOptions): Server => {
  const webhook = new Webhook(secret)
  const seen = new Set<string>()
  let last = Promise.resolve()

  /** The event of a request; null if nobody has signed it who knows the secret, or too long ago. */
  const verified = (request: IncomingMessage, body: string): HookEvent | null => {
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
    try {
      const headers = Object.fromEntries(names.map((name) => [name, headerOf(request, name)]))
      // What has this signature comes from the service.
      return webhook.verify(body, headers) as HookEvent
    } catch (error) {
      if (error instanceof WebhookVerificationError) return null
      throw error
    }
  }

  const respond = async (request: IncomingMessage): Promise<number> => {
    if (request.method !== 'POST') return 405
    const body = await readBody(request)
    if (body === null) return 413
    const event = verified(request, body)
    if (event === null) return 401
    const id = headerOf(request, 'webhook-id')
    if (seen.has(id)) return 204
    seen.add(id)
    for (const oldest of seen) if (seen.size > mostRemembered) seen.delete(oldest)
    // The service waits ten seconds for the answer, so the work is done after it.
    last = last.then(() => work(event)).catch(onFailure)
    return 204
  }

  return createServer((request, response) => {
    respond(request)
      .catch((error: unknown) => {
        onFailure(error)
        return 500
      })
      .then((status) => response.writeHead(status, { Connection: 'close' }).end(), onFailure)
  })
}
