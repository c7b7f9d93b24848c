/** What a variant needs beside what each of its attributes says, as the schemas of the ways to have it. */
import type { JsonObject, Need, Shape, StoredAttribute } from '@publishing-service/domain'
import { attributeSchema } from './attribute-schema.js'

const storedIn = ({ attributes }: Shape, name: string): StoredAttribute => {
  const attribute = attributes[name]
  if (attribute?.kind !== 'stored') throw new Error(`nobody sends ${name}`)
  return attribute
}

/** An attribute that has to be there, and not be empty. */
const needed = (shape: Shape, name: string): JsonObject => {
  const schema = attributeSchema({ ...storedIn(shape, name), required: true }, 'put', true)
  return schema['type'] === 'array' ? { ...schema, minItems: 1 } : schema
}

const wayBy = (shape: Shape, { where }: Need, name: string): JsonObject => {
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

/** One of them has to hold for what is sent. */
export const waysOf = (shape: Shape, variant: string): readonly JsonObject[] =>
  (shape.needs ?? [])
    .filter((need) => need.variant === variant && need.where?.values.length !== 0)
    .flatMap((need) => need.oneOf.map((name) => wayBy(shape, need, name)))
