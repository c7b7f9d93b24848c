import type { Context } from 'koa'
import { E, TE, type Problem } from '@publishing-service/domain'
import type { Identity, Outcome, Principal, Principals } from '@publishing-service/application'
import { bearerToken } from '@publishing-service/http-contract'
import { markAuthenticated } from './connection-limit.js'
import { instanceOf, isOnDeployment } from './request-context.js'

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
export const identify = async (principals: Principals, context: Context): Promise<Identity> => {
  const { authorization } = context.req.headers
  if (authorization === undefined || (instanceOf(context) === null && !isOnDeployment(context))) return null
  const identity = await principalOf(principals, authorization)()
  if (E.isRight(identity)) markAuthenticated(context.req.socket)
  return identity
}

/** Whether the token can't be identified because the store is unavailable. */
export const isStoreUnavailable = (identity: Identity): boolean =>
  identity !== null && E.isLeft(identity) && identity.left._tag === 'PortFailure'
