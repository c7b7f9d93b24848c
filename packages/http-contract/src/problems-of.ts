import type { ProblemTag } from '@publishing-service/domain'
import { needsToken, type Endpoint } from './endpoint.js'
import { isAnyType } from './payload.js'
import { isProblemTag } from './problem-table.js'

/** Problems that every endpoint can have. */
const always: readonly ProblemTag[] = ['BadRequest', 'InternalError', 'Unavailable']

const ofPermission: readonly ProblemTag[] = ['Unauthorized', 'InvalidToken', 'Forbidden', 'NotFound']

const ofBody: readonly ProblemTag[] = ['TooLarge', 'UnsupportedMediaType']

/** Every problem that a response of an endpoint can report. */
export const problemsOf = (endpoint: Endpoint): readonly ProblemTag[] => {
  const { body, method, parameters, responsePayload, fails = {} } = endpoint
  const tags: readonly ProblemTag[] = [
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
    ...(responsePayload._tag === 'Data' ? (['RangeNotSatisfiable'] as const) : []),
    ...Object.keys(fails)
      .filter(isProblemTag)
      .filter((tag) => fails[tag] === true),
  ]
  return [...new Set(tags)]
}
