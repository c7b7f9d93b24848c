import type { Problem } from '@publishing-service/domain'
import { queryableOf, type Endpoint } from './endpoint.js'

type Tag = Problem['_tag']

/** What can go wrong at any address. */
const always: readonly Tag[] = ['BadRequest', 'InternalError', 'Unavailable']

const ofPermission: readonly Tag[] = ['Unauthorized', 'InvalidToken', 'Forbidden', 'NotFound']

const ofBody: readonly Tag[] = ['TooLarge', 'UnsupportedMediaType']

/** Whether an answer is data or a page, which every header Accept lets pass (docs/behaviour/wire.md#accept). */
export const isAnyType = ({ gives }: Pick<Endpoint, 'gives'>): boolean =>
  gives._tag === 'Data' || gives._tag === 'Page'

/** Everything that a request to an endpoint can be answered with beside success. */
export const problemsOf = (endpoint: Endpoint): readonly Tag[] => {
  const { permission, body, method, parameters, problems = [] } = endpoint
  const writes = permission !== null && method !== 'GET'
  const judges =
    (writes && method !== 'DELETE') || parameters.length > 0 || queryableOf(endpoint) !== undefined
  const tags: readonly Tag[] = [
    ...(judges ? (['BadParameters'] as const) : []),
    ...always,
    ...(endpoint.unlimited === true ? [] : (['TooManyRequests'] as const)),
    ...(method === 'GET' ? [] : (['InsufficientStorage'] as const)),
    ...(permission === null ? [] : ofPermission),
    ...(isAnyType(endpoint) ? [] : (['NotAcceptable'] as const)),
    ...(writes ? (['PreconditionFailed'] as const) : []),
    ...(body === 'none' ? [] : ofBody),
    ...(body === 'none' || body === 'data' ? [] : (['RequestTimeout'] as const)),
    ...problems,
  ]
  return [...new Set(tags)]
}
