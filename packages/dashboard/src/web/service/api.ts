import { ServiceError, type Client } from '@publishing-service/client'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import { model } from 'virtual:model'

/** An object with its entity tag, which a change of it is conditional on. */
export type Versioned = { readonly value: JsonObject; readonly tag: string | null }

export type Rows = {
  readonly rows: readonly JsonObject[]
  readonly more: boolean
  /** The objects that `include` names, by UUID. */
  readonly included: Readonly<Record<string, JsonObject>>
}

export type ListQuery = {
  readonly fields: readonly string[]
  readonly order?: string
  readonly page?: number
  readonly rpp?: number
  readonly include?: readonly string[]
  /** Filters by name. */
  readonly [filter: string]: Json | undefined | readonly string[]
}

type Request = {
  readonly query?: Query
  readonly body?: JsonObject
  readonly tag?: string | null
  readonly signal?: AbortSignal
  /** Whether the request outlives the page. */
  readonly keepalive?: boolean
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type Query = Readonly<Record<string, unknown>>

/** Writes an object. With its entity tag, only if it is unchanged. */
type Write = (path: string, body: JsonObject, tag?: string | null, query?: Query) => Promise<Versioned>

/**
 * Objects below a path such as `/1`, the instance, for pages whose resource is known only from the model. The path of
 * the service itself is empty.
 */
export type Api = {
  readonly client: Client
  readonly list: (path: string, query: ListQuery, signal?: AbortSignal) => Promise<Rows>
  /** The rows of all pages. */
  readonly listAll: (path: string, query: ListQuery, signal?: AbortSignal) => Promise<readonly JsonObject[]>
  readonly read: (path: string, query?: Query) => Promise<Versioned>
  readonly create: (path: string, body: JsonObject) => Promise<Versioned>
  /** Gives an object the state of the version with this path again. With the entity tag of the object, only if it is unchanged. */
  readonly restore: (path: string, tag: string | null) => Promise<Versioned>
  readonly replace: Write
  readonly change: Write
  /** With the entity tag of the object, only if it is unchanged. */
  readonly remove: (path: string, query?: Query, tag?: string | null) => Promise<void>
  /** Says that the user has an object open, by the path of its presence; returns who has. */
  readonly enter: (path: string) => Promise<JsonObject>
  /** Says that the user has closed it, also while the page ends. */
  readonly leave: (path: string) => Promise<void>
}

/** The JSON of a response, or its text if it is none, such as one of a proxy. */
const readBody = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const createApi = (client: Client, base: '' | `/${string}`): Api => {
  const send = async (
    method: Method,
    path: string,
    { query = {}, body, tag = null, signal, keepalive = false }: Request = {},
  ): Promise<Versioned> => {
    const response = await client.fetch(`${base}/${path}`, {
      method,
      query,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(tag === null ? {} : { 'If-Match': tag }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
      keepalive,
      // Responses may be cached for a minute; editors need the current version.
      cache: 'no-cache',
    })
    const value = await readBody(response)
    if (!response.ok) throw new ServiceError(response, value)
    return { value: isJsonObject(value) ? value : {}, tag: response.headers.get('ETag') }
  }

  const list = async (path: string, query: ListQuery, signal?: AbortSignal): Promise<Rows> => {
    const { value } = await send('GET', path, { query, signal })
    const items = value['items'] as readonly (readonly Json[])[]
    return {
      rows: items.map((row) =>
        Object.fromEntries(query.fields.map((field, index) => [field, row[index] ?? null])),
      ),
      more: value['next'] !== undefined,
      included: (value['included'] ?? {}) as Rows['included'],
    }
  }

  const writeWith =
    (method: Method): Write =>
    (path, body, tag = null, query = {}) =>
      send(method, path, { body, tag, query })

  return {
    client,
    list,
    listAll: async (path, query, signal) => {
      const rows: JsonObject[] = []
      for (let page = 1; ; page += 1) {
        const found = await list(path, { ...query, page, rpp: model.maxRpp }, signal)
        rows.push(...found.rows)
        if (!found.more) return rows
      }
    },
    read: (path, query = {}) => send('GET', path, { query }),
    create: (path, body) => send('POST', path, { body }),
    restore: (path, tag) => send('POST', `${path}/restore`, { tag }),
    replace: writeWith('PUT'),
    change: writeWith('PATCH'),
    remove: async (path, query = {}, tag = null) => {
      await send('DELETE', path, { query, tag })
    },
    enter: async (path) => (await send('PUT', path)).value,
    leave: async (path) => {
      await send('DELETE', path, { keepalive: true })
    },
  }
}
