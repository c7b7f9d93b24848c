/**
 * Examples of bodies, made from the declarations: what is sent is declared with a shape, and a response has what was sent,
 * completed by its schema (docs/clients.md).
 */
import type { Resource } from '@publishing-service/domain'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import { fieldsOf, type Queryable } from '@publishing-service/domain/lists'
import { segmentsOf } from '@publishing-service/domain/engine'
import type { Endpoint } from '../../endpoint.js'
import { pathParameters } from '../../path-parameters.js'
import { pascalCase, type NamedShape, type Payload } from '../../payload.js'
import { attributeSchema, isShown, type Direction } from '../attribute-schema.js'
import type { Components } from '../components.js'
import { payloadSchema } from '../payload-schema.js'
import { shapeSchema } from '../shape-schemas.js'
import { collectionIn, exampleId, exampleParameters, examplePath } from './example-parameters.js'
import { exampleValue } from './example-value.js'
import { exampleBase, responseValues } from './response-values.js'

/** Bodies by the name of the example. */
export type Examples = Readonly<Record<string, Json>>

type Context = {
  readonly components: Components
  readonly endpoint: Endpoint
}

const bodiesOf = ({ shape }: NamedShape): readonly JsonObject[] => shape.examples?.bodies ?? []

/** The one body of an operation, which needs no name. */
const only = (value: Json): Examples => ({ example: value })

/** The id and the address of the object that a path is of, that a creation makes, or that is in a list. */
const identityOf = (endpoint: Endpoint): JsonObject => {
  const { path, method } = endpoint
  const uuid = exampleParameters(endpoint)['uuid'] ?? exampleId(collectionIn(path))
  const isOfCollection = method === 'POST' && !path.includes('{uuid}')
  const object = { ...endpoint, path: path.replace(/\}[^}]*$/, '}') }
  const place = isOfCollection
    ? `${examplePath(endpoint)}/${uuid}`
    : examplePath(path.includes('{uuid}') ? object : endpoint)
  return { uuid, url: `${exampleBase}${place}` }
}

/** The id and the address of an object of a resource. */
const identityIn = (resource: Resource): JsonObject => {
  const segments = segmentsOf(resource)
  const uuid = exampleId(segments)
  return { uuid, url: `${exampleBase}/1/${segments}/${uuid}` }
}

/** The schema of each variant of a shape, by its name; of one without variants, as `example`. */
const variantsOf = ({ components }: Context, of: NamedShape, direction: Direction) => {
  const schema = components.resolve(shapeSchema(components, of, direction))
  const { discriminator } = schema
  return isJsonObject(discriminator) && isJsonObject(discriminator['mapping'])
    ? Object.entries(discriminator['mapping']).map(
        ([variant, $ref]) => [variant, { $ref: $ref ?? null }] as const,
      )
    : [['example', schema] as const]
}

/** What is known of an object of a variant: what is sent to create it. Other variants have that of the first one. */
const knownOf = ({ endpoint }: Context, of: NamedShape, variant: string): JsonObject => {
  const bodies = bodiesOf(of)
  const { variant: property = '' } = of.shape
  const body = bodies.find((each) => each[property] === variant) ?? bodies[0] ?? {}
  return {
    ...identityOf(endpoint),
    ...body,
    ...responseValues[of.name],
    ...responseValues[`${of.name}${pascalCase(variant)}`],
  }
}

const objectsRead = (context: Context, of: NamedShape): Examples =>
  Object.fromEntries(
    variantsOf(context, of, 'read').map(([variant, schema]) => [
      variant,
      exampleValue(context.components.resolve, schema, of.name, knownOf(context, of, variant)),
    ]),
  )

/** The bodies that create objects of a shape, by variant; with the attributes that are required, if none are declared. */
const objectsSent = (context: Context, of: NamedShape): Examples => {
  const bodies = bodiesOf(of)
  const { variant = '' } = of.shape
  if (bodies.length > 0)
    return Object.fromEntries(bodies.map((body) => [String(body[variant] ?? 'example'), body]))
  return Object.fromEntries(
    variantsOf(context, of, 'put').map(([name, schema]) => [
      name,
      exampleValue(context.components.resolve, schema, of.name, undefined),
    ]),
  )
}

