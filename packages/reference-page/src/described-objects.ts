/** Every object of requests and responses, with the endpoints that accept or return it. */
import type { Attribute, ComputedAttribute, Schema } from '@publishing-service/domain'
import { namedResource, groupOf, type Endpoint, type NamedShape } from '@publishing-service/http-contract'

/** An attribute that clients see. */
export type VisibleAttribute = Exclude<Attribute, ComputedAttribute>

export type DescribedObject = {
  readonly name: string
  readonly description: string
  readonly attributes: readonly (readonly [name: string, attribute: VisibleAttribute])[]
  readonly endpoints: readonly Endpoint[]
}

const shapesIn = ({ requestPayload, responsePayload, resource }: Endpoint): readonly NamedShape[] => [
  ...(resource === undefined || responsePayload._tag !== 'Rows' ? [] : [namedResource(resource)]),
  ...[requestPayload, responsePayload].flatMap((payload) => {
    if (payload?._tag === 'Object' || payload?._tag === 'Value') return [payload.of]
    if (payload?._tag === 'Items')
      return payload.additional === undefined ? [payload.of] : [payload.of, payload.additional]
    return []
  }),
]

const isShown = (attribute: Attribute): attribute is VisibleAttribute =>
  attribute.kind !== 'computed' && !(attribute.kind === 'stored' && attribute.internal === true)

const attributesOf = ({ shape }: NamedShape): DescribedObject['attributes'] =>
  Object.entries(shape.attributes).flatMap(([name, attribute]) =>
    isShown(attribute) ? [[name, attribute] as const] : [],
  )

/** The schema of the values that an attribute accepts, or returns if it is read-only. */
export const schemaOf = (attribute: VisibleAttribute): Schema =>
  attribute.kind === 'derived' ? attribute.schema : (attribute.type.inputSchema ?? attribute.type.schema)

export const attributeId = (object: string, attribute: string): string => `${object}.${attribute}`

/** The link to an operation on the reference page, where the renderer opens it. */
export const operationHref = (endpoint: Endpoint): string => `#/${groupOf(endpoint)}/${endpoint.id}`

/** In the order in which the endpoints mention them. */
export const describedObjects = (endpoints: readonly Endpoint[]): readonly DescribedObject[] => {
  const shapes = new Map<string, NamedShape>()
  const users = new Map<string, Set<Endpoint>>()
  for (const endpoint of endpoints)
    for (const shape of shapesIn(endpoint)) {
      if (!shapes.has(shape.name)) shapes.set(shape.name, shape)
      users.set(shape.name, (users.get(shape.name) ?? new Set()).add(endpoint))
    }
  return [...shapes.values()].map((shape) => ({
    name: shape.name,
    description: shape.description,
    attributes: attributesOf(shape),
    endpoints: [...(users.get(shape.name) ?? [])],
  }))
}
