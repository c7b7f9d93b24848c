/** One load by autocannon: takes it as a message, judges each answer, sends back what it counted and ends. */
import autocannon from 'autocannon'
import type { SentLoad } from './autocannon-driver.js'
import { shortened, type LoadResult } from './load-driver.js'
import { requestAt } from './traffic.js'

const connectedTo = (parent: NodeJS.Process): ((result: LoadResult) => void) => {
  const send = parent.send?.bind(parent)
  if (send === undefined) throw new Error('autocannon-process runs as a child of the bench only')
  return (result) => void send(result, undefined, undefined, () => parent.disconnect())
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** autocannon hands bodies over as text; one that is no text can be judged by its size alone. */
const textOf = (body: string | null): string | null => {
  if (body === null) return null
  try {
    return utf8.decode(Buffer.from(body, 'base64'))
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** What the head of an answer may add to its size, in bytes. */
const headBytes = 4096

const reply = connectedTo(process)

const drive = async ({
  url,
  traffic,
  expected,
  firstSerial,
  connections,
  seconds,
}: SentLoad): Promise<void> => {
  const wanted = textOf(expected.body)
  let serial = firstSerial
  let wrong = 0
  let firstWrong: string | null = null
  const reject = (status: number, body: string): void => {
    wrong += 1
    firstWrong ??= shortened(status, body)
  }
  const { headers } = traffic
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    sampleInt: 50,
    timeout: 10,
    requests: [
      {
        setupRequest: (request) => {
          const { method, path, body } = requestAt(traffic, serial)
          serial += 1
          return { ...request, method, path, headers: { ...headers }, ...(body === null ? {} : { body }) }
        },
      },
    ],
    setupClient: (client) => {
      let status = 0
      client.on('headers', ({ statusCode }) => {
        status = statusCode
      })
      client.on('response', (code, bytes) => {
        const isRight =
          code === expected.status && bytes >= expected.leastBytes && bytes <= expected.mostBytes + headBytes
        if (!isRight) reject(code, `${bytes} bytes`)
      })
      client.on('mismatch', (body) => reject(status, body))
    },
    ...(wanted === null ? {} : { verifyBody: (body: string) => body === wanted }),
  })
  reply({
    requests: result.requests.total,
    seconds: result.duration,
    latency: { median: result.latency.p50, p99: result.latency.p99 },
    wrong,
    firstWrong,
    broken: result.errors + result.timeouts,
  })
}

process.once('message', (load) => void drive(load as SentLoad))
