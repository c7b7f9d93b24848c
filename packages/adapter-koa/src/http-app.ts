import { randomUUID } from 'node:crypto'
import Router from '@koa/router'
import Koa, { type Context, type Middleware } from 'koa'
import { E, notFound, type Problem } from '@publishing-service/domain'
import type { Failure, ReadRate, UseCases } from '@publishing-service/application'
import {
  acceptsJson,
  createRouteTable,
  endpoints,
  isAnyType,
  isHost,
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
import { encodeJson } from './encode-json.js'
import { setExchangeHeaders } from './exchange-headers.js'
import { fileOperations } from './file-operations.js'
import type { Handlers } from './handlers.js'
import type { HttpOptions } from './http-options.js'
import { identifyPrincipal, isOutOfReach, tokenFailure } from './identify.js'
import { instanceOperations } from './instance-operations.js'
import { createKeptAnswers, type Place } from './kept-answers.js'
import { objectOperations } from './object-operations.js'
import type { Basis } from './response-cache.js'
import { partOperations } from './part-operations.js'
import { publicBase } from './public-base.js'
import { dataAnswer, sendData } from './send-data.js'
import { jsonAnswer, sendKept } from './send-kept.js'
import { acceptsHtml } from './prefers-html.js'
import { sendFailure } from './send-failure.js'
import { sendRedirect } from './send-redirect.js'
import { sendWebFile } from './send-web-file.js'
import { sentBytes } from './sent-bytes.js'
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

/** HTTP/1.1 wants exactly one; older clients may send none. Node.js discards a second one, except from the raw list. */
const hostProblem = ({ req: { httpVersion, headers, rawHeaders } }: Context): Problem | null => {
  const { host } = headers
  if (host === undefined)
    return httpVersion === '1.1' ? { _tag: 'BadRequest', reason: 'it has no header Host' } : null
  const hosts = rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host',
  )
  if (hosts.length > 1) return { _tag: 'BadRequest', reason: 'it has more than one header Host' }
  return isHost(host)
    ? null
    : { _tag: 'BadRequest', reason: 'its header Host is no host such as api.example.org or 192.0.2.1:8080' }
}

/** How long a client may go on sending a body that nobody reads, in milliseconds. */
const unreadBodyLimit = 5000

/** A body that nobody reads is accepted for a moment, so that the client sees the response; then the connection ends. */
const endUnreadBody = ({ req }: Context): void => {
  if (req.complete) return
  req.resume()
  const timer = setTimeout(() => req.socket.destroy(), unreadBodyLimit)
  timer.unref()
  req.once('close', () => clearTimeout(timer))
}

const unlimitedPaths = new Set(endpoints.flatMap(({ unlimited, path }) => (unlimited === true ? [path] : [])))

/** The Koa application made from the contract's endpoints. `isDraining` says that the service is shutting down. */
export const createHttpApp = (
  useCases: UseCases,
  readRate: ReadRate | null,
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
    setExchangeHeaders(context)
    sendFailure(context, context.res, failure, baseOf(context), log)
  }

  const endpointFor = (context: Context, route: Route): Endpoint | Problem => {
    const method = context.method === 'HEAD' ? 'GET' : context.method
    const endpoint = isMethod(route.endpoints, method) ? route.endpoints.get(method) : undefined
    if (endpoint === undefined) return { _tag: 'MethodNotAllowed', allowed: allowedBy(route) }
    const isAccepted =
      isAnyType(endpoint) ||
      acceptsJson(context.req.headers.accept) ||
      (endpoint.htmlAt !== undefined && acceptsHtml(context))
    return isAccepted ? endpoint : { _tag: 'NotAcceptable' }
  }

  const send = async (
    context: Context,
    endpoint: Endpoint,
    answer: Answer,
    place: Place | null,
    basis: Basis | null,
  ) => {
    if (answer._tag === 'Redirect') return sendRedirect(context.res, answer.location)
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
    const ready = jsonAnswer(await encodeJson(answer.body, clock), endpoint.caching, {
      ...answer.headers,
      ...deprecation,
    })
    if (place !== null && basis !== null) kept.keep(place, ready, basis)
    return sendKept(context, context.res, ready)
  }

  const serve: Middleware = async (context) => {
    const route = findRoute(context.path)
    if (route === null) {
      const problem = nothingAt(context.path)
      const unidentified = problem._tag === 'Gone' ? await tokenFailure(useCases, context, []) : null
      return fail(context, unidentified ?? problem)
    }
    if (context.method === 'OPTIONS') return sayAllowed(context, allowedBy(route))
    const endpoint = endpointFor(context, route)
    if ('_tag' in endpoint)
      return fail(context, (await tokenFailure(useCases, context, [...route.endpoints.values()])) ?? endpoint)
    const place = (context.state['place'] as Place | null | undefined) ?? null
    // However many requests arrive at once, health checks and short requests are served between the long ones.
    if (endpoint.permission !== null) await clock.turn()
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

  /** Identifies the client for all that follows, and counts the request before anything is read or looked up for it. */
  const admit: Middleware = async (context, next) => {
    const principal = await identifyPrincipal(useCases, context)
    const isUnlimited = principal === null && unlimitedPaths.has(context.path)
    if (readRate === null || isUnlimited || isOutOfReach(principal)) return next()
    const rate = readRate(
      principal !== null && E.isRight(principal) ? principal.right : null,
      () => context.ip,
    )
    context.state['rate'] = rate
    return rate.isAllowed ? next() : fail(context, { _tag: 'TooManyRequests', retryAfter: rate.seconds })
  }

  const fromMemory: Middleware = async (context, next) => {
    const place = kept.place(context, baseOf(context))
    const answer = place === null ? null : kept.find(place)
    if (answer !== null) return sendKept(context, context.res, answer)
    context.state['place'] = place
    setExchangeHeaders(context)
    return next()
  }

  const outermost: Middleware = async (context, next) => {
    const started = performance.now()
    // A request whose client has hung up no longer knows where it came from.
    const address = context.ip
    const id = requestId(context.req.headers['x-request-id'] as string | undefined) ?? randomUUID()
    // Every answer is written here in whole; Koa’s own responding and its text/plain errors stay out of it.
    context.respond = false
    context.state['requestId'] = id
    // Asked for at once: a request whose client has hung up no longer knows where it arrived.
    context.state['base'] = publicBase(context, options.baseUrl)
    if (options.corsOrigins.length > 0) setExchangeHeaders(context)
    const policy = documentationPolicy(context.path)
    if (policy !== null) context.res.setHeader('Content-Security-Policy', policy)
    if (isDraining()) context.res.setHeader('Connection', 'close')
    try {
      const problem = hostProblem(context)
      if (problem === null) await next()
      else fail(context, problem)
    } catch (error) {
      log.write('error', 'defect', {
        request: id,
        reason: error instanceof Error ? error.stack : String(error),
      })
      fail(context, { _tag: 'InternalError' })
    }
    endUnreadBody(context)
    log.write('info', 'request', {
      request: id,
      address,
      method: context.method,
      path: context.path,
      status: context.res.statusCode,
      ms: Math.round((performance.now() - started) * 100) / 100,
      bytes: sentBytes(context.res),
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
  app.use(admit)
  app.use(fromMemory)
  app.use(router.routes())
  app.use((context) => fail(context, notFound))
  return app
}
