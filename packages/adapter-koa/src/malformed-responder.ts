import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Problem } from '@publishing-service/domain'
import { asciiJson, errorAnswer, errorBody } from '@publishing-service/http-contract'
import type { Log } from '@publishing-service/ports'
import { isComplete, type ConnectionExchanges } from './connection-exchanges.js'

const reasons: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'its headers are too long',
  HPE_INVALID_EOF_STATE: 'it broke off before its end',
  ERR_HTTP_REQUEST_TIMEOUT: 'it took too long',
}

const problemOf = (code: string | undefined): Problem => ({
  _tag: 'BadRequest',
  reason: reasons[code ?? ''] ?? 'it is not HTTP as the service speaks it',
})

/** How long a client may go on sending after the answer before its connection ends, in milliseconds. */
const lingerTime = 1000

/**
 * Gives what isn't HTTP, and so never becomes a request, the same kind of answer as the others
 * (docs/behaviour/wire.md#request-id, docs/behaviour/errors.md),
 * behind the answers that are still to come on its connection. A request that was answered before its body turned out
 * broken gets no second answer.
 */
export const createMalformedResponder = (
  baseUrl: string | null,
  exchanges: ConnectionExchanges,
  log: Log,
) => {
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
    const error = errorAnswer(problemOf(code))
    const { status } = error
    const body = asciiJson(errorBody(error, baseOf(socket)))
    const lines = [
      `HTTP/1.1 ${status} Bad Request`,
      `X-Request-Id: ${id}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${body.length}`,
      'Cache-Control: no-store',
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
    // The body of the very request is broken: whoever reads it won’t get to its end, so the answer is due here.
    else if (!latest.response.headersSent) respond(socket, error.code)
    else if (latest.response.writableFinished) end(socket)
    else latest.response.once('finish', () => end(socket))
  }
}
