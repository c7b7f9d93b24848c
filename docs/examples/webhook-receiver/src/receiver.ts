/** Receives events of web hooks: verifies each, answers, and works on them in their order. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { verifyWebhook, type WebhookEvent } from '@publishing-service/client'

export type ReceiverOptions = {
  /** The secret that was shown when the web hook was created. */
  readonly secret: string
  readonly work: (event: WebhookEvent) => Promise<void>
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

/** The headers of a request, by name. */
const headersOf = ({ headersDistinct }: IncomingMessage) => ({
  get: (name: string): string | null => headersDistinct[name]?.[0] ?? null,
})

export const createReceiver = ({ secret, work, onFailure }: ReceiverOptions): Server => {
  const seen = new Set<string>()
  let last = Promise.resolve()

  const respond = async (request: IncomingMessage): Promise<number> => {
    if (request.method !== 'POST') return 405
    const body = await readBody(request)
    if (body === null) return 413
    const event = await verifyWebhook({ secret, headers: headersOf(request), body })
    if (event === null) return 401
    const { id } = event
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
