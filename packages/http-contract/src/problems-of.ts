import type { Problem } from '@publishing-service/domain'
import { needsToken, type Endpoint } from './endpoint.js'
import { isAnyType } from './payload.js'

type Tag = Problem['_tag']

/** Problems that every endpoint can have. */
const always: readonly Tag[] = ['BadRequest', 'InternalError', 'Unavailable']

const ofPermission: readonly Tag[] = ['Unauthorized', 'InvalidToken', 'Forbidden', 'NotFound']

const ofBody: readonly Tag[] = ['TooLarge', 'UnsupportedMediaType']

/** Every problem that a response of an endpoint can report. */
export const problemsOf = (endpoint: Endpoint): readonly Tag[] => {
  const { body, method, parameters, problems = [] } = endpoint
  const tags: readonly Tag[] = [
    // Unknown parameters are faults with strict handling at every address that needs a token.
    ...(needsToken(endpoint) || parameters.length > 0 || body === 'object'
      ? (['BadParameters'] as const)
      : []),
    ...always,
    ...(endpoint.unlimited === true ? [] : (['TooManyRequests'] as const)),
    ...(method === 'GET' ? [] : (['InsufficientStorage'] as const)),
    ...(needsToken(endpoint) ? ofPermission : []),
    ...(endpoint.ownPagesOnly === true ? (['Forbidden'] as const) : []),
    ...(isAnyType(endpoint) ? [] : (['NotAcceptable'] as const)),
    ...(needsToken(endpoint) && method !== 'GET' ? (['PreconditionFailed'] as const) : []),
    ...(body === 'none' ? [] : ofBody),
    ...(body === 'none' || body === 'data' ? [] : (['RequestTimeout'] as const)),
    ...problems,
  ]
  return [...new Set(tags)]
}
