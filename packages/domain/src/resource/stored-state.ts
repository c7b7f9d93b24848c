/** Whether stored JSON is of the types that a table declares: what the store returns was written by any release, or by hand. */
import type { Json, JsonObject } from '../json.js'
import { isJsonObject } from '../json.js'
import type { Schema } from '../value/schema.js'
import type { ValueType } from '../value/value-type.js'
import type { AttributeTable } from './attribute.js'

type Test = (value: Json) => boolean

/** What is checked of texts: whether they are texts, or, if a type has a closed set of words, also whether it is one. */
type Depth = 'types' | 'words'

const isText: Test = (value) => typeof value === 'string'
const isNumber: Test = (value) => typeof value === 'number'
const isBoolean: Test = (value) => typeof value === 'boolean'

const isAny: Test = () => true

const listTest =
  (item: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every((each: Json) => item(each))

const tupleTest =
  (items: readonly Test[]): Test =>
  (value) =>
    Array.isArray(value) && items.every((test, index) => test(value[index] ?? null))

const objectTest = ({ properties = {}, required = [] }: Schema, depth: Depth): Test => {
  const tests = Object.entries(properties).map(
    ([name, schema]) => [name, schemaTest(schema, depth), required.includes(name)] as const,
  )
  return (value) => {
    if (!isJsonObject(value)) return false
    return tests.every(([name, test, isRequired]) => {
      const part = value[name] ?? null
      return part === null ? !isRequired : test(part)
    })
  }
}

const schemaTest = (schema: Schema, depth: Depth): Test => {
  switch (schema.type) {
    case 'array':
      return schema.prefixItems === undefined
        ? listTest(schema.items === undefined ? isAny : schemaTest(schema.items, depth))
        : tupleTest(schema.prefixItems.map((each) => schemaTest(each, depth)))
    case 'object':
      return objectTest(schema, depth)
    case 'boolean':
      return isBoolean
    case 'integer':
    case 'number':
      return isNumber
    case 'string': {
      if (depth === 'types' || schema.enum === undefined) return isText
      const words: ReadonlySet<Json> = new Set(schema.enum)
      return (value) => words.has(value)
    }
    default: {
      const tests = (schema.anyOf ?? []).map((each) => schemaTest(each, depth))
      return (value) => tests.some((test) => test(value))
    }
  }
}

const typeTest = ({ schema, isStored, variants = {} }: ValueType, depth: Depth): Test => {
  const own = isStored ?? schemaTest(schema, depth)
  const others = Object.values(variants).map((each) => typeTest(each, depth))
  return others.length === 0 ? own : (value) => own(value) || others.some((test) => test(value))
}

const keyTests = { text: isText, number: isNumber, boolean: isBoolean, texts: listTest(isText) } as const

/**
 * Compiles the test of stored states of a table. Attributes may be absent or null, because an earlier release or a partial
 * read does not have them, and unknown ones are ignored; lengths and bounds are not checked, because a release may change
 * them. `types` also ignores which words there are.
 */
export const storedTest = (
  table: AttributeTable,
  depth: Depth = 'words',
): ((state: JsonObject) => boolean) => {
  const tests = new Map<string, Test>()
  for (const [name, attribute] of Object.entries(table))
    if (attribute.kind === 'stored') tests.set(name, typeTest(attribute.type, depth))
    else if (attribute.kind === 'computed') tests.set(name, keyTests[attribute.key])
  return (state) => {
    for (const name in state) {
      const value = state[name]
      if (value !== null && value !== undefined && tests.get(name)?.(value) === false) return false
    }
    return true
  }
}
