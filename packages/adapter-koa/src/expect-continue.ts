import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** The responses to requests whose client waits until it is told to send the body. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>()

/**
 * Clients that send `Expect: 100-continue` get 100 when the body is about to be read. A request that fails
 * before, such as one without a token, gets its response without a body.
 */
export const deferContinue = (server: Server): void => {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.set(request, response)
    server.emit('request', request, response)
  })
}

/** Tells a client that waits for it to send the body. */
export const requestBody = (request: IncomingMessage): void => {
  const response = waiting.get(request)
  if (waiting.delete(request) && response?.headersSent === false) response.writeContinue()
}
