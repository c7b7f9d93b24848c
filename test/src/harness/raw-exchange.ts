/**
 * Sends bytes on a TCP connection, for requests that no HTTP client sends. The responses are checked like all
 * others.
 */
import { connect } from 'node:net'
import { expectWireRules, type RawResponse } from './response-rules.js'

export type RawRequest = {
  readonly bytes: string | Uint8Array
  /**
   * What the client does after the bytes: waits for the server to close, closes its side, or resets the
   * connection.
   */
  readonly ending: 'wait' | 'end' | 'break off'
}

/** The maximum duration of a connection, in milliseconds. */
const timeout = 4000

const responsesIn = (received: Buffer): readonly RawResponse[] => {
  const responses: RawResponse[] = []
  let rest = received
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) throw new Error(`incomplete response: ${rest.toString('latin1').slice(0, 300)}`)
    const [first = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1])
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    )
    const length = Number(headers['content-length'] ?? 0)
    const bytes = rest.subarray(end + 4, end + 4 + length)
    if (bytes.length < length) throw new Error(`a response of ${length} bytes ended after ${bytes.length}`)
    rest = rest.subarray(end + 4 + length)
    if (status !== 100) responses.push({ method: 'raw', path: '', status, headers, bytes })
  }
  return responses
}

/** Sends the bytes, and returns the responses until the connection ends. */
export const rawExchange = (url: string, { bytes, ending }: RawRequest): Promise<readonly RawResponse[]> => {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const received: Buffer[] = []
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`still open after ${timeout} ms: ${Buffer.concat(received).toString('latin1')}`))
    }, timeout)
    const finish = (): void => {
      clearTimeout(timer)
      socket.destroy()
      try {
        const responses = responsesIn(Buffer.concat(received))
        for (const response of responses) expectWireRules(response)
        resolve(responses)
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)))
      }
    }
    socket.on('data', (chunk: Buffer) => received.push(chunk))
    socket.on('end', finish)
    // The server may reset the connection before everything is sent.
    socket.on('error', finish)
    socket.on('close', () => clearTimeout(timer))
    socket.write(bytes, () => {
      if (ending === 'end') socket.end()
      if (ending !== 'break off') return
      clearTimeout(timer)
      socket.resetAndDestroy()
      resolve([])
    })
  })
}
