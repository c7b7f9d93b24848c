import { randomUUID } from 'node:crypto'
import type { Context } from 'koa'
import { E, type Problem } from '@publishing-service/domain'
import { dataPolicy, isHost } from '@publishing-service/http-contract'
import { dashboardPolicy } from './dashboard.js'
import { documentationPolicy } from './documentation.js'
import {
  clientAddressOf,
  clientIdOf,
  isStrictOf,
  publicBase,
  type RequestContext,
} from './request-context.js'
import type { Service } from './service.js'

/** Address and base are read at once: they are unknown after the client disconnects. */
export const begin = ({ options, unsent, isDraining }: Service, context: Context): RequestContext => {
  // Every response is written by this package: without Koa’s own responses, such as text/plain errors.
  context.respond = false
  if (isDraining()) context.res.setHeader('Connection', 'close')
  return {
    context,
    began: performance.now(),
    id: randomUUID(),
    clientId: clientIdOf(context),
    isStrict: isStrictOf(context),
    address: clientAddressOf(context, options),
    base: publicBase(context, options),
    unsent,
    policy: documentationPolicy(context.path) ?? dashboardPolicy(context.path) ?? dataPolicy,
    identity: null,
    signIn: null,
    rate: null,
    cacheLookup: null,
  }
}

const accepted = E.right(undefined)

const badRequest = (reason: string): E.Either<Problem, void> => E.left({ _tag: 'BadRequest', reason })

/** HTTP/1.1 requires exactly one; older clients may send none. Node.js discards a second one, except in `rawHeaders`. */
export const requireHost = ({
  req: { httpVersion, headers, rawHeaders },
}: Context): E.Either<Problem, void> => {
  const { host } = headers
  if (host === undefined) return httpVersion === '1.1' ? badRequest('it has no Host header') : accepted
  const hosts = rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host',
  )
  if (hosts.length > 1) return badRequest('it has more than one Host header')
  return isHost(host)
    ? accepted
    : badRequest('its Host header is not a host such as api.example.org or 192.0.2.1:8080')
}
