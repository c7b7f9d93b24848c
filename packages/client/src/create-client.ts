import createApi, { type Client as Api } from 'openapi-fetch'
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
} from './read-rows.js'
import { revokeToken } from './revoke-token.js'
import { sendData, type Progress } from './send-data.js'
import { readJson } from './service-error.js'
import { tokenSource, type Token } from './token-source.js'
import { withRetries } from './with-retries.js'

export type ClientOptions = {
  /** The address of the service, such as `http://127.0.0.1:8080`. */
  readonly service: string
  /** How often a request is repeated at most, on 429 and 503. Default: 3. */
  readonly retries?: number
  readonly fetch?: typeof globalThis.fetch
} & (
  | { readonly key: string; readonly secret: string }
  /** Returns a token: for browsers, which must not know a secret. */
  | { readonly requestToken: () => Promise<Token> }
)

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
  /** The current token, with the instances of the API user. */
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
  /** Sends the data of a file. Throws a `ServiceError` on an error response. */
  readonly upload: (upload: Upload) => Promise<components['schemas']['Uploaded']>
}

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
  const tokens = tokenSource(
    'requestToken' in options ? options.requestToken : () => exchange(options.key, options.secret),
  )

  /** Sends a request with a token, and once more with a new one if the token is rejected. */
  const send = async (
    attempt: (authorization: string) => Promise<Response>,
    repeatable: boolean,
    signal: AbortSignal,
  ): Promise<Response> => {
    const sendWith = ({ access_token: token }: Token) =>
      withRetries(() => attempt(`Bearer ${token}`), { retries, repeatable, signal })
    const token = await tokens.get(signal)
    const response = await sendWith(token)
    if (response.status !== 401) return response
    tokens.drop(token)
    await response.arrayBuffer()
    return sendWith(await tokens.get(signal))
  }

  const sendRequest = (request: Request): Promise<Response> => {
    const attempt = (authorization: string) => {
      const copy = request.clone()
      copy.headers.set('Authorization', authorization)
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
    token: (signal = never) => tokens.get(signal),
    signOut: async () => {
      const token = tokens.take()
      if (token !== null) await revokeToken({ service, token: token.access_token, retries, fetch })
    },
    rows: (pathname, rowsOptions) => readRows(getWith(rowsOptions.signal), service, pathname, rowsOptions),
    page: (pathname, pageOptions) => readPage(getWith(pageOptions.signal), service, pathname, pageOptions),
    upload: async ({ iid, uuid, data, signal = never, onProgress }) => {
      const url = `${service}/${iid}/files/${encodeURIComponent(uuid)}`
      const attempt = (authorization: string) => {
        const headers = new Headers({ Authorization: authorization })
        if (data.type !== '') headers.set('Content-Type', data.type)
        return sendData(fetch, { url, headers, data, signal, ...(onProgress && { onProgress }) })
      }
      // Data that is sent twice is stored once.
      return readJson(await send(attempt, true, signal))
    },
  }
}
