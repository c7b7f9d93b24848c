/** Requests to a service: at its public address as readers send them, or to its port or socket on this machine. */
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { TLSSocket } from 'node:tls'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import type { Forwarded } from './judge-address.js'

/** An answer. Its body is an empty object if it is no object in JSON. */
export type Answer = {
  readonly status: number
  readonly body: JsonObject
  readonly location: string | null
  /** When the certificate of the connection ends, in milliseconds since 1970; null without encryption. */
  readonly certificateEnds: number | null
}

type Question = {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** The path of a socket of the file system, in place of host and port. */
  readonly socketPath?: string
}

const timeout = 10_000
const longestBody = 65_536

const jsonOf = (text: string): JsonObject => {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

const readAnswer = async (response: IncomingMessage): Promise<Answer> => {
  // Later it may be unknown, because the connection is closed.
  const { socket } = response
  const certificateEnds =
    socket instanceof TLSSocket ? Date.parse(socket.getPeerCertificate().valid_to) : null
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of response) {
    if (!Buffer.isBuffer(piece)) continue
    pieces.push(piece)
    length += piece.length
    if (length > longestBody) break
  }
  return {
    status: response.statusCode ?? 0,
    body: jsonOf(Buffer.concat(pieces).toString()),
    location: response.headers.location ?? null,
    certificateEnds,
  }
}

/** Rejects with the error of the system, or of the certificate. */
export const ask = ({ url, headers = {}, socketPath }: Question): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? requestHttps : requestHttp
    const sent = request(
      url,
      {
        headers: { ...headers, Accept: 'application/json', 'User-Agent': 'publishing-service doctor' },
        agent: false,
        signal: AbortSignal.timeout(timeout),
        ...(socketPath === undefined ? {} : { socketPath }),
      },
      (response) => readAnswer(response).then(resolve, reject),
    )
    sent.on('error', (error) =>
      reject(
        error.name === 'AbortError' || error.name === 'TimeoutError'
          ? new Error(`${url} does not answer within ${timeout / 1000} seconds`)
          : error,
      ),
    )
    sent.end()
  })

const mostRedirects = 5

/** Follows redirects. `redirects` are the addresses that it was led to. */
export const askFollowing = async (
  url: string,
): Promise<{ readonly answer: Answer; readonly redirects: readonly string[] }> => {
  const redirects: string[] = []
  for (let next = url; ;) {
    const answer = await ask({ url: next })
    const { status, location } = answer
    if (status < 300 || status > 399 || location === null) return { answer, redirects }
    if (redirects.length === mostRedirects)
      throw new Error(`${url} redirects more than ${mostRedirects} times`)
    next = new URL(location, next).href
    if (!/^https?:/.test(next)) throw new Error(`${url} redirects to ${next}`)
    redirects.push(next)
  }
}

/** Whether a request for its liveness was answered by a service. */
export const isLive = ({ status, body }: Answer): boolean => status === 200 && body['status'] === 'live'

/** What a service says of the headers of that request; null if it says nothing, as those of earlier releases do. */
export const forwardedIn = (answer: Answer): Forwarded | null => {
  const { forwarded } = answer.body
  if (!isLive(answer) || !isJsonObject(forwarded)) return null
  return {
    for: forwarded['for'] === true,
    proto: String(forwarded['proto'] ?? ''),
    host: String(forwarded['host'] ?? ''),
  }
}
