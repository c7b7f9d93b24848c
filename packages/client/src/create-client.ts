import createApi, { type Client as Api, createFinalURL } from 'openapi-fetch'
import type { components, paths } from './api.js'
import {
  listFormat,
  readRows,
  type CollectionPath,
  type FieldOf,
  readPage,
  type PageOptions,
  type Row,
  type RowPage,
  type RowsOptions,
  serializers,
} from './read-rows.js'
import { revokeToken } from './revoke-token.js'
import { sendData, type Progress } from './send-data.js'
import { readJson } from './service-error.js'
import { tokenSource, type Token, type TokenSource } from './token-source.js'
import { watchChanges, type ChangeBatch, type WatchOptions } from './watch-changes.js'
import { readWebPage, type WebPage, type WebPageOptions } from './web-page.js'
import { withRetries } from './with-retries.js'

export type Credentials =
  | {
      readonly key: string
      readonly secret: string
      readonly requestToken?: never
      readonly signInAgain?: never
    }
  /** Returns a token: for browsers, which must not know a secret. */
  | { readonly requestToken: () => Promise<Token>; readonly key?: never; readonly signInAgain?: never }
  /**
   * For pages of the service itself: requests use the session in the cookie of the browser. If it has ended, this is called,
   * once for concurrent requests, and they are repeated when it has resolved.
   */
  | { readonly signInAgain: () => Promise<void>; readonly key?: never; readonly requestToken?: never }
  /** Without a key, requests have no token. */
  | { readonly key?: never; readonly requestToken?: never; readonly signInAgain?: never }

export type ClientOptions = Credentials & {
  /** The address of the service, such as `http://127.0.0.1:8080`. */
  readonly service: string
  /** How often a request is repeated at most, on 429 and 503. Default: 3. */
  readonly retries?: number
  readonly fetch?: typeof globalThis.fetch
}

export type Upload = {
  readonly iid: number
  /** The file, whose metadata exists. */
  readonly uuid: string
  /** Its type becomes the MIME type of the file. */
  readonly data: Blob
  /** Is called while data is sent, from the start again if the upload is repeated. */
  readonly onProgress?: (progress: Progress) => void
  readonly signal?: AbortSignal
}

/** `GET`, `PUT`, `PATCH`, `POST` and `DELETE` are those of openapi-fetch, with a token and retries. */
export type Client = Api<paths> & {
  /**
   * Requests an address of the service that only a response or a description names, as `fetch` does: below that of the service,
   * from `/`. `query` is for an address without one, as with `GET`.
   */
  readonly fetch: (
    address: `/${string}`,
    init?: RequestInit & { readonly query?: Readonly<Record<string, unknown>> },
  ) => Promise<Response>
  /** The current token, with the instances of the API user. Rejects if the client has no key. */
  readonly token: (signal?: AbortSignal) => Promise<Token>
  /** Ends the current token, if there is one. A later request uses a new one. Throws a `ServiceError` on an error response. */
  readonly signOut: () => Promise<void>
  /** The rows of all pages of a collection. Throws a `ServiceError` on an error response. */
  readonly rows: <P extends CollectionPath, const Field extends FieldOf<P>>(
    pathname: P,
    options: RowsOptions<P, Field>,
  ) => AsyncGenerator<Row<P, Field>, void, undefined>
  /** One page of a collection. Throws a `ServiceError` on an error response. */
  readonly page: <P extends CollectionPath, const Field extends FieldOf<P>>(
    pathname: P,
    options: PageOptions<P, Field>,
  ) => Promise<RowPage<P, Field>>
  /** What the website shows at a path; null if there is nothing. Throws a `ServiceError` on another error response. */
  readonly webPage: (options: WebPageOptions) => Promise<WebPage | null>
  /** Reads what changes, until its signal is aborted. Throws a `ServiceError` on an error response that is not temporary. */
  readonly watch: (options: WatchOptions) => AsyncGenerator<ChangeBatch, void, undefined>
  /** A client with the token of a preview: it reads as the public does, and the object of the preview with its draft. */
  readonly preview: (token: string) => Client
  /** Sends the data of a file. Throws a `ServiceError` on an error response. */
  readonly upload: (upload: Upload) => Promise<components['schemas']['Uploaded']>
}

/** A session that requests use until one of them is rejected. Its token is in the cookie. */
type Session = { readonly expires_in: number }

type Attempt = (authorization: Readonly<Record<string, string>>) => Promise<Response>

