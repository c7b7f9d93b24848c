/** The cells of a table as values of the API. What is wrong with a value, its type says. */
import type { Schema } from '@publishing-service/domain/declare'
import { E } from '@publishing-service/domain/fp'
import { isJsonList, isJsonObject, type Json } from '@publishing-service/domain/json'

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['true', true],
  ['1', true],
  ['no', false],
  ['false', false],
  ['0', false],
])

const parsed = (cell: string): Json => {
  const read = E.tryCatch((): unknown => JSON.parse(cell), String)
  return E.isRight(read) && (isJsonObject(read.right) || Array.isArray(read.right)) ? read.right : cell
}

/** An object of which one member is required: a cell has that member alone. */
const objectOf = (cell: string, { required = [] }: Schema): Json => {
  const [only, ...others] = required
  if (/^\s*\{/.test(cell)) return parsed(cell)
  return only === undefined || others.length > 0 ? cell : { [only]: cell }
}

/** The entries of a list; coordinates may also be divided by commas or white space. */
const entriesOf = (cell: string, { prefixItems }: Schema, separator: string): readonly string[] => {
  const entries = cell.split(separator)
  const divided = prefixItems !== undefined && entries.length === 1 ? cell.split(/[,\s]\s*/) : entries
  return divided.map((each) => each.trim()).filter((each) => each !== '')
}

/** A cell that is not empty as a value of a type. */
export const cellValue = (cell: string, schema: Schema, separator: string): Json => {
  const text = cell.trim()
  switch (schema.type) {
    case 'boolean':
      return booleans.get(text.toLowerCase()) ?? text
    case 'number':
      // Tables have commas before decimals in many languages.
      return /^[+-]?\d+(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : text
    case 'integer':
      return /^[+-]?\d+$/.test(text) ? Number(text) : text
    case 'object':
      return objectOf(text, schema)
    case 'array':
      return entriesOf(text, schema, separator).map((each, index) =>
        cellValue(each, schema.prefixItems?.[index] ?? schema.items ?? {}, separator),
      )
    default:
      return text
  }
}

/** A value with a part at a path; lists and objects around it are made as the schema has them. */
export const withPart = (
  value: Json | undefined,
  schema: Schema,
  path: readonly string[],
  part: Json,
): Json => {
  const [first, ...rest] = path
  if (first === undefined) return part
  if (schema.type === 'array') {
    const index = Number(first)
    const items = value !== undefined && isJsonList(value) ? [...value] : []
    const inner = schema.prefixItems?.[index] ?? schema.items ?? {}
    while (items.length < index) items.push(null)
    items[index] = withPart(items[index] ?? undefined, inner, rest, part)
    return items
  }
  const object = isJsonObject(value) ? value : {}
  return { ...object, [first]: withPart(object[first], schema.properties?.[first] ?? {}, rest, part) }
}
