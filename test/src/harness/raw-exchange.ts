/** Bytes over a bare socket, for what no HTTP client would send; the answers are looked at like all others. */
import { connect } from 'node:net'
import { expectWireRules, type RawAnswer } from './answer-rules.js'

export type RawRequest = {
  readonly bytes: string | Uint8Array
  /** What the client does once the bytes are sent: waits for the server to close, closes its side, or breaks off. */
  readonly ending: 'wait' | 'end' | 'break off'
}

/** A connection that stays open longer than this is a failure, in milliseconds. */
const patience = 4000

const answersIn = (received: Buffer): readonly RawAnswer[] => {
  const answers: RawAnswer[] = []
  let rest = received
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) throw new Error(`no whole answer: ${rest.toString('latin1').slice(0, 300)}`)
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
    if (bytes.length < length) throw new Error(`an answer of ${length} bytes broke off after ${bytes.length}`)
    rest = rest.subarray(end + 4 + length)
    if (status !== 100) answers.push({ method: 'raw', path: '', status, headers, bytes })
  }
  return answers
}

/** Sends the bytes and gives what came back until the connection ended. */
export const rawExchange = (url: string, { bytes, ending }: RawRequest): Promise<readonly RawAnswer[]> => {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const received: Buffer[] = []
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`still open after ${patience} ms: ${Buffer.concat(received).toString('latin1')}`))
    }, patience)
    const finish = (): void => {
      clearTimeout(timer)
      socket.destroy()
      try {
        const answers = answersIn(Buffer.concat(received))
        for (const answer of answers) expectWireRules(answer)
        resolve(answers)
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)))
      }
    }
    socket.on('data', (chunk: Buffer) => received.push(chunk))
    socket.on('end', finish)
    // The server may end a connection that it has had enough of before everything was sent.
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
