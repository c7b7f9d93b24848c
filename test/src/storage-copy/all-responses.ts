/** All GET responses of a service: every endpoint of the contract, for every object. */
import { resources, type Resource } from '@publishing-service/domain'
import { thumbnailKinds } from '@publishing-service/domain/files'
import { predicateNames } from '@publishing-service/domain/tags'
import { segmentsOf } from '@publishing-service/domain/engine'
import {
  endpoints,
  queryableOf,
  resourcesWithVersions,
  type Endpoint,
} from '@publishing-service/http-contract'
import { sha256Of } from '../durability/written-objects.js'
import { columnOf, expectOk, objectsOf } from '../harness/expect-response.js'
import { createApi, type ApiResponse, type Api } from '../harness/http-client.js'
import { pathBelow } from '../harness/stored-files.js'

const fresh = { 'Cache-Control': 'no-cache' } as const

const readable = endpoints.filter(({ method, path }) => method === 'GET' && path.startsWith('/{iid}'))

/**
 * The number of attempts. Servers on a machine with a high load may time out, and the service then returns 503.
 */
const attempts = 20

const getWithRetry = async (api: Api, path: string, left = attempts): Promise<ApiResponse> => {
  const response = await api.get(path, fresh)
  return response.status === 503 && left > 0 ? getWithRetry(api, path, left - 1) : response
}

/** The ids of a collection, page by page. */
const idsOf = async (api: Api, resource: Resource): Promise<readonly string[]> => {
  const ids: string[] = []
  for (let page = 1; ; page += 1) {
    const found = columnOf(
      await getWithRetry(api, `/${segmentsOf(resource)}?fields=uuid&rpp=100&page=${page}`),
    )
    ids.push(...found.map(String))
    if (found.length < 100) return ids
  }
}

type DiscoveredIds = {
  readonly ids: ReadonlyMap<string, readonly string[]>
  readonly slots: ReadonlyMap<string, readonly string[]>
  readonly tagged: ReadonlyMap<string, readonly string[]>
  readonly downloads: ReadonlyMap<string, string>
  /** The numbers of the versions of objects, by their path. */
  readonly versions: ReadonlyMap<string, readonly string[]>
}

const explore = async (api: Api): Promise<DiscoveredIds> => {
  const ids = new Map<string, readonly string[]>()
  for (const resource of resources) ids.set(segmentsOf(resource), await idsOf(api, resource))
  for (const collection of ['exports', 'imports', 'webhooks'])
    ids.set(collection, columnOf(await getWithRetry(api, `/${collection}?fields=uuid&rpp=100`)).map(String))
  const slots = new Map<string, readonly string[]>()
  for (const id of ids.get('content') ?? [])
    slots.set(
      id,
      objectsOf(await getWithRetry(api, `/content/${id}/slots`)).map(({ uuid }) => String(uuid)),
    )
  const tagged = new Map<string, readonly string[]>()
  for (const id of ids.get('tags') ?? [])
    for (const predicate of predicateNames) {
      const response = await getWithRetry(api, `/tags/${id}/${predicate}?fields=uuid&rpp=100`)
      tagged.set(`${id}/${predicate}`, columnOf(response).map(String))
    }
  const downloads = new Map<string, string>()
  for (const id of ids.get('files') ?? []) {
    const { download_url: address } = expectOk(await getWithRetry(api, `/files/${id}`)).object
    if (typeof address === 'string') downloads.set(id, pathBelow(address))
  }
  const versions = new Map<string, readonly string[]>()
  for (const resource of resourcesWithVersions)
    for (const id of ids.get(segmentsOf(resource)) ?? []) {
      const path = `/${segmentsOf(resource)}/${id}`
      const found = objectsOf(await getWithRetry(api, `${path}/versions`))
      versions.set(
        path,
        found.map(({ version }) => String(version)),
      )
    }
  return { ids, slots, tagged, downloads, versions }
}

/** The segments of a path before its first parameter after the instance. */
const collectionOf = ({ path }: Endpoint): string =>
  path
    .replace(/^\/\{iid\}\/?/, '')
    .split('/{')[0]
    ?.replace(/\/$/, '') ?? ''

