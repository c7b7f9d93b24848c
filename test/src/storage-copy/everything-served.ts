/** All that a service answers to GET: every endpoint of the contract, for every object that there is. */
import { createHash } from 'node:crypto'
import {
  predicateNames,
  resources,
  segmentsOf,
  thumbnailKinds,
  type Resource,
} from '@publishing-service/domain'
import { endpoints, queryableOf, type Endpoint } from '@publishing-service/http-contract'
import { columnOf, expectOk, objectsOf } from '../harness/expect-answer.js'
import { createApi, type Answer, type Api } from '../harness/http-client.js'
import { pathBelow } from '../harness/library.js'

const fresh = { 'Cache-Control': 'no-cache' } as const

const readable = endpoints.filter(({ method, path }) => method === 'GET' && path.startsWith('/{iid}'))

/** A server of a busy machine can be late for a service, which then says to try again. */
const patience = 20

const answered = async (api: Api, path: string, left = patience): Promise<Answer> => {
  const answer = await api.get(path, fresh)
  return answer.status === 503 && left > 0 ? answered(api, path, left - 1) : answer
}

/** The objects of a collection, page by page. */
const idsOf = async (api: Api, resource: Resource): Promise<readonly string[]> => {
  const ids: string[] = []
  for (let page = 1; ; page += 1) {
    const found = columnOf(await answered(api, `/${segmentsOf(resource)}?fields=uuid&rpp=100&page=${page}`))
    ids.push(...found.map(String))
    if (found.length < 100) return ids
  }
}

type Found = {
  readonly ids: ReadonlyMap<string, readonly string[]>
  readonly slots: ReadonlyMap<string, readonly string[]>
  readonly tagged: ReadonlyMap<string, readonly string[]>
  readonly downloads: ReadonlyMap<string, string>
}

const explore = async (api: Api): Promise<Found> => {
  const ids = new Map<string, readonly string[]>()
  for (const resource of resources) ids.set(segmentsOf(resource), await idsOf(api, resource))
  const slots = new Map<string, readonly string[]>()
  for (const id of ids.get('content') ?? [])
    slots.set(
      id,
      objectsOf(await answered(api, `/content/${id}/slots`)).map(({ uuid }) => String(uuid)),
    )
  const tagged = new Map<string, readonly string[]>()
  for (const id of ids.get('tags') ?? [])
    for (const predicate of predicateNames) {
      const answer = await answered(api, `/tags/${id}/${predicate}?fields=uuid&rpp=100`)
      tagged.set(`${id}/${predicate}`, columnOf(answer).map(String))
    }
  const downloads = new Map<string, string>()
  for (const id of ids.get('files') ?? []) {
    const { download_url: address } = expectOk(await answered(api, `/files/${id}`)).object
    if (typeof address === 'string') downloads.set(id, pathBelow(address))
  }
  return { ids, slots, tagged, downloads }
}

/** The segments of a path before its first parameter behind the instance. */
const collectionOf = ({ path }: Endpoint): string =>
  path
    .replace(/^\/\{iid\}\/?/, '')
    .split('/{')[0]
    ?.replace(/\/$/, '') ?? ''

/** Each order both ways, all fields, and small pages, so that what the order leaves equal shows its own. */
const queriesOf = (endpoint: Endpoint): readonly string[] => {
  const rows = queryableOf(endpoint)
  if (rows === undefined || endpoint.permission === null) return ['']
  const orders = Object.keys(rows.orders).flatMap((option) => [`${option}.asc`, `${option}.desc`])
  return ['', '?rpp=100', '?rpp=7&page=2', ...orders.map((order) => `?order=${order}&rpp=50`)]
}

const pathsOf = (endpoint: Endpoint, { ids, slots, tagged, downloads }: Found): readonly string[] => {
  const below = endpoint.path.replace('/{iid}', '')
  if (endpoint.operation === 'downloadFile')
    return [...downloads.values()].flatMap((path) => [path, `${path}?w=20`])
  if (endpoint.operation === 'readSetting')
    return ['timezone', 'title', 'language'].map((name) => below.replace('{name}', name))
  if (endpoint.operation === 'readDefaultThumbnail')
    return thumbnailKinds.map((kind) => below.replace('{kind}', kind))
  const objects = below.includes('{uuid}') ? (ids.get(collectionOf(endpoint)) ?? []) : ['']
  return objects.flatMap((id) => {
    const path = below.replace('{uuid}', id)
    if (path.includes('{slot_uuid}'))
      return (slots.get(id) ?? []).map((slot) => path.replace('{slot_uuid}', slot))
    if (!path.includes('{predicate}')) return [path]
    return predicateNames.flatMap((predicate) => {
      const of = path.replace('{predicate}', predicate)
      return of.includes('{object_uuid}')
        ? (tagged.get(`${id}/${predicate}`) ?? []).map((object) => of.replace('{object_uuid}', object))
        : [of]
    })
  })
}

/** What can be asked on an instance, by the endpoint's path. */
export type Questions = ReadonlyMap<string, readonly string[]>

/** Every endpoint, for every object that there is. */
export const everyQuestion = async (api: Api): Promise<Questions> => {
  const found = await explore(api)
  return new Map(
    readable.map((endpoint) => [
      endpoint.path,
      pathsOf(endpoint, found).flatMap((path) => queriesOf(endpoint).map((query) => `${path}${query}`)),
    ]),
  )
}

/** What differs between two answers to one question. */
const passing: ReadonlySet<string> = new Set(['date', 'x-request-id', 'connection', 'keep-alive'])

const atOnce = 4

/** Status, headers and a digest of the body of each path, as this reader gets it. */
export const everythingServed = async (
  api: Api,
  paths: readonly string[],
): Promise<Readonly<Record<string, string>>> => {
  const answers: Record<string, string> = {}
  let next = 0
  const ask = async (): Promise<void> => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
      const { status, headers, bytes } = await answered(api, path)
      const lasting = Object.entries(headers).filter(([name]) => !passing.has(name))
      const digest = createHash('sha256').update(bytes).digest('hex')
      answers[path] = `${status} ${JSON.stringify(lasting)} ${bytes.length} ${digest}`
    }
  }
  await Promise.all(Array.from({ length: atOnce }, ask))
  return answers
}

export const apiOn = (url: string, instance: number, token: string | null): Api =>
  createApi(`${url}/${instance}`, token)
