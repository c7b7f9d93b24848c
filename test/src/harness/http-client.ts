/**
 * The HTTP client of the tests. It uses node:http, so that nothing is added to requests, and checks the rules for
 * responses.
 */
import { Agent, request } from 'node:http'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import { expectDocumented } from './document-rules.js'
import { expectWireRules, jsonOf, type RawResponse } from './response-rules.js'

export type ApiResponse = RawResponse & {
  readonly text: string
  /** The JSON body; null if there is none. */
  readonly body: Json
  /** The JSON body as an object. Throws if it is not an object. */
  readonly object: JsonObject
}

type HeaderValue = string | readonly string[]

export type RequestOptions = {
  readonly headers?: Readonly<Record<string, HeaderValue | undefined>>
  /** Sent unchanged. */
  readonly body?: string | Uint8Array
  /** Sent in chunks, without a Content-Length. */
  readonly chunked?: boolean
  /** Never sends the end of the body. */
  readonly isUnfinished?: boolean
}

export type Api = {
  readonly token: string | null
  readonly send: (method: string, path: string, options?: RequestOptions) => Promise<ApiResponse>
  readonly get: (path: string, headers?: RequestOptions['headers']) => Promise<ApiResponse>
  readonly head: (path: string, headers?: RequestOptions['headers']) => Promise<ApiResponse>
  readonly put: (path: string, value: Json, headers?: RequestOptions['headers']) => Promise<ApiResponse>
  readonly patch: (path: string, value: Json, headers?: RequestOptions['headers']) => Promise<ApiResponse>
  readonly post: (path: string, value: Json, headers?: RequestOptions['headers']) => Promise<ApiResponse>
  readonly delete: (path: string, headers?: RequestOptions['headers']) => Promise<ApiResponse>
}

const sharedAgent = new Agent({ keepAlive: true, maxSockets: 64 })

const checkedResponse = (raw: RawResponse): ApiResponse => {
  expectWireRules(raw)
  expectDocumented(raw)
  const body = jsonOf(raw)
  return {
    ...raw,
    text: raw.bytes.toString('utf8'),
    body,
    get object() {
      if (!isJsonObject(body)) throw new Error(`${raw.method} ${raw.path} → ${raw.status}: no JSON object`)
      return body
    },
  }
}

const definedHeaders = (headers: RequestOptions['headers'] = {}): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : [...value]]],
    ),
  )

const exchange = (
  url: string,
  method: string,
  path: string,
  options: RequestOptions,
  agent: Agent,
): Promise<ApiResponse> => {
  const { hostname, port } = new URL(url)
  const { body, isUnfinished = false, chunked = isUnfinished } = options
  const headers = definedHeaders(options.headers)
  if (body !== undefined && !chunked) headers['Content-Length'] = String(Buffer.byteLength(body))
  if (body !== undefined && chunked) headers['Transfer-Encoding'] = 'chunked'
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, hostname, port, method, path, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const raw = {
          method,
          path,
          ...(body === undefined ? {} : { sent: body }),
          status: response.statusCode ?? 0,
          headers: response.headers,
        }
        if (isUnfinished) outgoing.destroy()
        try {
          resolve(checkedResponse({ ...raw, bytes: Buffer.concat(chunks) }))
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)))
        }
      })
    })
    outgoing.on('error', (error) => {
      error.message = `${method} ${path}: ${error.message}`
      reject(error)
    })
    if (isUnfinished) outgoing.write(body ?? '')
    else outgoing.end(body)
  })
}

const json = (value: Json, headers: RequestOptions['headers']): RequestOptions => ({
  body: JSON.stringify(value),
  headers: { 'Content-Type': 'application/json', ...headers },
})

/** The agent of a client with one connection, which is opened again when it is closed. */
export const oneConnection = (): Agent => new Agent({ keepAlive: true, maxSockets: 1 })

/** A client for paths below an address such as `http://127.0.0.1:8080/1`, with a token unless it is null. */
export const createApi = (url: string, token: string | null = null, agent = sharedAgent): Api => {
  const prefix = new URL(url).pathname.replace(/\/$/, '')
  const send = (method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse> => {
    const authorization = token === null ? {} : { Authorization: `Bearer ${token}` }
    const headers = { ...authorization, ...options.headers }
    return exchange(url, method, `${prefix}${path}`, { ...options, headers }, agent)
  }
  return {
    token,
    send,
    get: (path, headers = {}) => send('GET', path, { headers }),
    head: (path, headers = {}) => send('HEAD', path, { headers }),
    put: (path, value, headers) => send('PUT', path, json(value, headers)),
    patch: (path, value, headers) => send('PATCH', path, json(value, headers)),
    post: (path, value, headers) => send('POST', path, json(value, headers)),
    delete: (path, headers = {}) => send('DELETE', path, { headers }),
  }
}
