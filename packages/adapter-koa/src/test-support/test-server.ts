/** A server for one test, and requests to it over separate connections. */
import { once } from 'node:events'
import { createServer, request, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { connect, type AddressInfo } from 'node:net'

export type TestResponse = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly text: string
}

export type TestServer = {
  readonly port: number
  readonly send: (
    method: string,
    path: string,
    headers?: Readonly<Record<string, string>>,
    body?: string,
  ) => Promise<TestResponse>
  /** Sends bytes unchanged, and returns everything received until the server closes the connection. */
  readonly sendRaw: (text: string) => Promise<string>
  readonly close: () => Promise<void>
}

export const startTestServer = async (listener: RequestListener): Promise<TestServer> => {
  const server = createServer({ requireHostHeader: false }, listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    send: (method, path, headers = {}, body = '') =>
      new Promise((resolve, reject) => {
        const outgoing = request(
          { host: '127.0.0.1', port, method, path, headers, agent: false },
          (response) => {
            const chunks: Buffer[] = []
            response.on('data', (chunk: Buffer) => chunks.push(chunk))
            response.on('error', reject)
            response.on('end', () => {
              const bytes = Buffer.concat(chunks)
              const { statusCode = 0, headers: received } = response
              resolve({ status: statusCode, headers: received, body: bytes, text: bytes.toString() })
            })
          },
        )
        outgoing.on('error', reject)
        outgoing.end(body)
      }),
    sendRaw: async (text) => {
      const socket = connect(port, '127.0.0.1')
      let received = ''
      socket.setEncoding('utf8')
      socket.on('data', (piece: string) => {
        received += piece
      })
      socket.on('error', () => undefined)
      socket.write(text)
      await once(socket, 'close')
      return received
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