/** A change of an object: the one that is declared, or its first attribute. */
const objectChanged = (context: Context, of: NamedShape): JsonObject => {
  const [body] = Object.values(objectsSent(context, of))
  const [first = []] = Object.entries(isJsonObject(body) ? body : {})
  return of.shape.examples?.change ?? Object.fromEntries([first])
}

type Items = Extract<Payload, { readonly _tag: 'Items' }>

const additionalOf = ({ additional }: Items): JsonObject =>
  additional === undefined ? {} : (bodiesOf(additional)[0] ?? {})

const isResource = (of: Queryable): of is Resource => 'collection' in of && 'name' in of

/** A row of the fields that the example requests. */
const row = ({ components, endpoint }: Context, of: Queryable): readonly Json[] => {
  const name = isResource(of) ? pascalCase(of.name) : endpoint.id
  const known = {
    ...(isResource(of) ? identityIn(of) : identityOf(endpoint)),
    ...(isResource(of) ? of.examples?.bodies[0] : {}),
    ...responseValues[name],
  }
  const { fields } = exampleParameters(endpoint)
  const requested = fields === undefined ? (of.initialFields ?? ['url']) : String(fields).split(',')
  return requested.map((field) => {
    const attribute = of.attributes[fieldsOf(of).get(field) ?? '']
    return attribute !== undefined && isShown(attribute)
      ? exampleValue(components.resolve, attributeSchema(attribute, 'read', false), field, known[field])
      : null
  })
}

/** Examples of the request body of an endpoint. */
export const requestExamples = (context: Context, payload: Payload): Examples => {
  const { endpoint } = context
  switch (payload._tag) {
    case 'Object': {
      if (endpoint.method === 'PATCH') return only(objectChanged(context, payload.of))
      const bodies = objectsSent(context, payload.of)
      // The object that is replaced is of the first variant, and cannot become another.
      return endpoint.operation === 'replaceObject'
        ? Object.fromEntries(Object.entries(bodies).slice(0, 1))
        : bodies
    }
    case 'Items':
      return only({
        ...additionalOf(payload),
        items: Object.values(objectsSent(context, payload.of)),
      })
    case 'Form':
      return only(payload.example)
    default:
      return {}
  }
}

/** An example of each kind of a composed object, with examples of the objects that it has. */
const kindsRead = (context: Context, payload: Extract<Payload, { readonly _tag: 'Kinds' }>): Examples => {
  const { components } = context
  const { discriminator = null } = components.resolve(payloadSchema(components, payload, 'read'))
  const mapping = isJsonObject(discriminator) ? discriminator['mapping'] : undefined
  return Object.fromEntries(
    payload.kinds.map(({ kind, parts }) => {
      const known = Object.entries(parts).flatMap(([name, { of, as }]) => {
        const [example] = 'shape' in of && as === undefined ? Object.values(objectsRead(context, of)) : []
        return example === undefined ? [] : [[name, example] as const]
      })
      const $ref = isJsonObject(mapping) ? (mapping[kind] ?? null) : null
      return [
        kind,
        exampleValue(components.resolve, { $ref }, payload.name, {
          kind,
          ...responseValues[`${payload.name}${pascalCase(kind)}`],
          ...Object.fromEntries(known),
        }),
      ]
    }),
  )
}

/** Examples of the body of a successful response of an endpoint. */
export const responseExamples = (context: Context, payload: Payload): Examples => {
  const { components, endpoint } = context
  switch (payload._tag) {
    case 'Object':
      return objectsRead(context, payload.of)
    case 'Items': {
      const schema = components.resolve(payloadSchema(components, payload, 'read'))
      const items = Object.values(objectsRead(context, payload.of)).map((item, index) =>
        isJsonObject(item) && item['ord'] !== undefined ? { ...item, ord: index + 1 } : item,
      )
      const known = { ...additionalOf(payload), items }
      return only(exampleValue(components.resolve, schema, payload.name, known))
    }
    case 'Rows':
      return only({ items: [row(context, payload.of)] })
    case 'Kinds':
      return kindsRead(context, payload)
    case 'Fixed': {
      const known = {
        ...identityOf(endpoint),
        ...responseValues[payload.name],
        ...responseValues[endpoint.id],
      }
      return only(
        exampleValue(components.resolve, payloadSchema(components, payload, 'read'), payload.name, known),
      )
    }
    case 'Value':
      return only(bodiesOf(payload.of)[0]?.[String(pathParameters['name']?.example)] ?? null)
    case 'Format':
      return only(payload.example)
    default:
      return {}
  }
}
