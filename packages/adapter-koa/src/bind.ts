import type { VisitorOperationAccess } from '@publishing-service/access'
import { failWithAny, type Fail } from '@publishing-service/application'
import type { DeclaredBy, Problem } from '@publishing-service/domain'
import { isAnyType, needsToken, type Endpoint, type ServiceEndpoint } from '@publishing-service/http-contract'
import type { Handler, Reply, ServedEndpoint } from './handler.js'
import { isOfOtherPage } from './session-cookie.js'

const otherPage: Problem = { _tag: 'Forbidden', reason: 'other page' }

/** Refuses requests of pages of another origin. */
const forOwnPages =
  (handle: Handler): Handler =>
  async (service, context, routed) => {
    if (isOfOtherPage(context.koa.req, context)) throw otherPage
    return handle(service, context, routed)
  }

/** An endpoint with what serves it. */
export const bind = (endpoint: Endpoint, handle: Handler): ServedEndpoint => ({
  ...endpoint,
  handle: endpoint.ownPagesOnly === true ? forOwnPages(handle) : handle,
  needsToken: needsToken(endpoint),
  isAnyType: isAnyType(endpoint),
})

/** Binds an endpoint of the service itself. Its handler ends with what its operation declares. */
export const bindVisitor = <A extends VisitorOperationAccess>(
  endpoint: ServiceEndpoint & { readonly access: A },
  handle: (...parameters: [...Parameters<Handler>, failWith: Fail<DeclaredBy<A>>]) => Promise<Reply>,
): ServedEndpoint =>
  bind(endpoint, (service, context, routed) => handle(service, context, routed, failWithAny))

/** Throws if an endpoint is bound to another operation than the one whose permission and problems it documents. */
export const bindOperation = (
  endpoint: Endpoint,
  { name }: { readonly name: string },
  handle: Handler,
): ServedEndpoint => {
  if (endpoint.operation !== name)
    throw new Error(`${endpoint.id} documents ${endpoint.operation}, not ${name}`)
  return bind(endpoint, handle)
}
