/** Whether stored JSON is of the types that a table declares: what the store returns was written by any release, or by hand. */
import { isJsonObject, type Json, type JsonObject } from '../json.js'
import type { Schema } from '../value/schema.js'
import type { ValueType } from '../value/value-type.js'
import type { AttributeTable, ComputedAttribute } from './attribute.js'

/** What is checked of texts: whether they are texts, or, if a type has a closed set of words, also whether it is one. */
type Depth = 'types' | 'words'

/** The JSON of a type. */
type Form =
  | { readonly kind: 'text' | 'number' | 'boolean' | 'any' }
  | { readonly kind: 'words'; readonly words: ReadonlySet<Json> }
  | { readonly kind: 'list'; readonly item: Form }
  | { readonly kind: 'tuple'; readonly items: readonly Form[] }
  | { readonly kind: 'object'; readonly members: readonly Member[] }
  | { readonly kind: 'oneOf'; readonly forms: readonly Form[] }
  | { readonly kind: 'tested'; readonly test: (value: Json) => boolean }

type Member = { readonly name: string; readonly form: Form; readonly isRequired: boolean }

const isOfForm = (form: Form, value: Json): boolean => {
  switch (form.kind) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number'
    case 'boolean':
      return typeof value === 'boolean'
    case 'any':
      return true
    case 'words':
      return form.words.has(value)
    case 'list':
      if (!Array.isArray(value)) return false
      for (const item of value) if (!isOfForm(form.item, item)) return false
      return true
    case 'tuple':
      if (!Array.isArray(value)) return false
      for (const [index, item] of form.items.entries())
        if (!isOfForm(item, value[index] ?? null)) return false
      return true
    case 'object':
      if (!isJsonObject(value)) return false
      for (const { name, form: member, isRequired } of form.members) {
        const part = value[name] ?? null
        if (part === null ? isRequired : !isOfForm(member, part)) return false
      }
      return true
    case 'oneOf':
      return form.forms.some((each) => isOfForm(each, value))
    case 'tested':
      return form.test(value)
  }
}

const formOfSchema = (schema: Schema, depth: Depth): Form => {
  const { type, items, prefixItems, properties = {}, required = [], anyOf } = schema
  switch (type) {
    case 'array':
      return prefixItems === undefined
        ? { kind: 'list', item: items === undefined ? { kind: 'any' } : formOfSchema(items, depth) }
        : { kind: 'tuple', items: prefixItems.map((each) => formOfSchema(each, depth)) }
    case 'object': {
      const members = Object.entries(properties).map(([name, each]): Member => ({
        name,
        form: formOfSchema(each, depth),
        isRequired: required.includes(name),
      }))
      return { kind: 'object', members }
    }
    case 'boolean':
      return { kind: 'boolean' }
    case 'integer':
    case 'number':
      return { kind: 'number' }
    case 'string':
      return depth === 'types' || schema.enum === undefined
        ? { kind: 'text' }
        : { kind: 'words', words: new Set(schema.enum) }
    default:
      return { kind: 'oneOf', forms: (anyOf ?? []).map((each) => formOfSchema(each, depth)) }
  }
}

const formOfType = ({ schema, isStored, variants }: ValueType, depth: Depth): Form => {
  const own: Form = isStored === undefined ? formOfSchema(schema, depth) : { kind: 'tested', test: isStored }
  if (variants === undefined) return own
  return { kind: 'oneOf', forms: [own, ...Object.values(variants).map((each) => formOfType(each, depth))] }
}

const formOfKey = (key: ComputedAttribute['key']): Form =>
  key === 'texts' || key === 'intervals' ? { kind: 'list', item: { kind: 'text' } } : { kind: key }

type ValueTest = (value: Json) => boolean

// Types are declarations, so there are few.
const valueTests = new WeakMap<ValueType, ValueTest>()

/** The test of stored values of a type. It is compiled once, for all plans that read the type. */
export const valueTest = (type: ValueType): ValueTest => {
  let test = valueTests.get(type)
  if (test === undefined) {
    const form = formOfType(type, 'words')
    valueTests.set(type, (test = (value) => isOfForm(form, value)))
  }
  return test
}

/**
 * Compiles the test of stored states of a table. Attributes may be absent or null, because an earlier release or a partial
 * read does not have them, and unknown ones are ignored; lengths and bounds are not checked, because a release may change
 * them. `types` also ignores which words there are.
 */
export const storedTest = (
  table: AttributeTable,
  depth: Depth = 'words',
): ((state: JsonObject) => boolean) => {
  const forms = new Map<string, Form>()
  for (const [name, attribute] of Object.entries(table))
    if (attribute.kind === 'stored') forms.set(name, formOfType(attribute.type, depth))
    else if (attribute.kind === 'computed') forms.set(name, formOfKey(attribute.key))
  return (state) => {
    for (const name in state) {
      const value = state[name] ?? null
      if (value === null) continue
      const form = forms.get(name)
      if (form !== undefined && !isOfForm(form, value)) return false
    }
    return true
  }
}
