import type { Context } from 'koa'
import { E, TE, type Json, type Problem } from '@publishing-service/domain'
import type { TokenGrant } from '@publishing-service/application'
import {
  apiVersion,
  cacheControl,
  dashboardPath,
  documentationPages,
  formLimits,
  instanceUrl,
  serviceName,
  type PageName,
  type Result,
  type ServiceEndpoint,
} from '@publishing-service/http-contract'
import { portFailure } from '@publishing-service/ports'
import { createReadForm, type FormFields } from './read-form.js'
import type { Handler, Reply, ServedEndpoint } from './handler.js'

/** The text of each of these fields, or undefined if it is missing or empty; a problem if one is repeated. */
const formOf = <N extends string>(
  fields: FormFields,
  ...names: readonly N[]
): E.Either<Problem, (name: N) => string | undefined> => {
  const repeated = names.filter((name) => Array.isArray(fields[name]))
  if (repeated.length > 0)
    return E.left({
      _tag: 'InvalidTokenRequest',
      reason: `the form has ${repeated.join(', ')} more than once`,
    })
  return E.right((name) => {
    const value = fields[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  })
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
      url: instanceUrl(base, instance),
    })),
  },
  headers: { Pragma: 'no-cache' },
})

/** Whether a client prefers HTML to JSON, as browsers do. */
const prefersHtml = (context: Pick<Context, 'accepts'>): boolean =>
  context.accepts('application/json', 'text/html') === 'text/html'

const readForm = createReadForm(formLimits)

const resultOf = (endpoint: ServedEndpoint, result: Result): Reply => ({
  _tag: 'Result',
  endpoint,
  result,
  validity: null,
})

/** The endpoints outside of instances: tokens, health, the OpenAPI document. */
export const serviceHandlers: Readonly<Record<ServiceEndpoint['operation'], Handler>> = {
  exchangeToken: async (get, { useCases }, exchange, { endpoint }) => {
    const form = get(await readForm(exchange.context)())
    const field = get(formOf(form, 'grant_type', 'api_key', 'api_secret'))
    const grant = await useCases.exchangeToken({
      grantType: field('grant_type'),
      apiKey: field('api_key'),
      apiSecret: field('api_secret'),
      address: exchange.address,
      requestId: exchange.id,
      clientRequestId: exchange.clientId,
      onSignIn: (signIn) => {
        exchange.signIn = signIn
      },
    })()
    return resultOf(endpoint, tokenResult(exchange.base, get(grant)))
  },

  revokeToken: async (get, { useCases }, { context }, { endpoint }) => {
    const field = get(formOf(get(await readForm(context)()), 'token'))
    get(await useCases.revokeToken(field('token'))())
    return resultOf(endpoint, json({}))
  },

  readService: async (_get, _service, { context, base }, { endpoint }) => {
    const { caching, htmlAt } = endpoint
    if (htmlAt !== undefined && prefersHtml(context)) {
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
  },

  readLiveness: async (_get, _service, _exchange, { endpoint }) =>
    resultOf(endpoint, json({ status: 'live' })),

  readReadiness: async (get, { useCases, documentation, state }, _exchange, { endpoint }) => {
    if (state.isDraining) get(E.left({ _tag: 'Unavailable', retryAfter: 10 }))
    const { errors } = get(await useCases.checkReadiness()())
    // The files of the documentation are read before the service reports that it is ready.
    get(await TE.tryCatch(documentation.load, (error) => portFailure('documentation', error))())
    const listed = errors.map(({ part, text }) => ({ part, text }))
    return resultOf(endpoint, json({ status: 'ready', version: apiVersion, errors: listed }))
  },

  readOpenApi: async (_get, { documentation }) => ({
    _tag: 'Ready',
    response: await documentation.openApi(),
  }),
}

/** Serves the page of the documentation that has the path of the endpoint. Its links are relative to that path. */
export const readPage =
  (page: PageName): Handler =>
  async (_get, { documentation }, { path }, { endpoint }) => {
    if (!path.endsWith('/')) return { _tag: 'Ready', response: await documentation.page(page) }
    const location = `../${endpoint.path.slice(endpoint.path.lastIndexOf('/') + 1)}`
    return { _tag: 'Redirect', location, control: cacheControl[endpoint.caching] }
  }
