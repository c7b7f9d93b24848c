/** The document has none of the forms that generators of clients do not support. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { isJsonList, isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import { openApiDocument } from './document.js'

type Part = { readonly path: string; readonly schema: JsonObject }

/** All objects of a document with their paths. */
function* partsOf(value: Json, path = '#'): Generator<Part> {
  if (Array.isArray(value))
    for (const [index, each] of value.entries()) yield* partsOf(each, `${path}/${index}`)
  if (!isJsonObject(value)) return
  yield { path, schema: value }
  for (const [name, each] of Object.entries(value)) yield* partsOf(each, `${path}/${name}`)
}

/** What each form breaks is in docs/clients.md#generators. */
const forms: Readonly<Record<string, (schema: JsonObject) => boolean>> = {
  'an enum with values of several types': ({ enum: values }) =>
    isJsonList(values) &&
    new Set(values.filter((value) => value !== null).map((value) => typeof value)).size > 1,
  'a default that is not in the enum': ({ enum: values, default: initial }) =>
    isJsonList(values) && initial !== undefined && !values.includes(initial),
  'a default of a list, or of a value that may be null': ({ type, anyOf, default: initial }) =>
    initial !== undefined &&
    (anyOf !== undefined || isJsonList(initial) || (isJsonList(type) && type.includes('null'))),
  'several types other than null': ({ type }) =>
    isJsonList(type) && type.filter((each) => each !== 'null').length > 1,
  'an enum together with alternatives': ({ anyOf, oneOf, enum: values }) =>
    (anyOf ?? oneOf) !== undefined && isJsonList(values),
}

/** The name of a type that generators make from the name of a component. */
const typeName = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()

describe('the document, for generators of clients', () => {
  const document = openApiDocument()

  for (const [form, isUsed] of Object.entries(forms))
    it(`does not contain ${form}`, () => {
      const found = [...partsOf(document)].filter(({ schema }) => isUsed(schema)).map(({ path }) => path)
      expect(found).to.deep.equal([])
    })

  it('has no parameter with the type name of a schema', () => {
    const { schemas, parameters } = document['components'] as Readonly<Record<string, JsonObject>>
    const names = new Set(Object.keys(schemas ?? {}).map(typeName))
    expect(Object.keys(parameters ?? {}).filter((name) => names.has(typeName(name)))).to.deep.equal([])
  })

  it('names a type of bytes before any type', () => {
    const wildcards = [...partsOf(document)].filter(
      ({ path, schema }) => path.endsWith('/content') && '*/*' in schema,
    )
    expect(wildcards.map(({ schema }) => Object.keys(schema)[0])).to.include('application/octet-stream')
    for (const { path, schema } of wildcards)
      expect(Object.keys(schema)[0], path).to.equal('application/octet-stream')
  })
})
