import type { Json, JsonObject } from '@publishing-service/domain/json'
import type {
  AliasAttribute,
  Attribute,
  DerivedAttribute,
  Schema,
  StoredAttribute,
} from '@publishing-service/domain/declare'

/** An object as it is read, as it is sent with PUT, and as it is sent with PATCH. */
export type Direction = 'read' | 'put' | 'patch'

const withNull = (schema: Schema): JsonObject => {
  const { type, enum: words, anyOf, ...rest } = schema
  return {
    ...rest,
    ...(anyOf === undefined ? {} : { anyOf: [...anyOf, { type: 'null' }] }),
    ...(type === undefined ? {} : { type: [type, 'null'] }),
    ...(words === undefined ? {} : { enum: [...words, null] }),
  }
}

/**
 * The schema of a value on the wire. Optional properties of an object may be null when they are sent, and are always
 * returned, as null if they are absent.
 */
export const wireSchema = (schema: Schema, direction: Direction, nullable = false): JsonObject => {
  const { items, properties, required = [] } = schema
  return {
    ...(nullable ? withNull(schema) : schema),
    ...(items === undefined ? {} : { items: wireSchema(items, direction) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, each]) => [
              name,
              wireSchema(each, direction, !required.includes(name)),
            ]),
          ),
          required: direction === 'read' ? Object.keys(properties) : required,
        }),
  }
}

type Shown = StoredAttribute | DerivedAttribute | AliasAttribute

/** Whether clients know it, as a property or a field. */
export const isShown = (attribute: Attribute): attribute is Shown =>
  attribute.kind !== 'computed' && !(attribute.kind === 'stored' && attribute.internal)

/** Whether a client may send it. A fixed attribute is sent only when the object is created. */
const isSent = (attribute: Shown, direction: Direction): boolean =>
  attribute.kind === 'alias' ||
  (attribute.kind === 'stored' && !attribute.readOnly && !(attribute.fixed && direction === 'patch'))

/** Whether it is part of the object in this direction. */
const isIn = (attribute: Shown, direction: Direction): boolean => {
  if (direction === 'read')
    return attribute.kind === 'derived'
      ? !attribute.rowsOnly
      : attribute.kind === 'alias' || !attribute.writeOnly
  return isSent(attribute, direction)
}

export const attributesIn = (
  table: Readonly<Record<string, Attribute>>,
  direction: Direction,
): readonly (readonly [string, Shown])[] =>
  Object.entries(table).flatMap(([name, attribute]): readonly (readonly [string, Shown])[] =>
    isShown(attribute) && isIn(attribute, direction) ? [[name, attribute]] : [],
  )

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

const initialOf = (attribute: Shown): Json =>
  attribute.kind === 'stored' && !attribute.readOnly ? (attribute.initial ?? null) : null

/** A default in words: generators make code that does not compile of defaults of lists, enums and unions with null. */
const initialText = (attribute: Shown, direction: Direction): readonly string[] => {
  const initial = direction === 'put' ? initialOf(attribute) : null
  return initial === null
    ? []
    : [`By default \`${typeof initial === 'string' ? initial : JSON.stringify(initial)}\``]
}

const descriptionOf = (attribute: Shown, direction: Direction, isVariantKnown: boolean): string => {
  const { description, only, addon, visibleTo, deprecated } = attribute
  return [
    description,
    ...initialText(attribute, direction),
    ...(only === undefined || isVariantKnown ? [] : [`Only for ${only.join(', ')}`]),
    ...(addon === undefined
      ? []
      : [`${addon === 'written' ? 'Written only' : 'Only'} with the directory add-on`]),
    ...(visibleTo === undefined ? [] : [`Null for roles weaker than ${visibleTo}`]),
    ...(deprecated === undefined ? [] : [`Deprecated: ${deprecated}`]),
  ]
    .map(sentence)
    .join(' ')
}

const isNullable = (attribute: Shown, direction: Direction): boolean => {
  if (attribute.sparse && direction === 'read') return false
  if (attribute.kind === 'derived') return attribute.nullable === true
  if (attribute.kind === 'alias') return true
  if (attribute.nullableInViews && direction === 'read') return true
  if (
    attribute.required &&
    !(attribute.kind === 'stored' && attribute.madeFrom !== undefined && direction === 'put')
  )
    return false
  return direction !== 'read' || !(attribute.alwaysSet || (attribute.initial ?? null) !== null)
}

const schemaOf = (attribute: Shown, direction: Direction): Schema => {
  if (attribute.kind === 'derived') return attribute.schema
  const { schema, inputSchema = schema, outputSchema = schema } = attribute.type
  return direction === 'read' ? outputSchema : inputSchema
}

/** The schema of an attribute. The description includes its variants unless `isVariantKnown` is set. */
export const attributeSchema = (
  attribute: Shown,
  direction: Direction,
  isVariantKnown: boolean,
): JsonObject => ({
  ...wireSchema(schemaOf(attribute, direction), direction, isNullable(attribute, direction)),
  description: descriptionOf(attribute, direction, isVariantKnown),
  ...(attribute.kind === 'derived' || (attribute.kind === 'stored' && attribute.readOnly)
    ? { readOnly: true }
    : {}),
  ...(attribute.deprecated === undefined ? {} : { deprecated: true }),
})

/** Whether every object has it, or every one of a variant, for every role and on every instance. */
export const isAlwaysThere = (attribute: Shown, direction: Direction, isVariant: boolean): boolean => {
  if (attribute.only !== undefined && !isVariant) return false
  if (direction === 'read') return attribute.addon !== true && attribute.sparse !== true
  return (
    direction === 'put' &&
    attribute.kind === 'stored' &&
    attribute.required === true &&
    attribute.madeFrom === undefined
  )
}