/** A PATCH sets attributes: repeated, it has the same result. A POST creates another object. */
const isRepeatable = (method: string): boolean => method !== 'POST'

const never = new AbortController().signal

/** A client of a service, for Node and browsers. It sends no request before it is used. */
export const createClient = (options: ClientOptions): Client => {
  const { retries = 3, fetch = globalThis.fetch } = options
  const service = options.service.replace(/\/$/, '')

  const exchange = async (key: string, secret: string): Promise<Token> => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', api_key: key, api_secret: secret })
    const attempt = () => fetch(`${service}/oauth/token`, { method: 'POST', body })
    return readJson<Token>(await withRetries(attempt, { retries, repeatable: true, signal: never }))
  }
  const hasToken = options.key !== undefined || options.requestToken !== undefined
  const tokens = tokenSource(() => {
    if (options.requestToken !== undefined) return options.requestToken()
    if (options.key !== undefined) return exchange(options.key, options.secret)
    return Promise.reject(
      new Error('A client without a key has no token: pass key and secret, or requestToken'),
    )
  })

  let hasEnded = false
  const renewed = tokenSource(async (): Promise<Session> => {
    const isAgain = hasEnded
    hasEnded = false
    if (isAgain) await options.signInAgain?.()
    return { expires_in: Infinity }
  })
  const sessions: TokenSource<Session> = {
    ...renewed,
    drop: (session) => {
      hasEnded = true
      renewed.drop(session)
    },
  }

  /** Sends a request with the token or the session, if there is one, and once more with a new one if it is rejected. */
  const send = async (attempt: Attempt, repeatable: boolean, signal: AbortSignal): Promise<Response> => {
    const retrying = { retries, repeatable, signal }
    const sendWith = async <T extends Session>(
      source: TokenSource<T>,
      authorization: (token: T) => string,
    ): Promise<Response> => {
      const once = (token: T) => withRetries(() => attempt({ Authorization: authorization(token) }), retrying)
      const token = await source.get(signal)
      const response = await once(token)
      if (response.status !== 401) return response
      source.drop(token)
      await response.arrayBuffer()
      return once(await source.get(signal))
    }
    if (hasToken) return sendWith(tokens, ({ access_token: token }) => `Bearer ${token}`)
    if (options.signInAgain !== undefined) return sendWith(sessions, () => 'Session')
    return withRetries(() => attempt({}), retrying)
  }

  const sendRequest = (request: Request): Promise<Response> => {
    const attempt: Attempt = (authorization) => {
      const copy = request.clone()
      for (const [name, value] of Object.entries(authorization)) copy.headers.set(name, value)
      return fetch(copy)
    }
    return send(attempt, isRepeatable(request.method), request.signal)
  }

  const getWith =
    (signal = never) =>
    (url: string) =>
      sendRequest(new Request(url, { signal }))

  return {
    ...createApi<paths>({ baseUrl: service, fetch: sendRequest, querySerializer: listFormat }),
    fetch: (address, { query = {}, ...init } = {}) =>
      sendRequest(
        new Request(createFinalURL(address, { baseUrl: service, params: { query }, ...serializers }), init),
      ),
    token: (signal = never) => tokens.get(signal),
    signOut: async () => {
      const token = tokens.take()
      if (token !== null) await revokeToken({ service, token: token.access_token, retries, fetch })
    },
    rows: (pathname, rowsOptions) => readRows(getWith(rowsOptions.signal), service, pathname, rowsOptions),
    page: (pathname, pageOptions) => readPage(getWith(pageOptions.signal), service, pathname, pageOptions),
    webPage: (pageOptions) => readWebPage(getWith(pageOptions.signal), service, pageOptions),
    watch: (watchOptions) => watchChanges(getWith(watchOptions.signal), service, watchOptions),
    preview: (token) => {
      const previewToken = { access_token: token, token_type: 'bearer', expires_in: 0, items: [] } as const
      return createClient({
        service,
        retries,
        fetch,
        requestToken: async () => ({ ...previewToken, items: [] }),
      })
    },
    upload: async ({ iid, uuid, data, signal = never, onProgress }) => {
      const url = `${service}/${iid}/files/${encodeURIComponent(uuid)}`
      const attempt: Attempt = (authorization) => {
        const headers = new Headers(authorization)
        if (data.type !== '') headers.set('Content-Type', data.type)
        return sendData(fetch, { url, headers, data, signal, ...(onProgress && { onProgress }) })
      }
      // Data that is sent twice is stored once.
      return readJson(await send(attempt, true, signal))
    },
  }
}
