import type { JsonObject } from '@publishing-service/domain/json'
import { formats } from '@publishing-service/domain/declare'
import { apiVersion, serviceName } from '../api-version.js'
import type { Endpoint } from '../endpoint.js'
import { groupDescription, groupOf } from '../endpoint-groups.js'
import { defaultFacts, type DeploymentFacts } from '../deployment-facts.js'
import { endpointsOn } from '../endpoints.js'
import { sizeText } from '../limits.js'
import { createComponents, type Components } from './components.js'
import { operationOf, securitySchemes } from './operation.js'

const descriptionOf = ({
  jsonLimit,
}: DeploymentFacts): string => `The back end of website publications: low-level read and edit access to their data.

Every path below \`/{iid}\` belongs to one publication. Requests and responses are JSON in UTF-8 unless an operation
states otherwise. The status of a success is always 200, also for creations and deletions. Request bodies have at most
${sizeText(jsonLimit)}; files have separate limits. HEAD is supported where GET is, OPTIONS everywhere. Date-times
have no offset: they are in the time zone of the setting \`/{iid}/settings/timezone\`.

Formats in addition to those of JSON Schema:

${Object.entries(formats)
  .map(([name, meaning]) => `- \`${name}\`: ${meaning}`)
  .join('\n')}`

const pathsOf = (components: Components, endpoints: readonly Endpoint[]): JsonObject => {
  const paths: Record<string, Record<string, JsonObject>> = {}
  for (const endpoint of endpoints) {
    const item = (paths[endpoint.path] ??= {})
    item[endpoint.method.toLowerCase()] = operationOf(components, endpoint)
  }
  return paths
}

/**
 * The API as an OpenAPI 3.1 document, generated from the declarations and the facts of the deployment. Without a public
 * address, the server address is relative to that of the document.
 */
export const openApiDocument = (facts: DeploymentFacts = defaultFacts): JsonObject => {
  const components = createComponents()
  const endpoints = endpointsOn(facts)
  const paths = pathsOf(components, endpoints)
  const base = facts.baseUrl ?? ''
  return {
    openapi: '3.1.1',
    info: {
      title: serviceName,
      version: apiVersion,
      description: descriptionOf(facts),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: base === '' ? '/' : base, description: 'The service that this document is from.' }],
    security: [],
    tags: [...new Set(endpoints.map(groupOf))].map((name) => ({ name, description: groupDescription(name) })),
    paths,
    components: {
      ...components.gathered(),
      securitySchemes: securitySchemes(base),
    },
  }
}
