import type { Json, JsonObject } from '@publishing-service/domain/json'
import { countLimits, pageLimits } from '@publishing-service/domain/lists'
import { pascalCase, type NamedShape, type Part, type Payload } from '../payload.js'
import { attributeSchema, attributesIn, wireSchema, type Direction } from './attribute-schema.js'
import type { Components } from './components.js'
import { included, objectSchema, shapeSchema } from './shape-schemas.js'

const total: JsonObject = {
  type: 'object',
  description: 'With `total=true`: how many objects all pages list.',
  properties: {
    count: { type: 'integer', minimum: 0, maximum: countLimits.exact, description: 'Their number.' },
    exact: { type: 'boolean', description: 'False if there are more.' },
  },
  required: ['count', 'exact'],
}

const facets: JsonObject = {
  type: 'object',
  description: 'With `facets`: the values of each, the most frequent first.',
  additionalProperties: {
    type: 'array',
    maxItems: countLimits.values,
    description: 'The values of a facet.',
    items: {
      type: 'object',
      description: 'A value of objects that all pages list.',
      properties: {
        value: { type: 'string', description: 'The value; the UUID of a tag or a section.' },
        title: { type: ['string', 'null'], description: 'The title of the tag or section.' },
        count: { type: 'integer', minimum: 1, description: 'Number of objects that have it.' },
      },
      required: ['value', 'count'],
    },
  },
}

const page: JsonObject = {
  type: 'object',
  description: 'One page of rows.',
  properties: {
    items: {
      type: 'array',
      description: 'The rows.',
      maxItems: pageLimits.maxRpp,
      items: {
        type: 'array',
        description: 'The values of `fields`, in that order; null if there is no value.',
        // Without a type, because generators do not support a schema of every type.
        items: { description: 'A value, as in the object.' },
      },
    },
    next: {
      type: 'string',
      format: 'uri-reference',
      description: 'The next page, with the same parameters; absent on the last one.',
    },
    prev: {
      type: 'string',
      format: 'uri-reference',
      description: 'The previous page, with the same parameters; absent on the first one.',
    },
    included,
    total,
    facets,
    facets_exact: {
      type: 'boolean',
      description: `With \`facets\`: false if counts are estimated, of kinds with more than ${countLimits.exact} objects.`,
    },
    complete: {
      type: 'boolean',
      description:
        'False with `q` while the words of some objects cannot be found yet; absent once all can be found.',
    },
  },
  required: ['items'],
}

/** The accepted forms of `true`: a schema for each type, because generators give constants of mixed types one name. */
const trueValues: readonly JsonObject[] = [
  { type: 'boolean', enum: [true] },
  { type: 'string', enum: ['true', '1'] },
  { type: 'integer', enum: [1] },
]

type Items = Extract<Payload, { readonly _tag: 'Items' }>

/** An item of a list in which some attributes are left out if they are null. */
const sparseItem = ({ shape, description }: NamedShape, absent: readonly string[]): JsonObject => {
  const schema = objectSchema(shape.attributes, 'read', false)
  const { required } = schema
  const always = Array.isArray(required)
    ? required.filter((name: Json) => !absent.includes(String(name)))
    : []
  return { ...schema, description, required: always }
}

const itemSchema = (components: Components, of: NamedShape, direction: Direction): JsonObject => {
  const item = shapeSchema(components, of, direction)
  const { otherForms } = of.shape
  return otherForms === undefined || direction === 'read'
    ? item
    : { anyOf: [item, ...otherForms.schemas.map((schema) => wireSchema(schema, direction))] }
}

const listSchema = (
  components: Components,
  { of, most, sparse }: Items,
  direction: Direction,
): JsonObject => ({
  type: 'array',
  description: 'All of them, in their order.',
  items: sparse === undefined ? itemSchema(components, of, direction) : sparseItem(of, sparse),
  ...(most === undefined ? {} : { maxItems: most }),
})

const itemsSchema = (components: Components, payload: Items, direction: Direction): JsonObject => {
  const { of, additional, chosenBy, includes } = payload
  const head = additional === undefined ? {} : objectSchema(additional.shape.attributes, direction, false)
  const { properties = {}, required = [] } = head as {
    properties?: Readonly<Record<string, JsonObject>>
    required?: readonly Json[]
  }
  const listed = {
    type: 'object',
    description: additional?.description ?? `A list, in its order. ${of.description}`,
    properties: {
      ...properties,
      items: listSchema(components, payload, direction),
      ...(includes && direction === 'read' ? { included } : {}),
    },
    required: [...required, 'items'],
  }
  if (chosenBy === undefined || direction === 'read') return listed
  const { description = null } = properties[chosenBy] ?? {}
  return {
    description: `${listed.description} Its items are sent, or chosen by the service if \`${chosenBy}\` is true.`,
    anyOf: [
      listed,
      {
        type: 'object',
        description: 'Items that the service chooses; those sent are ignored.',
        properties: { ...properties, [chosenBy]: { description, anyOf: trueValues } },
        required: [...required, chosenBy],
      },
    ],
  }
}

