/** One bucket of an S3-compatible server, with a client whose requests have a timeout. */
import http from 'node:http'
import https from 'node:https'
import { Client } from 'minio'
import { isConnectionClosed, timeoutError } from './minio-failure.js'

export type BucketOptions = {
  /** `http://host:port` or `https://host` of MinIO, Amazon S3 or another S3-compatible server. */
  readonly url: string
  readonly accessKey: string
  readonly secretKey: string
  /** Created if it is missing. */
  readonly bucket: string
  /** If the server has regions. Read from the server if omitted. */
  readonly region?: string
  /** Milliseconds without data after which a request fails. Default 10 000. */
  readonly timeout?: number
}

export type Bucket = {
  readonly client: Client
  readonly name: string
  readonly region: string | undefined
  readonly timeout: number
  /** Sends a request, and repeats it once if the connection was closed. Only for requests that may be sent twice. */
  readonly send: <A>(request: () => Promise<A>) => Promise<A>
  /** Ends the connections. */
  readonly close: () => void
}

const keepAlive = { keepAlive: true, maxFreeSockets: 16 } as const

type Request = typeof http.request

/** Aborts a request if the head of its response does not arrive in time. The reader of the body has its own timeout. */
const withTimeout =
  (request: Request, timeout: number): Request =>
  (...parameters: readonly unknown[]) => {
    const sent = Reflect.apply(request, null, parameters) as http.ClientRequest
    sent.setTimeout(timeout, () => sent.destroy(timeoutError(timeout)))
    sent.once('response', () => sent.setTimeout(0))
    return sent
  }

/** Throws a TypeError if the URL is invalid or is more than the address of a server. */
export const openConnections = (options: BucketOptions): Bucket => {
  const { timeout = 10_000, region } = options
  const url = new URL(options.url)
  if (!['http:', 'https:'].includes(url.protocol))
    throw new TypeError('it must begin with http:// or https://')
  if (url.pathname !== '/' || url.search !== '' || url.username !== '')
    throw new TypeError('it must be the address of a server, without path, query or user')
  const secure = url.protocol === 'https:'
  const agent = new (secure ? https : http).Agent(keepAlive)
  const client = new Client({
    endPoint: url.hostname,
    ...(url.port === '' ? {} : { port: Number(url.port) }),
    useSSL: secure,
    accessKey: options.accessKey,
    secretKey: options.secretKey,
    ...(region === undefined ? {} : { region }),
    transport: { request: withTimeout(secure ? https.request : http.request, timeout) },
    transportAgent: agent,
    // The client prints each retry to the console.
    retryOptions: { disableRetry: true },
  })
  const send = async <A>(request: () => Promise<A>): Promise<A> => {
    try {
      return await request()
    } catch (error) {
      if (!isConnectionClosed(error)) throw error
      return request()
    }
  }
  return { client, name: options.bucket, region, timeout, send, close: () => agent.destroy() }
}
