import { impliedProblems, type ProblemTag } from '@publishing-service/domain'
import { needsToken, type Endpoint } from './endpoint.js'
import { isAnyType } from './payload.js'
import { isProblemTag } from './problem-table.js'

const ofBody: readonly ProblemTag[] = ['TooLarge', 'UnsupportedMediaType']

/** Every problem that a response of an endpoint can report. */
export const problemsOf = (endpoint: Endpoint): readonly ProblemTag[] => {
  const { body, method, parameters, responsePayload, fails = {} } = endpoint
  const tags: readonly ProblemTag[] = [
    // Unknown parameters are faults with strict handling at every address that needs a token.
    ...(needsToken(endpoint) || parameters.length > 0 || body === 'object' ? impliedProblems.input : []),
    ...impliedProblems.always,
    ...(endpoint.unlimited === true ? [] : impliedProblems.limit),
    ...(method === 'GET' ? [] : (['InsufficientStorage'] as const)),
    ...(needsToken(endpoint) ? impliedProblems.token : []),
    ...(endpoint.ownPagesOnly === true ? (['Forbidden'] as const) : []),
    ...(isAnyType(endpoint) ? [] : (['NotAcceptable'] as const)),
    ...(needsToken(endpoint) && method !== 'GET' ? impliedProblems.write : []),
    // A document can become too large by a write without a body; a deletion makes none larger.
    ...(needsToken(endpoint) && method !== 'GET' && method !== 'DELETE' ? impliedProblems.growth : []),
    ...(body === 'none' ? [] : ofBody),
    ...(body === 'none' || body === 'data' ? [] : (['RequestTimeout'] as const)),
    ...(responsePayload._tag === 'Data' ? (['RangeNotSatisfiable'] as const) : []),
    ...Object.keys(fails)
      .filter(isProblemTag)
      .filter((tag) => fails[tag] === true),
  ]
  return [...new Set(tags)]
}
