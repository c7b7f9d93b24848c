/** What clients may send to a table of attributes, generated from the table. */
import fc from 'fast-check'
import { E } from '../fp.js'
import { jsonEqual, type Json, type JsonObject } from '../json.js'
import type { StoredAttribute } from '../resource/attribute.js'
import type { DeclaredResource } from '../resource/resource.js'
import { attributesOf, type Shape } from '../resource/attribute-tables.js'
import { valueContext } from './circumstances.js'
import { jsonOf } from './json-of.js'

/** The variants of a shape; null alone for a shape without variants. */
export const variantsOf = ({ attributes, variant }: Shape): readonly (string | null)[] => {
  const attribute = variant === undefined ? undefined : attributes[variant]
  return attribute?.kind === 'stored' ? (attribute.type.schema.enum ?? []) : [null]
}

const storedOf = (shape: Shape, variant: string | null): readonly (readonly [string, StoredAttribute])[] =>
  Object.entries(
    attributesOf(shape, shape.variant === undefined ? {} : { [shape.variant]: variant }),
  ).flatMap(([name, attribute]) => (attribute.kind === 'stored' ? [[name, attribute] as const] : []))

const isSent = ({ internal, readOnly }: StoredAttribute): boolean => !internal && !readOnly

const valueOf = (
  shape: Shape,
  variant: string | null,
  name: string,
  attribute: StoredAttribute,
): fc.Arbitrary<Json> => (name === shape.variant ? fc.constant(variant) : jsonOf(attribute.type.schema))

/** An object as a PUT may send it: required attributes always, others sometimes, some of them as null. */
export const inputFor = (shape: Shape, variant: string | null): fc.Arbitrary<JsonObject> => {
  const sent = storedOf(shape, variant).filter(([, attribute]) => isSent(attribute))
  return fc.record(
    Object.fromEntries(
      sent.map(([name, attribute]) => {
        const value = valueOf(shape, variant, name, attribute)
        return [name, attribute.required ? value : fc.option(value, { freq: 6 })]
      }),
    ),
    {
      requiredKeys: sent.filter(([, { required }]) => required).map(([name]) => name),
      noNullPrototype: true,
    },
  )
}

/** One attribute with a new value, as a PATCH may send it; null only where that is accepted. */
export const changeFor = (shape: Shape, variant: string | null): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    ...storedOf(shape, variant)
      .filter(([, attribute]) => isSent(attribute) && !attribute.fixed)
      .map(([name, attribute]) => {
        const value = valueOf(shape, variant, name, attribute)
        return (attribute.required ? value : fc.option(value, { freq: 6 })).map((each) => ({ [name]: each }))
      }),
  )

/** Stored values: decoded by their type, which rejects a time that the clocks skip; each item of a list once. */
const storedValueOf = ({ type }: StoredAttribute): fc.Arbitrary<Json> =>
  jsonOf(type.schema)
    .map((sent) => type.decode(sent, valueContext))
    .filter(E.isRight)
    .map(({ right: value }) =>
      Array.isArray(value)
        ? value.filter(
            (each: Json, index) => value.findIndex((other: Json) => jsonEqual(each, other)) === index,
          )
        : value,
    )

/** Values of the attributes that the service sets itself; one with a default is never null. */
export const serviceSetFor = (shape: Shape, variant: string | null): fc.Arbitrary<JsonObject> =>
  fc.record(
    Object.fromEntries(
      storedOf(shape, variant)
        // Moments follow from the date-times that are sent.
        .filter(([, attribute]) => !isSent(attribute) && attribute.momentOf === undefined)
        .map(([name, attribute]) => {
          const { type, initial } = attribute
          const { type: kind, properties } = type.schema
          if (kind === 'object' && (properties === undefined || initial !== undefined))
            return [name, fc.constant(initial ?? {})]
          const value = storedValueOf(attribute)
          return [name, initial === undefined ? fc.option(value, { freq: 6 }) : value]
        }),
    ),
    { noNullPrototype: true },
  )

/** The variants of a resource with a name for test titles. */
export const kindsOf = (
  resource: DeclaredResource,
): readonly { readonly name: string; readonly variant: string | null }[] =>
  variantsOf(resource).map((variant) => ({ name: variant ?? resource.name, variant }))
