/** One bucket of an S3-compatible server, and a client whose requests all come to an end. */
import http from 'node:http'
import https from 'node:https'
import { Client } from 'minio'
import { isWorthRetrying, noAnswer } from './minio-failure.js'

export type BucketOptions = {
  /** `http://host:port` or `https://host`, of MinIO or of any server of Amazon's S3 protocol. */
  readonly url: string
  readonly accessKey: string
  readonly secretKey: string
  /** Made where it is missing. */
  readonly bucket: string
  /** Where the server has regions; it is requested if omitted. */
  readonly region?: string
  /** Milliseconds of silence after which a request fails; 10 000 if omitted. */
  readonly patience?: number
}

export type Bucket = {
  readonly client: Client
  readonly name: string
  readonly region: string | undefined
  readonly patience: number
  /** Asks once more where the connection had been closed meanwhile; only for requests that may be sent twice. */
  readonly ask: <A>(request: () => Promise<A>) => Promise<A>
  /** Ends the connections. */
  readonly close: () => void
}

const keepAlive = { keepAlive: true, maxFreeSockets: 16 } as const

type Request = typeof http.request

/** Node's request, aborted when no byte arrives for a while before the head of the response. The reader of the body limits its own wait. */
const impatient =
  (request: Request, patience: number): Request =>
  (...parameters: readonly unknown[]) => {
    const sent = Reflect.apply(request, null, parameters) as http.ClientRequest
    sent.setTimeout(patience, () => sent.destroy(noAnswer(patience)))
    sent.once('response', () => sent.setTimeout(0))
    return sent
  }

/** Throws a TypeError where the URL is none, or holds more than a server's address. */
export const openConnections = (options: BucketOptions): Bucket => {
  const { patience = 10_000, region } = options
  const url = new URL(options.url)
  if (!['http:', 'https:'].includes(url.protocol))
    throw new TypeError('it must begin with http:// or https://')
  if (url.pathname !== '/' || url.search !== '' || url.username !== '')
    throw new TypeError('it must be a server’s address alone, without path, query or user')
  const secure = url.protocol === 'https:'
  const agent = new (secure ? https : http).Agent(keepAlive)
  const client = new Client({
    endPoint: url.hostname,
    ...(url.port === '' ? {} : { port: Number(url.port) }),
    useSSL: secure,
    accessKey: options.accessKey,
    secretKey: options.secretKey,
    ...(region === undefined ? {} : { region }),
    transport: { request: impatient(secure ? https.request : http.request, patience) },
    transportAgent: agent,
    // It would say each retry on the console.
    retryOptions: { disableRetry: true },
  })
  const ask = async <A>(request: () => Promise<A>): Promise<A> => {
    try {
      return await request()
    } catch (error) {
      if (!isWorthRetrying(error)) throw error
      return request()
    }
  }
  return { client, name: options.bucket, region, patience, ask, close: () => agent.destroy() }
}
