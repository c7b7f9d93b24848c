import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { attributesOf, type AttributeTable } from '@publishing-service/domain/declare'
import { pascalCase, type NamedShape } from '../payload.js'
import { attributesIn, attributeSchema, isAlwaysThere, type Direction } from './attribute-schema.js'
import type { Components } from './components.js'
import { needAlternatives, onlyWithAlternatives } from './alternatives.js'

const suffix: Readonly<Record<Direction, string>> = { read: '', put: 'Input', patch: 'Change' }

const notes: Readonly<Record<Direction, string>> = {
  read: '',
  put: ' As it is sent: attributes that are left out or null have their defaults.',
  patch: ' The attributes to change; null clears an attribute.',
}

/** The schema of a shape without variants, or of one variant. */
export const objectSchema = (table: AttributeTable, direction: Direction, isVariant: boolean): JsonObject => {
  const entries = attributesIn(table, direction)
  const required = entries
    .filter(([, attribute]) => isAlwaysThere(attribute, direction, isVariant))
    .map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, attribute]) => [name, attributeSchema(attribute, direction, isVariant)]),
    ),
    ...(required.length === 0 ? {} : { required }),
  }
}

const variantsOf = ({ shape: { attributes, variant } }: NamedShape): readonly string[] => {
  const attribute = variant === undefined ? undefined : attributes[variant]
  return attribute?.kind === 'stored' ? (attribute.type.schema.enum ?? []) : []
}

/** The accepted names of a variant: its name and its aliases. */
const valuesFor = ({ shape: { attributes, variant } }: NamedShape, name: string): readonly string[] => {
  const attribute = variant === undefined ? undefined : attributes[variant]
  if (attribute?.kind !== 'stored') return [name]
  const { type } = attribute
  const context = { zone: 'UTC', streamingHosts: [], strict: true }
  return (type.inputSchema?.enum ?? [name]).filter((word) => {
    const read = type.decode(word, context)
    return E.isRight(read) && read.right === name
  })
}

/** The objects that `include` names. */
export const included: JsonObject = {
  type: 'object',
  description:
    'The objects that `include` names, by UUID, with the attributes of their kinds except long ones. Absent without `include`.',
  additionalProperties: { type: 'object', description: 'An object.' },
}

/** The schema of an object with `included`, if it is read with other objects. */
const withIncluded = (schema: JsonObject, { includes }: NamedShape, direction: Direction): JsonObject =>
  includes && direction === 'read'
    ? { ...schema, properties: { ...(schema['properties'] as JsonObject), included } }
    : schema

const anyOf = (ways: readonly JsonObject[]): JsonObject => (ways.length === 0 ? {} : { anyOf: ways })

const variantSchema = (
  named: NamedShape,
  property: string,
  variant: string,
  direction: Direction,
): JsonObject => {
  const { shape } = named
  const table = attributesOf(shape, { [property]: variant })
  const schema = withIncluded(objectSchema(table, direction, true), named, direction)
  const ways = direction === 'put' ? needAlternatives(shape, variant) : []
  const properties = schema['properties'] as Readonly<Record<string, JsonObject>>
  const own = properties[property]
  return {
    ...schema,
    description: `The variant with \`${property}\` \`${variant}\`.${notes[direction]}`,
    properties: {
      ...properties,
      ...(own === undefined
        ? {}
        : { [property]: { ...own, enum: direction === 'read' ? [variant] : valuesFor(named, variant) } }),
    },
    ...anyOf(ways),
  }
}

/**
 * A reference to the schema of a shape. The schema of a shape with variants is a union, discriminated by the attribute
 * whose value is the variant. A change has no such attribute, because the stored object determines the variant.
 */
export const shapeSchema = (components: Components, named: NamedShape, direction: Direction): JsonObject => {
  const { name, description, shape } = named
  const title = `${name}${suffix[direction]}`
  const property = shape.variant
  const variants = variantsOf(named)
  return components.refer('schemas', title, () => {
    if (property === undefined || variants.length === 0)
      return {
        description: `${description}${notes[direction]}`,
        ...withIncluded(objectSchema(attributesOf(shape, {}), direction, false), named, direction),
        ...anyOf(direction === 'put' ? onlyWithAlternatives(shape) : []),
      }
    const references = variants.map((variant) =>
      components.refer('schemas', `${name}${pascalCase(variant)}${suffix[direction]}`, () =>
        variantSchema(named, property, variant, direction),
      ),
    )
    if (direction === 'patch') return { description: `${description}${notes[direction]}`, anyOf: references }
    return {
      description: `${description}${notes[direction]}`,
      oneOf: references,
      discriminator: {
        propertyName: property,
        mapping: Object.fromEntries(
          variants.flatMap((variant, index) =>
            (direction === 'read' ? [variant] : valuesFor(named, variant)).map((word) => [
              word,
              references[index]?.['$ref'] ?? '',
            ]),
          ),
        ),
      },
    }
  })
}