/** Each order in both directions with all fields, small pages, which show the order of equal rows, and words. */
const queriesOf = (endpoint: Endpoint): readonly string[] => {
  const rows = queryableOf(endpoint)
  if (rows === undefined || endpoint.permission === null) return ['']
  const orders = Object.keys(rows.orders).flatMap((option) => [`${option}.asc`, `${option}.desc`])
  const words = rows.filters['q'] === undefined ? [] : ['?q=a&rpp=100', '?q=the+s&order=title', '?q="of+the"']
  return ['', '?rpp=100', '?rpp=7&page=2', ...orders.map((order) => `?order=${order}&rpp=50`), ...words]
}

const pathsOf = (
  endpoint: Endpoint,
  { ids, slots, tagged, downloads, versions }: DiscoveredIds,
): readonly string[] => {
  const below = endpoint.path.replace('/{iid}', '')
  if (endpoint.operation === 'downloadFile')
    return [...downloads.values()].flatMap((path) => [path, `${path}?w=20`])
  if (endpoint.operation === 'readSetting')
    return ['timezone', 'title', 'language'].map((name) => below.replace('{name}', name))
  if (endpoint.operation === 'readDefaultThumbnail')
    return thumbnailKinds.map((kind) => below.replace('{kind}', kind))
  if (below.includes('{feed}'))
    return ['all', ...(ids.get('sections') ?? [])].map((feed) => below.replace('{feed}', feed))
  const objects = below.includes('{uuid}') ? (ids.get(collectionOf(endpoint)) ?? []) : ['']
  return objects.flatMap((id) => {
    const path = below.replace('{uuid}', id)
    if (path.includes('{slot_uuid}'))
      return (slots.get(id) ?? []).map((slot) => path.replace('{slot_uuid}', slot))
    if (path.includes('{version}'))
      return (versions.get(path.replace(/\/versions\/\{version\}.*$/, '')) ?? []).map((version) =>
        path.replace('{version}', version),
      )
    if (path.includes('{tag_uuid}'))
      return (ids.get('tags') ?? [])
        .slice(0, 1)
        .flatMap((tag) =>
          predicateNames.map((predicate) =>
            path.replace('{predicate}', predicate).replace('{tag_uuid}', tag),
          ),
        )
    if (!path.includes('{predicate}')) return [path]
    return predicateNames.flatMap((predicate) => {
      const of = path.replace('{predicate}', predicate)
      return of.includes('{object_uuid}')
        ? (tagged.get(`${id}/${predicate}`) ?? []).map((object) => of.replace('{object_uuid}', object))
        : [of]
    })
  })
}

/** The request paths for an instance, by the path of the endpoint. */
export type RequestPaths = ReadonlyMap<string, readonly string[]>

/** Every endpoint for every object. */
export const allRequestPaths = async (api: Api): Promise<RequestPaths> => {
  const found = await explore(api)
  return new Map(
    readable.map((endpoint) => [
      endpoint.path,
      pathsOf(endpoint, found).flatMap((path) => queriesOf(endpoint).map((query) => `${path}${query}`)),
    ]),
  )
}

/** Headers that differ between identical requests. */
const varyingHeaders: ReadonlySet<string> = new Set(['date', 'x-request-id', 'connection', 'keep-alive'])

const concurrency = 4

/** Status, headers and a digest of the body of each path, for this reader. */
export const allResponses = async (
  api: Api,
  paths: readonly string[],
): Promise<Readonly<Record<string, string>>> => {
  const responses: Record<string, string> = {}
  let next = 0
  const ask = async (): Promise<void> => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
      const { status, headers, bytes } = await getWithRetry(api, path)
      const lasting = Object.entries(headers).filter(([name]) => !varyingHeaders.has(name))
      const digest = sha256Of(bytes)
      responses[path] = `${status} ${JSON.stringify(lasting)} ${bytes.length} ${digest}`
    }
  }
  await Promise.all(Array.from({ length: concurrency }, ask))
  return responses
}

export const apiOn = (url: string, instance: number, token: string | null): Api =>
  createApi(`${url}/${instance}`, token)
