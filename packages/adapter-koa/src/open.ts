/** What sessions are opened for: who sends a request, and how it is handled. */
import { E, notFound, type JsonObject } from '@publishing-service/domain'
import type {
  DeploymentRequest,
  Failure,
  InstanceRequest,
  Precondition,
} from '@publishing-service/application'
import {
  linksFor,
  withoutOwnAddress,
  type PathValues,
  type Representation,
  type RequestTarget,
} from '@publishing-service/http-contract'
import { preconditionOf } from './entity-tag.js'
import type { RequestContext } from './request-context.js'
import type { Service } from './service.js'

export const targetOf = ({ options: { bareLinks } }: Service, exchange: RequestContext): RequestTarget => {
  const { base, context, path } = exchange
  const { query } = context
  const target = { base, path, query, bareLinks }
  // Only an address that is appended to another has a second question mark.
  const isAppended = !exchange.isStrict && /\?.*(?:\?|%3f)/i.test(context.url)
  return isAppended ? { ...target, query: withoutOwnAddress(target) } : target
}

export const deploymentRequest = (exchange: RequestContext, instance: number | null): DeploymentRequest => ({
  identity: exchange.identity,
  address: exchange.address,
  requestId: exchange.id,
  clientRequestId: exchange.clientId,
  links: linksFor(exchange.base, instance),
  strict: exchange.isStrict,
})

/** NotFound if the path has no instance number. */
export const instanceRequest = <Path extends string>(
  exchange: RequestContext,
  target: RequestTarget,
  path: E.Either<Failure, PathValues<Path>>,
  representation: Representation<Path> | undefined,
): E.Either<Failure, InstanceRequest> => {
  const { context, instance } = exchange
  if (instance === null) return E.left(notFound)
  const request = deploymentRequest(exchange, instance)
  const { headers, method } = context.req
  const stated =
    method === 'GET' || method === 'HEAD'
      ? undefined
      : preconditionOf(headers['if-match'], headers['if-none-match'])
  if (stated === undefined || representation === undefined || E.isLeft(path))
    return E.right({ ...request, instance, precondition: stated })
  const shown = { path: path.right, links: request.links, target }
  const precondition: Precondition = (current: JsonObject | null) =>
    stated(current === null ? null : representation(current, shown))
  return E.right({ ...request, instance, precondition })
}
