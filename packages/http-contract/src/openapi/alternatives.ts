/** Rules between attributes as schemas: alternatives, of which at least one must match what is sent. */
import type { JsonObject } from '@publishing-service/domain/json'
import type { Need, Shape, StoredAttribute, ValuesOfAnother } from '@publishing-service/domain/declare'
import { attributeSchema } from './attribute-schema.js'

const storedIn = ({ attributes }: Shape, name: string): StoredAttribute => {
  const attribute = attributes[name]
  if (attribute?.kind !== 'stored') throw new Error(`clients do not send ${name}`)
  return attribute
}

/** The schema of an attribute that is required and must not be empty. It names no default, which may be another value. */
const needed = (shape: Shape, name: string): JsonObject => {
  const schema = attributeSchema({ ...storedIn(shape, name), required: true, initial: null }, 'put', true)
  // Its items are described by the attribute itself; a second unnamed schema would have the same name in generators.
  return schema['type'] === 'array' ? { ...schema, minItems: 1, items: { description: 'An item.' } } : schema
}

const alternativeWith = (shape: Shape, { where }: Need, name: string): JsonObject => {
  const about =
    where === undefined
      ? {}
      : { [where.attribute]: { ...needed(shape, where.attribute), enum: where.values } }
  return {
    type: 'object',
    description:
      where === undefined
        ? `With \`${name}\`.`
        : `With \`${where.attribute}\` ${where.values.map((value) => `\`${value}\``).join(', ')}, and \`${name}\`.`,
    properties: { ...about, [name]: needed(shape, name) },
    required: [...Object.keys(about), name],
  }
}

const alternativesOfOnlyWith = (
  shape: Shape,
  where: ValuesOfAnother,
  attributes: readonly string[],
): readonly JsonObject[] => {
  const { initial } = storedIn(shape, where.attribute)
  const isInitial = where.values.some((value) => value === initial)
  const needs = needed(shape, where.attribute)
  const values = where.values.map((value) => `\`${value}\``).join(', ')
  return [
    {
      type: 'object',
      description: `With \`${where.attribute}\` ${values}${isInitial ? ', or without it' : ''}.`,
      properties: {
        [where.attribute]: isInitial
          ? { ...needs, type: ['string', 'null'], enum: [...where.values, null] }
          : { ...needs, enum: where.values },
      },
      ...(isInitial ? {} : { required: [where.attribute] }),
    },
    {
      type: 'object',
      description: `Without the attributes that need it: ${attributes.map((name) => `\`${name}\``).join(', ')}.`,
      properties: Object.fromEntries(
        attributes.map((name) => [
          name,
          { type: ['string', 'null'], enum: ['', null], description: 'Left out, or empty.' },
        ]),
      ),
    },
  ]
}

/** The alternatives for the requirements of a variant; none if it has no requirements. */
export const needAlternatives = (shape: Shape, variant: string): readonly JsonObject[] =>
  (shape.needs ?? [])
    .filter((need) => need.variant === variant && need.where?.values.length !== 0)
    .flatMap((need) => need.oneOf.map((name) => alternativeWith(shape, need, name)))

/** The alternatives for the attributes of a shape that need a value of another, for one without variants. */
export const onlyWithAlternatives = (shape: Shape): readonly JsonObject[] => {
  const limited = Object.entries(shape.attributes).flatMap(([name, attribute]) =>
    attribute.kind === 'stored' && attribute.onlyWith !== undefined
      ? [{ name, where: attribute.onlyWith }]
      : [],
  )
  const [first] = limited
  if (first === undefined) return []
  return alternativesOfOnlyWith(
    shape,
    first.where,
    limited.map(({ name }) => name),
  )
}
