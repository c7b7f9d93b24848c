import type { JsonObject } from '@publishing-service/domain/json'
import type { Endpoint } from '../endpoint.js'
import { endpoints } from '../endpoints.js'

const namesIn = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')

const linkTo = ({ id, summary }: Endpoint, what: string, parameters: JsonObject): [string, JsonObject] => [
  id,
  { operationId: id, description: `${summary}: ${what}.`, parameters },
]

/** The path parameters of the request. */
const samePlace = (path: string): JsonObject =>
  Object.fromEntries(namesIn(path).map((name) => [name, `$request.path.${name}`]))

/** The operations on an object that was created, by the UUID in the response. */
const linksOfCreation = ({ path }: Endpoint): readonly [string, JsonObject][] => {
  const object = `${path}/{uuid}`
  const parameters = { ...samePlace(path), uuid: '$response.body#/uuid' }
  return endpoints
    .filter((each) => each.path === object || each.path.startsWith(`${object}/`))
    .filter((each) => namesIn(each.path).length === namesIn(object).length)
    .map((each) => linkTo(each, 'the created object', parameters))
}

/** The other operations on the same path. */
const linksOfWrite = ({ path, method }: Endpoint): readonly [string, JsonObject][] =>
  endpoints
    .filter((each) => each.path === path && each.method !== method)
    .map((each) => linkTo(each, 'the written object', samePlace(path)))

/** The links of a response: operations on what the request created or wrote. */
export const linksOf = (endpoint: Endpoint): JsonObject => {
  const { operation, method, path } = endpoint
  if (operation === 'createObject') return { links: Object.fromEntries(linksOfCreation(endpoint)) }
  if (operation === 'uploadFile') {
    const downloads = endpoints.filter((each) => each.operation === 'downloadFile')
    const what = 'the uploaded data; `upload` is the last segment of `download_url`'
    return {
      links: Object.fromEntries(downloads.map((each) => linkTo(each, what, samePlace(path)))),
    }
  }
  return method === 'PUT' ? { links: Object.fromEntries(linksOfWrite(endpoint)) } : {}
}
