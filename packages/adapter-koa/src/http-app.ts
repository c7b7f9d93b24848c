import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import Router from '@koa/router'
import Koa, { type Context, type Middleware } from 'koa'
import { E, notFound, pipe, TE, type Problem } from '@publishing-service/domain'
import type {
  DeploymentRequest,
  Execution,
  Failure,
  Identity,
  OperationRequest,
  Outcome,
  ReadRate,
  UseCases,
} from '@publishing-service/application'
import {
  dashboardPath,
  acceptsJson,
  cacheControl,
  createRouteTable,
  dataPolicy,
  endpoints,
  isAnyType,
  isHost,
  linksFor,
  needsToken,
  prefersStrict,
  replacementOf,
  requestId,
  sharedCacheControl,
  type Endpoint,
  type EndpointRequest,
  type Method,
  type Route,
} from '@publishing-service/http-contract'
import type { Clock, Log } from '@publishing-service/ports'
import { crossOrigin, varyOf } from './cross-origin.js'
import { createCompression } from './compression.js'
import { createDashboard, dashboardPolicy } from './dashboard.js'
import { defaultThumbnail } from './default-thumbnail.js'
import { createDocumentation, documentationPolicy } from './documentation.js'
import { preconditionOf } from './entity-tag.js'
import {
  clientAddressOf,
  instanceOf,
  isOnDeployment,
  publicBase,
  requestIds,
  sentBytes,
  setExchangeHeaders,
  type Exchange,
  type ExchangeState,
} from './exchange.js'
import { requestBody } from './expect-continue.js'
import { hasForwardedLinks, type HttpOptions } from './http-options.js'
import { identify, isStoreUnavailable } from './identify.js'
import { partialProblem, readObject } from './read-body.js'
import { createResponseCache } from './response-cache.js'
import { dataResponse, sendData } from './send-data.js'
import { sendFailure } from './send-failure.js'
import { createSendReady } from './send-ready.js'
import { textResponse } from './text-response.js'
import type { ReadyResponse } from './ready-response.js'
import { limitUnsentBodies } from './unsent-bodies.js'
import { acceptsHtml, createServiceEndpoints, type EndpointResult } from './service-endpoints.js'

const isMethod = (endpointMethods: Route['endpoints'], method: string): method is Method =>
  endpointMethods.has(method as Method)

const allowedBy = ({ endpoints: byMethod }: Route): readonly string[] =>
  [...byMethod.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).concat('OPTIONS')

const sendAllowed = (exchange: Exchange, allowed: readonly string[]): void => {
  setExchangeHeaders(exchange)
  const { res } = exchange.context
  res.writeHead(200, { Allow: allowed.join(', '), 'Content-Length': 0 }).end()
}

/** A redirect that needs no token does not depend on it. */
const sendRedirect = (exchange: Exchange, location: string, control: string, isPublic: boolean): void => {
  setExchangeHeaders(exchange)
  const { res } = exchange.context
  const headers = { Location: location, 'Cache-Control': control, 'Content-Length': 0 }
  res.writeHead(302, isPublic ? headers : { ...headers, Vary: varyOf(res) }).end()
}

const problemOfPath = (path: string): Problem => {
  const instead = replacementOf(path)
  return instead === null ? notFound : { _tag: 'Gone', instead }
}

/** HTTP/1.1 requires exactly one; older clients may send none. Node.js discards a second one, except in `rawHeaders`. */
const hostProblem = ({ req: { httpVersion, headers, rawHeaders } }: Context): Problem | null => {
  const { host } = headers
  if (host === undefined)
    return httpVersion === '1.1' ? { _tag: 'BadRequest', reason: 'it has no Host header' } : null
  const hosts = rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host',
  )
  if (hosts.length > 1) return { _tag: 'BadRequest', reason: 'it has more than one Host header' }
  return isHost(host)
    ? null
    : {
        _tag: 'BadRequest',
        reason: 'its Host header is not a host such as api.example.org or 192.0.2.1:8080',
      }
}

/** Milliseconds for which an unread body is still accepted. */
const unreadBodyLimit = 5000

/** An unread body is accepted for some time, so that the client receives the response; then the connection is closed. */
const discardUnreadBody = ({ req }: Context): void => {
  if (req.complete) return
  req.resume()
  const timer = setTimeout(() => req.socket.destroy(), unreadBodyLimit)
  timer.unref()
  req.once('close', () => clearTimeout(timer))
}

/** The bytes of a body, requested from the client when the first are read. */
async function* dataOf(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  requestBody(request)
  // Where the body is not read to its end, the connection must stay open for the response.
  yield* request.iterator({ destroyOnReturn: false })
}

