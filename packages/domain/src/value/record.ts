/** Values that consist of values: lists and records. */
import { within, type Fault } from '../fault.js'
import { E } from '../fp.js'
import { type Json, isJsonObject } from '../json.js'
import type { Schema } from './schema.js'
import { referringItems, referringMembers } from './reference.js'
import { refused, schemasOf, type ValueType } from './value-type.js'
import { decodeAttributes } from '../resource/draft-attributes.js'
import type { StoredAttribute, WholeOf } from '../resource/attribute.js'
import { acceptedState } from '../resource/attribute-tables.js'

/** A list in the client's order. On read, items that cannot be read without a deleted target are left out. */
export const listOf = <A extends Json>(
  item: ValueType<A>,
  max: number,
  min = 0,
): ValueType<readonly A[]> => ({
  ...schemasOf((schemaOf) => ({
    type: 'array',
    items: schemaOf(item),
    maxItems: max,
    ...(min > 0 ? { minItems: min } : {}),
  })),
  ...(item.key === 'text' ? { key: 'texts' as const } : {}),
  targets: item.targets ?? [],
  decode: (value, context) => {
    if (!Array.isArray(value)) return refused('type', 'must be a list')
    if (value.length > max) return refused('length', `must have at most ${max} items`)
    if (value.length < min) return refused('length', `must have at least ${min} item${min === 1 ? '' : 's'}`)
    const items: A[] = []
    const faults: Fault[] = []
    value.forEach((each: unknown, index) => {
      const result = item.decode(each, context)
      if (E.isRight(result)) items.push(result.right)
      else faults.push(...within(index, result.left))
    })
    return faults.length > 0 ? E.left(faults) : E.right(items)
  },
  ...referringItems(item),
})

const separators = { commas: /,/, lines: /\r\n|\r|\n/ } as const

/** A list of short texts. One text is also accepted and split at commas or lines; `form` describes it (docs/behaviour/writing.md#lists-as-text). */
export const textsOf = (
  item: ValueType<string>,
  max: number,
  separator: keyof typeof separators = 'commas',
  form: Schema = item.schema,
): ValueType<readonly string[]> => {
  const list = listOf(item, max)
  return {
    ...list,
    inputSchema: {
      anyOf: [
        list.inputSchema ?? list.schema,
        {
          ...form,
          description: `One or several in one text, separated by ${separator}.`,
        },
      ],
    },
    decode: (value, context) =>
      list.decode(
        typeof value === 'string'
          ? value
              .split(separators[separator])
              .map((each) => each.trim())
              .filter((each) => each !== '')
          : value,
        context,
      ),
  }
}

type Table = Readonly<Record<string, StoredAttribute>>

const schemaOf = (table: Table, partOf: (type: ValueType) => Schema): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(table).map(([name, { type, description }]) => [name, { ...partOf(type), description }]),
  ),
  required: Object.entries(table)
    .filter(([, attribute]) => attribute.required)
    .map(([name]) => name),
})

/**
 * An object with attributes. If the target of a required reference is deleted, the whole object reads as null and is
 * left out of its list (docs/behaviour/writing.md#deleted-targets).
 */
export const record = <T extends Table>(table: T): ValueType<WholeOf<T>> => {
  const entries = Object.entries<StoredAttribute>(table)
  return {
    ...schemasOf((partOf) => schemaOf(table, partOf)),
    targets: entries.flatMap(([, { type }]) => type.targets ?? []),
    decode: (value, context) => {
      if (!isJsonObject(value)) return refused('type', 'must be an object')
      const { state, faults } = decodeAttributes(table, {
        mode: 'put',
        input: value,
        previous: null,
        context,
      })
      return faults.length > 0 ? E.left(faults) : E.right(acceptedState(table, state))
    },
    ...referringMembers(entries),
  }
}