/** A schema with several types as one schema for each, because some generators support no other alternatives. */
const eachType = (schema: JsonObject): readonly JsonObject[] => {
  const { type, ...rest } = schema
  if (!Array.isArray(type)) return [schema]
  return type.map((each: Json) =>
    each === 'null' ? { type: each, description: rest['description'] ?? '' } : { ...rest, type: each },
  )
}

const valueSchema = ({ description, shape }: NamedShape): JsonObject => ({
  description: `One of: ${description}`,
  anyOf: attributesIn(shape.attributes, 'read').flatMap(([, attribute]) =>
    eachType(attributeSchema(attribute, 'read', false)),
  ),
})

type Kinds = Extract<Payload, { readonly _tag: 'Kinds' }>

const listOfPage = (items: JsonObject): JsonObject => ({
  type: 'object',
  properties: {
    items: { type: 'array', description: 'Those of one page, in their order.', items },
    total,
    next: {
      type: 'string',
      format: 'uri-reference',
      description: 'The same page of the website with the next ones; absent on the last one.',
    },
  },
  required: ['items'],
})

const partSchema = (components: Components, { of, as, nullable, description }: Part): JsonObject => {
  const one =
    'shape' in of
      ? shapeSchema(components, of, 'read')
      : components.refer('schemas', of.name, () => wireSchema(of.schema, 'read'))
  const list: JsonObject = { type: 'array', description: 'All of them, in their order.', items: one }
  switch (as) {
    case 'list':
      return { ...list, description }
    case 'lists by UUID':
      return { type: 'object', additionalProperties: list, description }
    case 'page':
      return { ...listOfPage(one), description }
    default:
      return nullable ? { anyOf: [one, { type: 'null' }], description } : { ...one, description }
  }
}

/** A schema for each kind, discriminated by `kind`. */
const kindsSchema = (components: Components, { name, description, kinds }: Kinds): JsonObject => {
  const references = kinds.map(({ kind, description: what, properties, parts }) =>
    components.refer('schemas', `${name}${pascalCase(kind)}`, () => ({
      type: 'object',
      description: what,
      properties: {
        kind: { type: 'string', enum: [kind], description: `Always \`${kind}\`.` },
        ...Object.fromEntries(
          Object.entries(properties).map(([key, schema]) => [key, wireSchema(schema, 'read')]),
        ),
        ...Object.fromEntries(
          Object.entries(parts).map(([key, part]) => [key, partSchema(components, part)]),
        ),
      },
      required: ['kind', ...Object.keys(properties), ...Object.keys(parts)],
    })),
  )
  return {
    description,
    oneOf: references,
    discriminator: {
      propertyName: 'kind',
      mapping: Object.fromEntries(kinds.map(({ kind }, index) => [kind, references[index]?.['$ref'] ?? ''])),
    },
  }
}

/** The schema of the content of a body. */
export const payloadSchema = (components: Components, payload: Payload, direction: Direction): JsonObject => {
  switch (payload._tag) {
    case 'Object':
      return shapeSchema(components, payload.of, direction)
    case 'Items':
      return components.refer('schemas', `${payload.name}${direction === 'read' ? '' : 'Input'}`, () =>
        itemsSchema(components, payload, direction),
      )
    case 'Rows':
      return components.refer('schemas', 'Page', () => page)
    case 'Kinds':
      return components.refer('schemas', payload.name, () => kindsSchema(components, payload))
    case 'Fixed':
    case 'Form':
      return components.refer('schemas', payload.name, () => wireSchema(payload.schema, direction))
    case 'Value':
      return components.refer('schemas', payload.of.name.replace(/s$/, ''), () => valueSchema(payload.of))
    case 'Data':
      return { type: 'string', format: 'binary', description: 'Bytes.' }
    case 'Page':
      return { type: 'string', description: 'An HTML page.' }
    case 'Format':
      return { ...payload.schema }
    case 'Document':
      return { type: 'object', description: 'An OpenAPI 3.1 document.' }
  }
}
