import { randomUUID } from 'node:crypto'
import Router from '@koa/router'
import Koa, { type Context, type Middleware } from 'koa'
import { E, notFound, type Problem } from '@publishing-service/domain'
import type { Failure, UseCases } from '@publishing-service/application'
import {
  acceptsJson,
  asciiJson,
  createRouteTable,
  endpoints,
  isAnyType,
  replacementOf,
  requestId,
  type Endpoint,
  type Method,
  type Route,
} from '@publishing-service/http-contract'
import type { Clock, Log } from '@publishing-service/ports'
import type { Answer } from './answer.js'
import { createAnswerRequest } from './answer-request.js'
import { contentOperations } from './content-operations.js'
import { crossOrigin } from './cross-origin.js'
import { createDocumentation } from './documentation.js'
import { documentationPolicy } from './documentation-policy.js'
import { fileOperations } from './file-operations.js'
import type { Handlers } from './handlers.js'
import type { HttpOptions } from './http-options.js'
import { instanceOperations } from './instance-operations.js'
import { createKeptAnswers, type Place } from './kept-answers.js'
import { objectOperations } from './object-operations.js'
import type { Basis } from './response-cache.js'
import { partOperations } from './part-operations.js'
import { publicBase } from './public-base.js'
import { dataAnswer, sendData } from './send-data.js'
import { jsonAnswer, sendKept } from './send-kept.js'
import { sendFailure } from './send-failure.js'
import { sendWebFile } from './send-web-file.js'
import { serviceOperations } from './service-operations.js'
import { tagOperations } from './tag-operations.js'

const isMethod = (endpointMethods: Route['endpoints'], method: string): method is Method =>
  endpointMethods.has(method as Method)

const allowedBy = ({ endpoints: byMethod }: Route): readonly string[] =>
  [...byMethod.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).concat('OPTIONS')

const sayAllowed = ({ res }: Context, allowed: readonly string[]): void => {
  res.writeHead(200, { Allow: allowed.join(', '), 'Content-Length': 0 }).end()
}

const nothingAt = (path: string): Problem => {
  const instead = replacementOf(path)
  return instead === null ? notFound : { _tag: 'Gone', instead }
}

/** HTTP/1.1 asks for it; older clients know none. */
const lacksHost = ({ req }: Context): boolean => req.httpVersion === '1.1' && req.headers.host === undefined

/** Answers from memory bring the request's id themselves: Node writes headers that come in one list much faster. */
const nameRequest = ({ res, state }: Context): void => {
  if (!res.headersSent) res.setHeader('X-Request-Id', String(state['requestId']))
}

