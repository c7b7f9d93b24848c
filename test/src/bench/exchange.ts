/** One request and its whole response, with unchanged bytes and headers. */
import { Agent, request as send, type OutgoingHttpHeaders } from 'node:http'
import type { Request } from './traffic.js'

export type ReceivedResponse = {
  readonly status: number
  /** Names and values in the order in which they were sent. */
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer
}

const pairs = (raw: readonly string[]): readonly (readonly [string, string])[] =>
  Array.from(
    { length: raw.length / 2 },
    (_, index) => [raw[index * 2] ?? '', raw[index * 2 + 1] ?? ''] as const,
  )

/** Connections that are kept open for the requests of one run. */
export const createAgent = (sockets: number): Agent => new Agent({ keepAlive: true, maxSockets: sockets })

/** Rejects where no response comes, within `timeout` milliseconds. */
export const exchange = (
  url: string,
  {
    method,
    path,
    headers,
    body,
  }: Omit<Request, 'method' | 'body'> & { readonly method: string; readonly body: string | Buffer | null },
  agent: Agent | false,
  timeout = 30_000,
): Promise<ReceivedResponse> =>
  new Promise((resolve, reject) => {
    const outgoing: OutgoingHttpHeaders = {
      ...headers,
      ...(body === null ? {} : { 'Content-Length': Buffer.byteLength(body) }),
    }
    const request = send(`${url}${path}`, { method, headers: outgoing, agent, timeout }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: pairs(response.rawHeaders),
          body: Buffer.concat(chunks),
        }),
      )
    })
    request.once('error', reject)
    request.once('timeout', () =>
      request.destroy(new Error(`no response to ${method} ${path} within ${timeout} ms`)),
    )
    request.end(body ?? undefined)
  })

export const headerOf = ({ headers }: ReceivedResponse, name: string): string | undefined =>
  headers.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1]

export const jsonOf = ({ body }: ReceivedResponse): unknown => JSON.parse(body.toString('utf8'))
