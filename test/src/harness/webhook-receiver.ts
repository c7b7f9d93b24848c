/** A receiver of web hooks on this machine. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '@publishing-service/domain/json'

/** What the receiver has got, and when: milliseconds of `performance.now`. */
export type Received = {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: JsonObject
  readonly at: number
}

export type Receiver = {
  readonly url: string
  /** What it has got until now. */
  readonly received: readonly Received[]
  /** The status of its answers; 204 at first. */
  status: number
  /** Waits until it has got this many messages. */
  readonly until: (count: number) => Promise<readonly Received[]>
  readonly close: () => void
}

export const startReceiver = async (): Promise<Receiver> => {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (piece: string) => (text += piece))
    request.on('end', () => {
      const body = JSON.parse(text) as JsonObject
      received.push({ headers: request.headers, text, body, at: performance.now() })
      response.writeHead(receiver.status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    status: 204,
    until: async (count) => {
      for (let attempt = 0; received.length < count && attempt < 500; attempt += 1) await wait(10)
      if (received.length < count) throw new Error(`${received.length} of ${count} messages have arrived`)
      return received
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return receiver
}
