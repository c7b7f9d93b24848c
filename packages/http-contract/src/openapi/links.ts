import type { JsonObject } from '@publishing-service/domain'
import type { Endpoint } from '../endpoint.js'
import { endpoints } from '../endpoints.js'

const parametersIn = (path: string): number => path.split('{').length - 1

/** Where the UUID that a creation answers leads: every operation on that object alone. */
export const linksOf = ({ operation, path }: Endpoint): JsonObject => {
  if (operation !== 'createObject') return {}
  const object = `${path}/{uuid}`
  const links = endpoints
    .filter((each) => each.path === object || each.path.startsWith(`${object}/`))
    .filter((each) => parametersIn(each.path) === parametersIn(object))
    .map(({ id, summary }) => [
      id,
      {
        operationId: id,
        description: `${summary}: what was created.`,
        parameters: { iid: '$request.path.iid', uuid: '$response.body#/uuid' },
      },
    ])
  return { links: Object.fromEntries(links) as JsonObject }
}
