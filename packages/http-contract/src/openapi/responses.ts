import type { ProblemTag } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Endpoint } from '../endpoint.js'
import { mediaTypesOf, pascalCase } from '../payload.js'
import { exampleError, problemTable } from '../problem-table.js'
import { problemsOf } from '../problems-of.js'
import { responseHeaders, type ResponseHeader, type ResponseHeaderDeclaration } from '../response-headers.js'
import type { Components } from './components.js'
import { responseExamples } from './examples/examples.js'
import { exampleBase } from './examples/response-values.js'
import { withExamples } from './with-examples.js'
import { linksOf } from './links.js'
import { payloadSchema } from './payload-schema.js'

const headerOf = (name: ResponseHeader): JsonObject => {
  const { description, schema, optional }: ResponseHeaderDeclaration = responseHeaders[name]
  return { description, ...(optional === true ? {} : { required: true }), schema }
}

const headersOf = (components: Components, names: readonly ResponseHeader[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, components.refer('headers', name, () => headerOf(name))]))

const errorSchema = (components: Components, tag: ProblemTag): JsonObject => {
  const { error, meaning, info } = problemTable[tag]
  return components.refer('schemas', pascalCase(error), () => ({
    type: 'object',
    description: meaning,
    properties: {
      error: { type: 'string', enum: [error], description: 'Code for programs.' },
      error_description: { type: 'string', description: 'What happened, for developers.' },
      error_uri: { type: 'string', format: 'uri', description: 'A page that explains the error.' },
      ...(info === undefined ? {} : { error_info: info.schema }),
    },
    required: ['error', 'error_description', 'error_uri', ...(info === undefined ? [] : ['error_info'])],
  }))
}

const unionOf = (schemas: readonly JsonObject[], tags: readonly ProblemTag[]): JsonObject =>
  schemas.length === 1
    ? { ...schemas[0] }
    : {
        description: 'The value of `error` determines which one it is.',
        oneOf: schemas,
        discriminator: {
          propertyName: 'error',
          mapping: Object.fromEntries(
            tags.map((tag, index) => [problemTable[tag].error, schemas[index]?.['$ref'] ?? '']),
          ),
        },
      }

/** The headers of every response. */
const commonHeaders = [
  'X-Request-Id',
  'Cache-Control',
  'Vary',
  'X-Content-Type-Options',
  'Referrer-Policy',
  'Content-Security-Policy',
] as const satisfies readonly ResponseHeader[]

/** The headers of every response, except of endpoints without rate limits. */
const rateHeaders = ['RateLimit-Policy', 'RateLimit'] as const satisfies readonly ResponseHeader[]

/** One response for all problems of a status. */
const errorResponse = (components: Components, tags: readonly ProblemTag[]): JsonObject =>
  components.refer('responses', tags.map((tag) => pascalCase(problemTable[tag].error)).join('Or'), () => {
    const headers = tags.flatMap((tag) => Object.keys(problemTable[tag].headers ?? {}) as ResponseHeader[])
    return {
      description: tags
        .map((tag) => `\`${problemTable[tag].error}\`: ${problemTable[tag].meaning}`)
        .join('\n\n'),
      headers: headersOf(components, [...commonHeaders, ...rateHeaders, ...new Set(headers)]),
      content: {
        'application/json': {
          schema: unionOf(
            tags.map((tag) => errorSchema(components, tag)),
            tags,
          ),
          ...withExamples(
            Object.fromEntries(tags.map((tag) => [problemTable[tag].error, exampleError(tag, exampleBase)])),
          ),
        },
      },
    }
  })

const errorResponses = (components: Components, endpoint: Endpoint): JsonObject => {
  const byStatus = new Map<number, ProblemTag[]>()
  for (const tag of problemsOf(endpoint)) {
    const { status } = problemTable[tag]
    byStatus.set(status, [...(byStatus.get(status) ?? []), tag])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, tags]) => [String(status), errorResponse(components, tags.toSorted())]),
  )
}

const successHeaders = ({
  caching,
  responsePayload,
  deprecated,
  operation,
  unlimited,
}: Endpoint): readonly ResponseHeader[] => [
  ...commonHeaders,
  ...(unlimited === true ? [] : rateHeaders),
  ...(responsePayload._tag === 'Data' ? [] : (['Content-Encoding'] as const)),
  ...(caching === 'none' ? [] : (['ETag'] as const)),
  ...(responsePayload._tag === 'Rows' ? (['Link'] as const) : []),
  ...(deprecated === undefined ? [] : (['Deprecation'] as const)),
  ...(operation === 'exchangeToken' ? (['Pragma'] as const) : []),
  ...(responsePayload._tag === 'Data' ? (['Accept-Ranges', 'Content-Disposition'] as const) : []),
]

const contentOf = (components: Components, endpoint: Endpoint): JsonObject => {
  const { responsePayload } = endpoint
  const schema = payloadSchema(components, responsePayload, 'read')
  const examples = responseExamples({ components, endpoint }, responsePayload)
  return Object.fromEntries(
    mediaTypesOf(responsePayload).map((type) => [type, { schema, ...withExamples(examples) }]),
  )
}

const success = (components: Components, endpoint: Endpoint): JsonObject => {
  const { caching, responsePayload, method, redirects } = endpoint
  const content = contentOf(components, endpoint)
  const headers = successHeaders(endpoint)
  return {
    200: {
      description: 'Success.',
      headers: headersOf(components, headers),
      content,
      ...linksOf(endpoint),
    },
    ...(responsePayload._tag === 'Data'
      ? {
          206: {
            description: 'The requested part.',
            headers: headersOf(components, [...headers, 'Content-Range']),
            content,
          },
        }
      : {}),
    ...(redirects === undefined
      ? {}
      : {
          302: {
            description: `Redirection. ${redirects}`,
            headers: headersOf(components, [...commonHeaders, ...rateHeaders, 'Location']),
          },
        }),
    ...(method === 'GET' && caching !== 'none'
      ? {
          304: components.refer('responses', 'NotModified', () => ({
            description: 'The client has the current representation.',
            headers: headersOf(components, [...commonHeaders, ...rateHeaders, 'ETag']),
          })),
        }
      : {}),
  }
}

/** Every response of an endpoint, by status. */
export const responsesOf = (components: Components, endpoint: Endpoint): JsonObject => ({
  ...success(components, endpoint),
  ...errorResponses(components, endpoint),
})
