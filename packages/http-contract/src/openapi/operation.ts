import type { JsonObject } from '@publishing-service/domain/json'
import { type Standing, standingNeeded } from '@publishing-service/access'
import { roleDescriptions, roleNeeded } from '@publishing-service/domain/roles'
import { openingsOf, type Endpoint } from '../endpoint.js'
import { groupOf } from '../endpoint-groups.js'
import type { Components } from './components.js'
import { requestExamples } from './examples/examples.js'
import { withExamples } from './with-examples.js'
import { parametersOf } from './parameters.js'
import { mediaTypesOf } from '../payload.js'
import { payloadSchema } from './payload-schema.js'
import { responsesOf } from './responses.js'

/**
 * Two schemes for the same token: OAuth, with the roles as scopes, and a plain bearer token for tools that do not request
 * it themselves. Both list the role that an operation needs.
 */
export const securitySchemes = (base: string) => ({
  oauth: {
    type: 'oauth2',
    description:
      'A token from `/oauth/token`, in exchange for an API key. The scopes are its roles on the instance, weakest first; each role may do what weaker ones may.',
    flows: { clientCredentials: { tokenUrl: `${base}/oauth/token`, scopes: roleDescriptions } },
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token that was requested from `/oauth/token` before.',
  },
})

const requestBody = (components: Components, endpoint: Endpoint): JsonObject => {
  const { requestPayload, body, method } = endpoint
  if (requestPayload === undefined) return {}
  const schema = payloadSchema(components, requestPayload, method === 'PATCH' ? 'patch' : 'put')
  const examples = requestExamples({ components, endpoint }, requestPayload)
  return {
    requestBody: {
      required: body !== 'optional object',
      content: Object.fromEntries(
        mediaTypesOf(requestPayload).map((type) => [type, { schema, ...withExamples(examples) }]),
      ),
    },
  }
}

const securityOf = (endpoint: Endpoint): readonly JsonObject[] => {
  const { permission, deployment } = endpoint
  if (deployment !== undefined) return Object.keys(securitySchemes('')).map((name) => ({ [name]: [] }))
  const needed = permission === null ? null : roleNeeded(permission.subject, permission.action)
  if (needed === null) return []
  return [
    ...Object.keys(securitySchemes('')).map((name) => ({ [name]: [needed] })),
    ...(openingsOf(endpoint).length === 0 ? [] : [{}]),
  ]
}

const standingSentences: Readonly<Record<Standing, string>> = {
  user: 'Needs a token of any API user.',
  administrator: 'Needs an operator, or the role `admin` on an instance.',
  operator: 'Needs an operator.',
}

const roleSentence = (endpoint: Endpoint): string => {
  const { permission, deployment, operation } = endpoint
  if (deployment !== undefined) return standingSentences[standingNeeded(deployment)]
  const needed = permission === null ? null : roleNeeded(permission.subject, permission.action)
  if (permission === null || needed === null) return 'Needs no token.'
  const toCreate = operation === 'replaceObject' ? roleNeeded(permission.subject, 'create') : needed
  const creating = toCreate === needed || toCreate === null ? '' : `, and \`${toCreate}\` to create`
  const openings = openingsOf(endpoint).map((setting) => `\`${setting}\``)
  const opened = openings.length === 0 ? '' : `; no token if the setting ${openings.join(' or ')} is on`
  return `Needs the role \`${needed}\`${creating}${opened}.`
}

/** An endpoint as an operation of the document. */
export const operationOf = (components: Components, endpoint: Endpoint): JsonObject => {
  const { id, summary, description, deprecated } = endpoint
  return {
    operationId: id,
    tags: [groupOf(endpoint)],
    summary,
    description: `${description}${deprecated === undefined ? '' : ' Deprecated.'}\n\n${roleSentence(endpoint)}`,
    ...(deprecated === undefined ? {} : { deprecated: true }),
    parameters: parametersOf(components, endpoint),
    ...requestBody(components, endpoint),
    responses: responsesOf(components, endpoint),
    security: securityOf(endpoint),
  }
}