const declaredLength = (header: string | undefined): number | undefined =>
  header === undefined ? undefined : Number(header)

const headerText = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'object' ? header.join(', ') : header

const openingSettings = (route: Route | null) =>
  [...(route?.endpoints.values() ?? [])].flatMap(({ openedBy }) => openedBy ?? [])

const unlimitedPaths = new Set(endpoints.flatMap(({ unlimited, path }) => (unlimited === true ? [path] : [])))

const unauthorized: Problem = { _tag: 'Unauthorized' }

const missingTokenFor = (identity: Identity): Failure | null => {
  if (identity === null) return unauthorized
  return E.isLeft(identity) ? identity.left : null
}

const findRoute = createRouteTable(endpoints)

/** What an endpoint returned, and how long a response that may be cached is valid. */
type Served = {
  readonly result: EndpointResult
  readonly validity: Omit<Execution<unknown>, 'output'> | null
}

/** The Koa application made from the contract's endpoints. `isDraining` returns whether the service is shutting down. */
export const createHttpApp = (
  useCases: UseCases,
  readRate: ReadRate | null,
  clock: Clock,
  log: Log,
  options: HttpOptions,
  isDraining: () => boolean,
): Koa<ExchangeState> => {
  const { jsonLimit, jsonSeconds, bareLinks, corsOrigins } = options
  const documentation = createDocumentation(options)
  const services = createServiceEndpoints(useCases, documentation, isDraining)
  const cache = createResponseCache(options.responseCacheBytes, clock)
  const dashboard = createDashboard(options)
  const unsent = limitUnsentBodies(options.unsentBytes, log)
  const isForwarded = hasForwardedLinks(options)

  const fail = (exchange: Exchange, failure: Failure): void => {
    setExchangeHeaders(exchange)
    sendFailure(exchange, failure, log)
  }

  /** Sends the failure where a response could not be sent. */
  const sendReady = createSendReady(createCompression(), {
    onCompressed: ({ cacheSlot }, response) => {
      if (cacheSlot !== null) cache.resize(cacheSlot, response)
    },
    onRefused: fail,
  })

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

  const deploymentRequest = (
    { context, identity, id, clientId, base, address }: Exchange,
    instance: number | null,
  ): DeploymentRequest => ({
    identity,
    identifyAgain: () => identify(useCases.principals, context),
    address,
    requestId: id,
    clientRequestId: clientId,
    links: linksFor(base, instance),
    strict: prefersStrict(headerText(context.req.headers['prefer'])),
  })

  const operationRequest = (exchange: Exchange, { method }: Endpoint, instance: number): OperationRequest => {
    const { headers } = exchange.context.req
    const precondition =
      method === 'GET' ? undefined : preconditionOf(headers['if-match'], headers['if-none-match'])
    return { ...deploymentRequest(exchange, instance), instance, precondition }
  }

  const endpointRequest = <Request>(
    exchange: Exchange,
    { parameters }: Route,
    operation: Request,
  ): EndpointRequest<Request> => {
    const { context, base } = exchange
    const { req, path, query } = context
    return {
      operation,
      target: { base, path, query, bareLinks },
      parameters,
      readObject: (isOptional) =>
        readObject(req, { bytes: jsonLimit, seconds: jsonSeconds }, isOptional, clock),
      openData: async () => {
        const problem = partialProblem(req)
        if (problem !== null) return E.left(problem)
        return E.right({
          contentType: req.headers['content-type'],
          length: declaredLength(req.headers['content-length']),
          body: dataOf(req),
        })
      },
    }
  }

  const serve = (exchange: Exchange, endpoint: Endpoint, route: Route): Outcome<Served> => {
    const { context, base } = exchange
    switch (endpoint.kind) {
      case 'operation': {
        const instance = instanceOf(context)
        return instance === null
          ? TE.left(notFound)
          : pipe(
              endpoint.serve(
                endpointRequest(exchange, route, operationRequest(exchange, endpoint, instance)),
                useCases.execute,
              ),
              TE.map(({ result, ...validity }) => ({ result, validity })),
            )
      }
      case 'deployment':
        return pipe(
          endpoint.serve(
            endpointRequest(exchange, route, deploymentRequest(exchange, null)),
            useCases.executeOnDeployment,
          ),
          TE.map((result) => ({ result, validity: null })),
        )
      case 'service':
        return pipe(
          services[endpoint.operation](exchange, endpoint),
          TE.map((result) => ({ result, validity: null })),
        )
      case 'page':
        return pipe(
          TE.fromTask(() => documentation.page(endpoint.page, base, context.path)),
          TE.map((file) => ({ result: { _tag: 'WebFile', file }, validity: null })),
        )
    }
  }

  const send = async (
    exchange: Exchange,
    endpoint: Endpoint,
    { result, validity: known }: Served,
  ): Promise<void> => {
    const { cacheSlot } = exchange
    const { caching } = endpoint
    const validity = known === null ? null : { ...known, isAnyType: isAnyType(endpoint) }
    const isPublic = endpoint.openedBy !== undefined && exchange.identity === null
    const slot = caching === 'none' ? null : cacheSlot
    switch (result._tag) {
      case 'Redirect':
        return sendRedirect(
          exchange,
          result.location,
          sharedCacheControl({ caching: result.caching, isPublic, isForwarded }),
          isPublic,
        )
      case 'WebFile':
        return sendReady(exchange, result.file)
      case 'DefaultThumbnail':
      case 'Data': {
        const download = result._tag === 'Data' ? result.download : defaultThumbnail(result.kind)
        if (slot === null || validity === null || isPublic || download.bytes > cache.maxDataBytes) {
          const failure = await sendData(exchange, download)
          return failure === null ? undefined : fail(exchange, failure)
        }
        const small = await dataResponse(download)
        if (E.isLeft(small)) return fail(exchange, small.left)
        cache.add(slot, small.right, validity)
        return sendReady(exchange, small.right)
      }
      case 'Json':
      case 'Text': {
        const { deprecated } = endpoint
        const sent =
          deprecated === undefined || result._tag === 'Text'
            ? result
            : { ...result, headers: { ...result.headers, Deprecation: 'true' } }
        const response = await textResponse(
          sent,
          { caching, isPublic, isForwarded, isCompressed: options.compression },
          clock,
        )
        if (slot !== null && validity !== null) cache.add(slot, response, validity)
        return sendReady(exchange, response)
      }
    }
  }

  /**
   * A missing token, which is reported before a problem of the path or the method
   * (docs/behaviour/errors.md#missing-token-first).
   */
  const missingToken = async (
    { context, identity }: Exchange,
    route: Route | null,
  ): Promise<Failure | null> => {
    const instance = instanceOf(context)
    if (instance !== null) return useCases.missingToken(identity, instance, openingSettings(route))
    return isOnDeployment(context) ? missingTokenFor(identity) : null
  }

  const respond: Middleware<ExchangeState> = async (context) => {
    const { exchange } = context.state
    const route = findRoute(context.path)
    if (route === null) {
      const problem = problemOfPath(context.path)
      const missing = problem._tag === 'Gone' ? await missingToken(exchange, null) : null
      return fail(exchange, missing ?? problem)
    }
    if (context.method === 'OPTIONS') return sendAllowed(exchange, allowedBy(route))
    const endpoint = endpointFor(context, route)
    if ('_tag' in endpoint) return fail(exchange, (await missingToken(exchange, route)) ?? endpoint)
    // Health checks and short requests are served between long ones, however many requests arrive at once.
    if (needsToken(endpoint)) await clock.turn()
    const served = await serve(exchange, endpoint, route)()
    return E.isLeft(served) ? fail(exchange, served.left) : send(exchange, endpoint, served.right)
  }

  /** Sends what a page consists of, to GET and HEAD. */
  const sendStatic = (exchange: Exchange, file: ReadyResponse | null): void | Promise<void> => {
    const { method } = exchange.context
    const allowed = ['GET', 'HEAD', 'OPTIONS']
    if (file === null) return fail(exchange, notFound)
    if (!allowed.includes(method)) return fail(exchange, { _tag: 'MethodNotAllowed', allowed })
    return method === 'OPTIONS' ? sendAllowed(exchange, allowed) : sendReady(exchange, file)
  }

  const respondWithAsset =
    (
      find: (parameters: Readonly<Record<string, string>>) => Promise<ReadyResponse | null>,
    ): Middleware<ExchangeState> =>
    async (context) =>
      sendStatic(context.state.exchange, await find(context['params'] as Readonly<Record<string, string>>))

  /** The addresses in the page are relative to `/dashboard/`, so that it works behind a proxy that adds a path prefix. */
  const respondWithDashboard: Middleware<ExchangeState> = async (context) => {
    const { exchange } = context.state
    if (context.path === dashboardPath)
      return sendRedirect(exchange, 'dashboard/', cacheControl.documentation, false)
    return sendStatic(exchange, await dashboard.page())
  }

  /** Identifies the caller, and counts the request for its rate limit before anything else is read for it. */
  const identifyAndLimit: Middleware<ExchangeState> = async (context, next) => {
    const { exchange } = context.state
    const identity = await identify(useCases.principals, context)
    exchange.identity = identity
    if (readRate === null || unlimitedPaths.has(context.path) || isStoreUnavailable(identity)) return next()
    const principal = identity !== null && E.isRight(identity) ? identity.right : null
    const isPublic = identity === null && openingSettings(findRoute(context.path)).length > 0
    const rate = readRate(principal, isPublic, () => exchange.address)
    exchange.rate = rate
    return rate.isAllowed ? next() : fail(exchange, { _tag: 'TooManyRequests', retryAfter: rate.seconds })
  }

  const respondFromCache: Middleware<ExchangeState> = async (context, next) => {
    const { exchange } = context.state
    exchange.cacheSlot = cache.slotOf(exchange)
    const { cacheSlot } = exchange
    const cached = cacheSlot === null ? null : cache.find(cacheSlot)
    if (cacheSlot !== null && cached !== null) {
      const { instances } = useCases
      // Another process may have deleted the instance (docs/behaviour/access.md#deleted-instances).
      const isLive =
        instances.known(cacheSlot.instance) !== null || E.isRight(await instances.find(cacheSlot.instance)())
      if (isLive) return sendReady(exchange, cached)
    }
    return next()
  }

  const handleExchange: Middleware<ExchangeState> = async (context, next) => {
    const started = performance.now()
    // Address and base are read at once: they are unknown after the client disconnects.
    const exchange: Exchange = {
      context,
      id: randomUUID(),
      clientId: requestId(headerText(context.req.headers['x-request-id'])),
      address: clientAddressOf(context, options),
      base: publicBase(context, options),
      unsent,
      policy: documentationPolicy(context.path) ?? dashboardPolicy(context.path) ?? dataPolicy,
      identity: null,
      signIn: null,
      rate: null,
      cacheSlot: null,
    }
    context.state.exchange = exchange
    // Every response is written by this package: without Koa’s own responses, such as text/plain errors.
    context.respond = false
    if (isDraining()) context.res.setHeader('Connection', 'close')
    try {
      const problem = hostProblem(context)
      if (problem === null) await next()
      else fail(exchange, problem)
    } catch (error) {
      log.write('error', 'defect', {
        ...requestIds(exchange),
        reason: error instanceof Error ? error.stack : String(error),
      })
      fail(exchange, { _tag: 'InternalError' })
    }
    discardUnreadBody(context)
    const { identity, signIn } = exchange
    const principal = identity !== null && E.isRight(identity) ? identity.right : null
    // Written out, because a spread makes an object that is slower to log.
    log.write('info', 'request', {
      request: exchange.id,
      clientRequest: exchange.clientId ?? undefined,
      address: exchange.address,
      method: context.method,
      path: context.path,
      status: context.res.statusCode,
      ms: Math.round((performance.now() - started) * 100) / 100,
      bytes: sentBytes(context.res),
      user: principal?.user,
      key: principal?.key ?? signIn?.key ?? undefined,
      outcome: signIn?.outcome,
    })
  }

  const router = new Router<ExchangeState>()
  for (const path of new Set(endpoints.flatMap((each) => (needsToken(each) ? [] : [each.path]))))
    router.all(path, respond)
  router.all(
    '/docs/assets/:version/:name',
    respondWithAsset(({ version = '', name = '' }) => documentation.asset(version, name)),
  )
  router.all(
    `${dashboardPath}/assets/:name`,
    respondWithAsset(({ name = '' }) => dashboard.asset(name)),
  )
  router.all(`${dashboardPath}{/}`, respondWithDashboard)
  // One route for all paths of an instance and of the administration: the route table finds the endpoint in one pass
  // over the path. The router would try a route per endpoint one after the other.
  router.all('/:iid{/*rest}', respond)

  const app = new Koa<ExchangeState>()
  // Koa would print that clients went away; what fails is logged here.
  app.silent = true
  app.use(handleExchange)
  if (corsOrigins.length > 0)
    app.use(
      crossOrigin<ExchangeState>(corsOrigins, ({ state, res }) => {
        setExchangeHeaders(state.exchange)
        res.writeHead(200, { 'Content-Length': 0 }).end()
      }),
    )
  app.use(identifyAndLimit)
  app.use(respondFromCache)
  app.use(router.routes())
  app.use((context) => fail(context.state.exchange, notFound))
  return app
}
