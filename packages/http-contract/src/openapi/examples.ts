import { isHostedBy, isJsonObject, type Json, type JsonObject } from '@publishing-service/domain'
import type { DeploymentFacts } from '../deployment-facts.js'
import recorded from './examples.json' with { type: 'json' }

/** Examples of one operation, recorded from a service with the sample publication (`npm run docs`). */
export type Examples = {
  /** Values of path and query parameters, as in addresses. */
  readonly parameters?: Readonly<Record<string, string | number>>
  /** Request bodies, by the name of the example. */
  readonly requests?: Readonly<Record<string, Json>>
  /** Response bodies, by the name of the example. */
  readonly responses?: Readonly<Record<string, Json>>
}

/** The address that links in examples start with. */
export const exampleBase = 'https://api.example.org'

const table: Readonly<Record<string, Examples>> = recorded

export const examplesOf = (operation: string): Examples => table[operation] ?? {}

type Hosts = Pick<DeploymentFacts, 'streamingHosts'>

/** Whether the deployment accepts a medium: it is at one of its streaming hosts, or at none. */
const isAccepted = ({ streamingHosts }: Hosts, value: Json): boolean => {
  if (!isJsonObject(value)) return true
  const { url_type: name, url } = value
  return (
    typeof name !== 'string' ||
    typeof url !== 'string' ||
    streamingHosts.some((host) => [host.name, ...host.aliases].includes(name) && isHostedBy(host, url))
  )
}

/** Bodies without the media that a deployment does not accept; bodies that are such a medium are left out. */
export const acceptedBy = (
  hosts: Hosts,
  bodies: Readonly<Record<string, Json>> = {},
): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    Object.entries(bodies)
      .filter(([, body]) => isAccepted(hosts, body))
      .map(([name, body]) => [
        name,
        isJsonObject(body) && Array.isArray(body['items'])
          ? { ...body, items: body['items'].filter((item: Json) => isAccepted(hosts, item)) }
          : body,
      ]),
  )

/** The `examples` of a body; nothing if there are none. */
export const withExamples = (values: Readonly<Record<string, Json>> | undefined): JsonObject =>
  values === undefined || Object.keys(values).length === 0
    ? {}
    : { examples: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])) }
