import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Problem } from '@publishing-service/domain'
import { asciiJson } from '@publishing-service/domain/json'
import { dataPolicy, errorResponse, errorBody, protectiveHeaders } from '@publishing-service/http-contract'
import type { Log } from '@publishing-service/ports'
import { isComplete, type Exchanges } from './waiting.js'

const reasons: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'its headers are too long',
  HPE_INVALID_EOF_STATE: 'it ended before it was complete',
  ERR_HTTP_REQUEST_TIMEOUT: 'it took too long',
}

const problemOf = (code: string | undefined): Problem => ({
  _tag: 'BadRequest',
  reason: reasons[code ?? ''] ?? 'it is not a valid HTTP request',
})

/** Milliseconds after the response until the connection is closed, although the client still sends. */
const lingerTime = 1000

/**
 * Responds to input that is not valid HTTP, for which Node.js emits no request. The response has the form of other
 * errors (docs/behaviour/wire.md#request-id, docs/behaviour/errors.md). It is sent after the pending responses of the
 * connection. A request whose response was sent before its body proved malformed gets no second response.
 */
export const createMalformedResponder = (baseUrl: string | null, exchanges: Exchanges, log: Log) => {
  const handled = new WeakSet<Socket>()

  const baseOf = ({ localAddress = 'localhost', localPort = 80 }: Socket): string =>
    baseUrl ?? `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`

  const end = (socket: Socket, last = ''): void => {
    socket.end(last)
    const timer = setTimeout(() => socket.destroy(), lingerTime)
    timer.unref()
    socket.once('close', () => clearTimeout(timer))
  }

  const respond = (socket: Socket, code: string | undefined): void => {
    if (!socket.writable) return void socket.destroy()
    const id = randomUUID()
    const error = errorResponse(problemOf(code))
    const { status } = error
    const body = asciiJson(errorBody(error, baseOf(socket)))
    const lines = [
      `HTTP/1.1 ${status} Bad Request`,
      `X-Request-Id: ${id}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${body.length}`,
      'Cache-Control: no-store',
      `Content-Security-Policy: ${dataPolicy}`,
      ...Object.entries(protectiveHeaders).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
    ]
    log.write('info', 'malformed request', { request: id, status, reason: code })
    end(socket, `${lines.join('\r\n')}\r\n\r\n${body}`)
  }

  return (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (handled.has(socket)) return
    handled.add(socket)
    const latest = exchanges.latest(socket)
    if (error.code === 'ECONNRESET') socket.destroy()
    else if (latest === null || isComplete(latest)) respond(socket, error.code)
    else if (latest.request.complete) latest.response.once('finish', () => respond(socket, error.code))
    // The body of the latest request is malformed: reading it never completes, so the response is sent here, in turn.
    else if (latest.before?.writableFinished === false)
      latest.before.once('finish', () => respond(socket, error.code))
    else if (!latest.response.headersSent) respond(socket, error.code)
    else if (latest.response.writableFinished) end(socket)
    else latest.response.once('finish', () => end(socket))
  }
}
