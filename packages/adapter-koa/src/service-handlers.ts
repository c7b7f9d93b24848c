import type { Context } from 'koa'
import type { Problem } from '@publishing-service/domain'
import { E, TE } from '@publishing-service/domain/fp'
import type { Json } from '@publishing-service/domain/json'
import { unwrap, type Fail, type TokenGrant } from '@publishing-service/application'
import {
  apiVersion,
  cacheControl,
  dashboardPath,
  documentationEndpoints,
  documentationPages,
  formLimits,
  linksFor,
  serviceEndpoints,
  serviceName,
  type Headers,
  type PageName,
  type Result,
} from '@publishing-service/http-contract'
import { portFailure } from '@publishing-service/ports'
import { bind, bindVisitor } from './bind.js'
import { forwardedIn } from './forwarded.js'
import { createReadForm, type FormFields } from './read-form.js'
import type { Handler, Reply, ServedEndpoint } from './handler.js'

const invalidRequest = (reason: string): Problem<'InvalidTokenRequest'> => ({
  _tag: 'InvalidTokenRequest',
  reason,
})

/** The text of each of these fields, or undefined if it is missing or empty; fails if one is repeated. */
const formOf = <N extends string>(
  fields: FormFields,
  failWith: Fail<'InvalidTokenRequest'>,
  ...names: readonly N[]
): ((name: N) => string | undefined) => {
  const repeated = names.filter((name) => Array.isArray(fields[name]))
  if (repeated.length > 0) failWith(invalidRequest(`the form has ${repeated.join(', ')} more than once`))
  return (name) => {
    const value = fields[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
}

const json = (body: Json): Result => ({ _tag: 'Json', body })

/** The token response (docs/behaviour/access.md#token-request). */
const tokenResult = (base: string, { accessToken, expiresIn, roles }: TokenGrant): Result => ({
  _tag: 'Json',
  body: {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: expiresIn,
    items: roles.map(({ instance, roles: held }) => ({
      id: instance,
      roles: held,
      url: linksFor(base, instance).root,
    })),
  },
  headers: { Pragma: 'no-cache' },
})

/** Whether a client prefers HTML to JSON, as browsers do. */
const prefersHtml = (koa: Pick<Context, 'accepts'>): boolean =>
  koa.accepts('application/json', 'text/html') === 'text/html'

const shuttingDown: Problem = { _tag: 'Unavailable', retryAfter: 10 }

const readForm = createReadForm(formLimits)

const resultOf = (endpoint: ServedEndpoint, result: Result): Reply => ({
  _tag: 'Result',
  endpoint,
  result,
  validity: null,
  shared: null,
})

/** The reply of an endpoint that returns JSON and is never cached. */
export const jsonReply = (endpoint: ServedEndpoint, body: Json, headers: Headers = {}): Reply =>
  resultOf(endpoint, { _tag: 'Json', body, headers })

/** The endpoints outside of instances: tokens, health, the OpenAPI document. */
export const servedByItself: readonly ServedEndpoint[] = [
  bindVisitor(serviceEndpoints.exchangeToken, async ({ useCases }, context, { endpoint }, failWith) => {
    const form = await readForm(context.koa)
    const field = formOf(form, failWith, 'grant_type', 'api_key', 'api_secret')
    const grant = await useCases.exchangeToken({
      grantType: field('grant_type'),
      apiKey: field('api_key'),
      apiSecret: field('api_secret'),
      address: context.address,
      requestId: context.id,
      clientRequestId: context.clientId,
      onSignIn: (signIn) => {
        context.signIn = signIn
      },
    })()
    if (E.isLeft(grant)) return failWith(grant.left)
    return resultOf(endpoint, tokenResult(context.base, grant.right))
  }),

  bindVisitor(serviceEndpoints.revokeToken, async ({ useCases }, { koa }, { endpoint }, failWith) => {
    const field = formOf(await readForm(koa), failWith, 'token')
    const revoked = await useCases.revokeToken(field('token'))()
    if (E.isLeft(revoked)) return failWith(revoked.left)
    return resultOf(endpoint, json({}))
  }),

  bindVisitor(serviceEndpoints.readService, async (_service, { koa, base }, { endpoint }) => {
    const { caching, htmlAt } = endpoint
    if (htmlAt !== undefined && prefersHtml(koa)) {
      const location = `${base}${documentationPages[htmlAt].path}`
      return resultOf(endpoint, { _tag: 'Redirect', location, caching })
    }
    const body = {
      name: serviceName,
      version: apiVersion,
      openapi_url: `${base}/openapi.json`,
      docs_url: `${base}${documentationPages.reference.path}`,
      dashboard_url: `${base}${dashboardPath}`,
      health_url: `${base}/health/ready`,
    }
    return resultOf(endpoint, json(body))
  }),

  bindVisitor(serviceEndpoints.readLiveness, async (_service, { koa: { req } }, { endpoint }) =>
    resultOf(endpoint, json({ status: 'live', forwarded: forwardedIn(req.headers) })),
  ),

  bindVisitor(
    serviceEndpoints.readReadiness,
    async ({ useCases, documentation, state }, _context, { endpoint }) => {
      if (state.phase !== 'serving') throw shuttingDown
      const { errors } = unwrap(await useCases.checkReadiness()())
      // The files of the documentation are read before the service reports that it is ready.
      unwrap(await TE.tryCatch(documentation.load, (error) => portFailure('documentation', error))())
      const listed = errors.map(({ part, text }) => ({ part, text }))
      return resultOf(endpoint, json({ status: 'ready', version: apiVersion, errors: listed }))
    },
  ),

  bindVisitor(serviceEndpoints.readOpenApi, async ({ documentation }) => ({
    _tag: 'Ready',
    response: await documentation.openApi(),
  })),
]

/** Serves the page of the documentation that has the path of the endpoint. Its links are relative to that path. */
const readPage =
  (page: PageName): Handler =>
  async ({ documentation }, { path }, { endpoint }) => {
    if (!path.endsWith('/')) return { _tag: 'Ready', response: await documentation.page(page) }
    const location = `../${endpoint.path.slice(endpoint.path.lastIndexOf('/') + 1)}`
    return { _tag: 'Redirect', location, control: cacheControl[endpoint.caching] }
  }

/** The pages of the documentation. */
export const servedPages: readonly ServedEndpoint[] = documentationEndpoints.map((endpoint) =>
  bind(endpoint, readPage(endpoint.page)),
)
