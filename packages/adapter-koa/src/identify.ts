import { E } from '@publishing-service/domain/fp'
import type { Identity } from '@publishing-service/application'
import { bearerToken } from '@publishing-service/http-contract'
import { authenticatedSockets } from './connection-limit.js'
import { isOnDeployment, type RequestContext } from './request-context.js'
import type { Service } from './service.js'

/**
 * Identifies the token of a request on an instance or on the deployment. A valid one marks its connection
 * (docs/behaviour/errors.md#unauthorized).
 */
export const identify = async ({ useCases }: Service, exchange: RequestContext): Promise<Identity> => {
  const { headers, socket } = exchange.context.req
  const { authorization } = headers
  if (authorization === undefined || (exchange.instance === null && !isOnDeployment(exchange))) return null
  if (authorization === '') return E.left({ _tag: 'Unauthorized' })
  const token = bearerToken(authorization)
  if (token === null) return E.left({ _tag: 'InvalidToken' })
  const identity = await useCases.principals(token)()
  if (E.isRight(identity)) authenticatedSockets.add(socket)
  return identity
}
