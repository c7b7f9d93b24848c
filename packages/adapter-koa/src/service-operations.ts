import { clientAddress, pipe, TE, type Problem } from '@publishing-service/domain'
import type { Outcome, TokenGrant, UseCases } from '@publishing-service/application'
import {
  apiVersion,
  documentationPages,
  formLimits,
  instanceUrl,
  serviceName,
} from '@publishing-service/http-contract'
import { portFailure } from '@publishing-service/ports'
import { json, type Answer } from './answer.js'
import type { Documentation } from './documentation.js'
import type { Handlers } from './handlers.js'
import type { HttpOptions } from './http-options.js'
import { loadOnce } from './load-once.js'
import { openApiFileOf } from './open-api-file.js'
import { prefersHtml } from './prefers-html.js'
import { createReadForm, type FormFields } from './read-form.js'
import type { WireRequest } from './wire-request.js'

const names = ['grant_type', 'api_key', 'api_secret'] as const
type Form = { readonly [N in (typeof names)[number]]: string | undefined }

const formOf = (fields: FormFields): Form | Problem => {
  const twice = names.filter((name) => Array.isArray(fields[name]))
  if (twice.length > 0)
    return { _tag: 'InvalidTokenRequest', reason: `the form has ${twice.join(', ')} more than once` }
  const text = (name: string) =>
    typeof fields[name] === 'string' && fields[name] !== '' ? fields[name] : undefined
  return { grant_type: text('grant_type'), api_key: text('api_key'), api_secret: text('api_secret') }
}

/** The token response (specification, Authentication). */
const grantAnswer = ({ base }: WireRequest, { accessToken, expiresIn, roles }: TokenGrant): Answer =>
  json(
    {
      access_token: accessToken,
      token_type: 'bearer',
      expires_in: expiresIn,
      items: roles.map(({ instance, roles: held }) => ({
        id: instance,
        roles: held,
        url: instanceUrl(base, instance),
      })),
    },
    { Pragma: 'no-cache' },
  )

/** What the service offers beside instances: tokens, health and documentation. */
export const serviceOperations = (
  useCases: UseCases,
  documentation: Documentation,
  options: HttpOptions,
  isDraining: () => boolean,
) => {
  const openApiFile = loadOnce(() => openApiFileOf(options))
  /** What the documented addresses send is read before the service says that it is ready. */
  const loadDocumentation: Outcome<unknown> = TE.tryCatch(
    () => Promise.all([openApiFile(), documentation.load()]),
    (error) => portFailure('documentation', error),
  )
  const readForm = createReadForm(formLimits)
  return {
    exchangeToken: (request) =>
      pipe(
        readForm(request.context),
        TE.chain((fields) => {
          const form = formOf(fields)
          if ('_tag' in form) return TE.left(form)
          return useCases.exchangeToken({
            grantType: form.grant_type,
            apiKey: form.api_key,
            apiSecret: form.api_secret,
            address: clientAddress(request.context.ip),
          })
        }),
        TE.map((grant) => grantAnswer(request, grant)),
      ),
    readService: ({ endpoint: { htmlAt }, context, base }) =>
      TE.right(
        htmlAt !== undefined && prefersHtml(context)
          ? { _tag: 'Redirect', location: `${base}${documentationPages[htmlAt].path}` }
          : json({
              name: serviceName,
              version: apiVersion,
              openapi_url: `${base}/openapi.json`,
              docs_url: `${base}${documentationPages.reference.path}`,
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
        TE.fromTask(openApiFile),
        TE.map((file) => ({ _tag: 'WebFile', file }) as const),
      ),
    readPage: ({ endpoint: { page, path }, context, base }) =>
      pipe(
        TE.fromTask(() => {
          if (page === undefined) throw new Error(`${path} names no page`)
          return documentation.page(page, base, context.path)
        }),
        TE.map((file) => ({ _tag: 'WebFile', file }) as const),
      ),
  } satisfies Partial<Handlers>
}
