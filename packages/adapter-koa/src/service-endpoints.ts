import type { Context } from 'koa'
import { E, pipe, TE, type Json, type Problem } from '@publishing-service/domain'
import type { Outcome, TokenGrant, UseCases } from '@publishing-service/application'
import {
  apiVersion,
  dashboardPath,
  documentationPages,
  formLimits,
  instanceUrl,
  serviceName,
  type Result,
  type ServiceEndpoint,
} from '@publishing-service/http-contract'
import { portFailure } from '@publishing-service/ports'
import type { Documentation } from './documentation.js'
import type { Exchange } from './exchange.js'
import { createReadForm, type FormFields } from './read-form.js'
import type { ReadyResponse } from './ready-response.js'

/** What an endpoint returns, before it is sent. */
export type EndpointResult =
  | Result
  /** A file of the documentation, the same for all clients. */
  | { readonly _tag: 'WebFile'; readonly file: ReadyResponse }

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

const json = (body: Json): EndpointResult => ({ _tag: 'Json', body })

/** The token response (docs/behaviour/access.md#token-request). */
const tokenResult = (base: string, { accessToken, expiresIn, roles }: TokenGrant): EndpointResult => ({
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

/** Whether a client accepts HTML at all. */
export const acceptsHtml = (context: Context): boolean => context.accepts('text/html') !== false

/** Whether a client prefers HTML to JSON, as browsers do. */
const prefersHtml = (context: Context): boolean =>
  context.accepts('application/json', 'text/html') === 'text/html'

type Serve = (exchange: Exchange, endpoint: ServiceEndpoint) => Outcome<EndpointResult>

/** The endpoints outside of instances: tokens, health and the OpenAPI document. */
export const createServiceEndpoints = (
  useCases: UseCases,
  documentation: Documentation,
  isDraining: () => boolean,
): Readonly<Record<ServiceEndpoint['operation'], Serve>> => {
  /** The files of the documentation are read before the service reports that it is ready. */
  const loadDocumentation: Outcome<unknown> = TE.tryCatch(documentation.load, (error) =>
    portFailure('documentation', error),
  )
  const readForm = createReadForm(formLimits)
  return {
    exchangeToken: (exchange) =>
      pipe(
        readForm(exchange.context),
        TE.chainEitherKW((fields) => formOf(fields, 'grant_type', 'api_key', 'api_secret')),
        TE.chain((field) =>
          useCases.exchangeToken({
            grantType: field('grant_type'),
            apiKey: field('api_key'),
            apiSecret: field('api_secret'),
            address: exchange.address,
            requestId: exchange.id,
            clientRequestId: exchange.clientId,
            onSignIn: (signIn) => {
              exchange.signIn = signIn
            },
          }),
        ),
        TE.map((grant) => tokenResult(exchange.base, grant)),
      ),
    revokeToken: ({ context }) =>
      pipe(
        readForm(context),
        TE.chainEitherKW((fields) => formOf(fields, 'token')),
        TE.chain((field) => useCases.revokeToken(field('token'))),
        TE.map(() => json({})),
      ),
    readService: ({ context, base }, { htmlAt, caching }) =>
      TE.right(
        htmlAt !== undefined && prefersHtml(context)
          ? { _tag: 'Redirect', location: `${base}${documentationPages[htmlAt].path}`, caching }
          : json({
              name: serviceName,
              version: apiVersion,
              openapi_url: `${base}/openapi.json`,
              docs_url: `${base}${documentationPages.reference.path}`,
              dashboard_url: `${base}${dashboardPath}`,
              health_url: `${base}/health/ready`,
            }),
      ),
    readLiveness: () => TE.right(json({ status: 'live' })),
    readReadiness: () =>
      isDraining()
        ? TE.left({ _tag: 'Unavailable', retryAfter: 10 } as const)
        : pipe(
            useCases.checkReadiness(),
            TE.chainFirstW(() => loadDocumentation),
            TE.map(({ errors }) =>
              json({
                status: 'ready',
                version: apiVersion,
                errors: errors.map(({ part, text }) => ({ part, text })),
              }),
            ),
          ),
    readOpenApi: () =>
      pipe(
        TE.fromTask(documentation.openApi),
        TE.map((file) => ({ _tag: 'WebFile', file }) as const),
      ),
  }
}
