import type { Context } from 'koa'
import { E, TE, type JsonObject } from '@publishing-service/domain'
import type { Caller, Outcome, UseCases } from '@publishing-service/application'
import type { Endpoint } from '@publishing-service/http-contract'
import type { Clock } from '@publishing-service/ports'
import type { Answer } from './answer.js'
import { preconditionOf } from './entity-tag.js'
import type { Handlers, ServiceOperation } from './handlers.js'
import type { HttpOptions } from './http-options.js'
import { identify, identifyPrincipal, pathParameters } from './identify.js'
import { readObject } from './read-body.js'
import type { InstanceRequest, WireRequest } from './wire-request.js'

const nothing: JsonObject = {}

/** Milliseconds of reading a body after which key, roles and instance of its request are checked again. */
const slowBody = 1000

/** Takes a routed request through permission, parameters and body to its handler, in this order. */
export const createAnswerRequest = (
  useCases: UseCases,
  clock: Clock,
  handlers: Handlers,
  { jsonLimit, jsonSeconds }: HttpOptions,
) => {
  const readInput = (context: Context, { body }: Endpoint): Outcome<JsonObject> =>
    body === 'object' || body === 'optional object'
      ? readObject(context.req, { bytes: jsonLimit, seconds: jsonSeconds }, body === 'optional object', clock)
      : TE.right(nothing)

  const wireRequest = (
    context: Context,
    endpoint: Endpoint,
    parameters: Readonly<Record<string, string>>,
    base: string,
    input: JsonObject,
  ): WireRequest => {
    const { headers } = context.req
    const precondition =
      endpoint.method === 'GET' ? undefined : preconditionOf(headers['if-match'], headers['if-none-match'])
    const request = { context, endpoint, parameters, base, input }
    return precondition === undefined ? request : { ...request, precondition }
  }

  return (
    context: Context,
    endpoint: Endpoint,
    parameters: Readonly<Record<string, string>>,
    base: string,
  ): Outcome<Answer> => {
    if (endpoint.permission === null) {
      const handle = handlers[endpoint.operation as ServiceOperation]
      return handle(wireRequest(context, endpoint, parameters, base, nothing))
    }
    const handle = handlers[endpoint.operation as Exclude<keyof Handlers, ServiceOperation>]
    const identified: Outcome<Caller> = () =>
      identify(useCases, clock, context, endpoint, parameters['iid'], base)()
    return async () => {
      const begun = clock.monotonic()
      const before = await identified()
      if (E.isLeft(before)) return before
      const read = pathParameters(endpoint, parameters)
      if (E.isLeft(read)) return read
      const input = await readInput(context, endpoint)()
      if (E.isLeft(input)) return input
      const isSlow = clock.monotonic() - begun > slowBody
      if (isSlow) await identifyPrincipal(useCases, context)
      const caller = isSlow ? await identified() : before
      if (E.isLeft(caller)) return caller
      const request: InstanceRequest = {
        ...wireRequest(context, endpoint, read.right, base, input.right),
        caller: caller.right,
      }
      return handle(request)()
    }
  }
}
