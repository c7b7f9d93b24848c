import { E, TE, type Problem } from '@publishing-service/domain'
import type { Identity, Outcome, Principal, Principals } from '@publishing-service/application'
import { bearerToken } from '@publishing-service/http-contract'
import { authenticatedSockets } from './connection-limit.js'
import { isOnDeployment, type RequestContext } from './request-context.js'

const unauthorized: Problem = { _tag: 'Unauthorized' }

const principalOf = (principals: Principals, authorization: string): Outcome<Principal> => {
  if (authorization === '') return TE.left(unauthorized)
  const token = bearerToken(authorization)
  return token === null ? TE.left({ _tag: 'InvalidToken' }) : principals(token)
}

/**
 * Identifies the token of a request on an instance or on the deployment. A valid one marks its connection
 * (docs/behaviour/errors.md#unauthorized).
 */
export const identify = async (principals: Principals, exchange: RequestContext): Promise<Identity> => {
  const { headers, socket } = exchange.context.req
  const { authorization } = headers
  if (authorization === undefined || (exchange.instance === null && !isOnDeployment(exchange))) return null
  const identity = await principalOf(principals, authorization)()
  if (E.isRight(identity)) authenticatedSockets.add(socket)
  return identity
}