/** The Koa application made from the contract's endpoints. `isDraining` says that the service is shutting down. */
export const createHttpApp = (
  useCases: UseCases,
  clock: Clock,
  log: Log,
  options: HttpOptions,
  isDraining: () => boolean,
): Koa => {
  const documentation = createDocumentation(options)
  const handlers: Handlers = {
    ...serviceOperations(useCases, documentation, options, isDraining),
    ...instanceOperations(useCases, options),
    ...objectOperations(useCases, options),
    ...contentOperations(useCases),
    ...fileOperations(useCases),
    ...tagOperations(useCases, options),
    ...partOperations(useCases, options),
  }
  const findRoute = createRouteTable(endpoints)
  const answerRequest = createAnswerRequest(useCases, clock, handlers, options)
  const kept = createKeptAnswers(useCases, clock, options.responseCacheBytes)

  const baseOf = (context: Context): string => String(context.state['base'])

  const fail = (context: Context, failure: Failure): void => {
    nameRequest(context)
    sendFailure(context, context.res, failure, baseOf(context), log)
  }

  const endpointFor = (context: Context, route: Route): Endpoint | Problem => {
    const method = context.method === 'HEAD' ? 'GET' : context.method
    const endpoint = isMethod(route.endpoints, method) ? route.endpoints.get(method) : undefined
    if (endpoint === undefined) return { _tag: 'MethodNotAllowed', allowed: allowedBy(route) }
    return isAnyType(endpoint) || acceptsJson(context.req.headers.accept)
      ? endpoint
      : { _tag: 'NotAcceptable' }
  }

  const send = async (
    context: Context,
    endpoint: Endpoint,
    answer: Answer,
    place: Place | null,
    basis: Basis | null,
  ) => {
    if (answer._tag === 'WebFile') return sendWebFile(context, context.res, answer.file)
    if (answer._tag === 'Data') {
      if (place === null || basis === null || answer.download.bytes > kept.mostData) {
        const failure = await sendData(context, context.res, answer.download)
        return failure === null ? undefined : fail(context, failure)
      }
      const small = await dataAnswer(answer.download)
      if (E.isLeft(small)) return fail(context, small.left)
      kept.keep(place, small.right, basis)
      return sendKept(context, context.res, small.right)
    }
    const deprecation: Readonly<Record<string, string>> =
      endpoint.deprecated === undefined ? {} : { Deprecation: 'true' }
    const ready = jsonAnswer(asciiJson(answer.body), endpoint.caching, { ...answer.headers, ...deprecation })
    if (place !== null && basis !== null) kept.keep(place, ready, basis)
    return sendKept(context, context.res, ready)
  }

  const serve: Middleware = async (context) => {
    const route = findRoute(context.path)
    if (route === null) return fail(context, nothingAt(context.path))
    if (context.method === 'OPTIONS') return sayAllowed(context, allowedBy(route))
    const endpoint = endpointFor(context, route)
    if ('_tag' in endpoint) return fail(context, endpoint)
    const place = (context.state['place'] as Place | null | undefined) ?? null
    const basis = place === null || endpoint.caching === 'none' ? null : kept.basis(endpoint, place)
    const answer = await answerRequest(context, endpoint, route.parameters, baseOf(context))()
    if (E.isLeft(answer)) return fail(context, answer.left)
    await send(context, endpoint, answer.right, place, basis)
  }

  const serveAsset: Middleware = async (context) => {
    const { version = '', name = '' } = context['params'] as Readonly<Record<string, string>>
    const file = await documentation.asset(version, name)
    const allowed = ['GET', 'HEAD', 'OPTIONS']
    if (file === null) return fail(context, notFound)
    if (!allowed.includes(context.method)) return fail(context, { _tag: 'MethodNotAllowed', allowed })
    if (context.method === 'OPTIONS') return sayAllowed(context, allowed)
    sendWebFile(context, context.res, file)
  }

  const fromMemory: Middleware = async (context, next) => {
    const place = await kept.place(context, baseOf(context))
    const answer = place === null ? null : kept.find(place)
    if (answer !== null) return sendKept(context, context.res, answer)
    context.state['place'] = place
    nameRequest(context)
    return next()
  }

  const outermost: Middleware = async (context, next) => {
    const started = performance.now()
    const id = requestId(context.req.headers['x-request-id'] as string | undefined) ?? randomUUID()
    // Every answer is written here in whole; Koa’s own responding and its text/plain errors stay out of it.
    context.respond = false
    context.state['requestId'] = id
    // Asked for at once: a request whose client has hung up no longer knows where it arrived.
    context.state['base'] = publicBase(context, options.baseUrl)
    if (options.corsOrigins.length > 0) nameRequest(context)
    const policy = documentationPolicy(context.path)
    if (policy !== null) context.res.setHeader('Content-Security-Policy', policy)
    if (isDraining()) context.res.setHeader('Connection', 'close')
    try {
      if (lacksHost(context)) fail(context, { _tag: 'BadRequest', reason: 'it has no header Host' })
      else await next()
    } catch (error) {
      log.write('error', 'defect', {
        request: id,
        reason: error instanceof Error ? error.stack : String(error),
      })
      fail(context, { _tag: 'InternalError' })
    }
    log.write('info', 'request', {
      request: id,
      method: context.method,
      path: context.path,
      status: context.res.statusCode,
      ms: Math.round((performance.now() - started) * 100) / 100,
      user: context.state['user'] as string | undefined,
    })
  }

  const router = new Router()
  for (const path of new Set(
    endpoints.filter(({ permission }) => permission === null).map((endpoint) => endpoint.path),
  ))
    router.all(path, serve)
  router.all('/docs/assets/:version/:name', serveAsset)
  // One route for everything below an instance: the contract’s own table finds the endpoint in one walk of the path,
  // where a route for each would be tried one after the other.
  router.all('/:iid{/*rest}', serve)

  // Of the addresses that were forwarded, only the last is the trusted proxy’s own word.
  const app = new Koa({ proxy: options.trustProxy, maxIpsCount: 1 })
  // Koa would print that clients went away; what fails is logged here.
  app.silent = true
  app.use(outermost)
  if (options.corsOrigins.length > 0) app.use(crossOrigin(options.corsOrigins))
  app.use(fromMemory)
  app.use(router.routes())
  app.use((context) => fail(context, notFound))
  return app
}
