import { ServiceError, type Client } from '@publishing-service/client'
import type { Json, JsonObject } from '@publishing-service/domain'
import { model } from 'virtual:model'

/** An object with its entity tag, which a change of it is conditional on. */
export type Versioned = { readonly value: JsonObject; readonly tag: string | null }

export type Rows = {
  readonly rows: readonly JsonObject[]
  readonly hasMore: boolean
  /** False while the words of some objects cannot be found yet. */
  readonly isComplete: boolean
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
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: JsonObject
  readonly tag?: string | null
  readonly signal?: AbortSignal
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Objects below a path such as `/1`, the instance, for pages whose resource is known only from the model. The path of
 * the service itself is empty.
 */
export const createApi = (client: Client, base: string) => {
  const send = async (method: Method, path: string, { query, body, tag, signal }: Request = {}) => {
    // The paths of the model are among those of the client, but not known to the compiler.
    const call = client[method] as unknown as (
      path: string,
      init: Readonly<Record<string, unknown>>,
    ) => Promise<{ data?: JsonObject; error?: unknown; response: Response }>
    const { data, error, response } = await call(`${base}/${path}`, {
      ...(query === undefined ? {} : { params: { query } }),
      ...(body === undefined ? {} : { body }),
      ...(tag === undefined || tag === null ? {} : { headers: { 'If-Match': tag } }),
      ...(signal === undefined ? {} : { signal }),
      // Responses may be cached for a minute; editors need the current version.
      cache: 'no-cache',
    })
    if (!response.ok) throw new ServiceError(response, error)
    return { value: data ?? {}, tag: response.headers.get('ETag') }
  }

  const list = async (path: string, query: ListQuery, signal?: AbortSignal): Promise<Rows> => {
    const { value } = await send('GET', path, { query, ...(signal === undefined ? {} : { signal }) })
    const items = value['items'] as readonly (readonly Json[])[]
    return {
      rows: items.map((row) =>
        Object.fromEntries(query.fields.map((field, index) => [field, row[index] ?? null])),
      ),
      hasMore: value['next'] !== undefined,
      isComplete: value['complete'] !== false,
      included: (value['included'] ?? {}) as Rows['included'],
    }
  }

  const writeWith =
    (method: Method) =>
    (
      path: string,
      body: JsonObject,
      tag: string | null = null,
      query: Readonly<Record<string, unknown>> = {},
    ): Promise<Versioned> =>
      send(method, path, { body, tag, query })

  return {
    client,
    list,
    /** The rows of all pages. */
    listAll: async (path: string, query: ListQuery, signal?: AbortSignal): Promise<readonly JsonObject[]> => {
      const rows: JsonObject[] = []
      for (let page = 1; ; page += 1) {
        const found = await list(path, { ...query, page, rpp: model.maxRpp }, signal)
        rows.push(...found.rows)
        if (!found.hasMore) return rows
      }
    },
    read: (path: string, query: Readonly<Record<string, unknown>> = {}): Promise<Versioned> =>
      send('GET', path, { query }),
    create: (path: string, body: JsonObject): Promise<Versioned> => send('POST', path, { body }),
    replace: writeWith('PUT'),
    change: writeWith('PATCH'),
    remove: async (path: string, query: Readonly<Record<string, unknown>> = {}): Promise<void> => {
      await send('DELETE', path, { query })
    },
  }
}

export type Api = ReturnType<typeof createApi>
