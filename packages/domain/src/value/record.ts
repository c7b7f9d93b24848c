import { E } from '../fp.js'
import { fault, within } from '../fault.js'
import { isJsonObject, type Json } from '../json.js'
import { decodeAttributes } from '../resource/draft-attributes.js'
import type { StoredAttribute, WholeOf } from '../resource/attribute.js'
import { acceptedState } from '../resource/table-entries.js'
import type { Schema } from './schema.js'
import { schemasOf, type ValueType } from './value-type.js'

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

const referencesIn =
  (referring: readonly (readonly [string, StoredAttribute])[]): NonNullable<ValueType['references']> =>
  (value) =>
    referring.flatMap(([name, { type }]) => {
      const part = isJsonObject(value) ? (value[name] ?? null) : null
      return part === null ? [] : within(name, type.references?.(part) ?? [])
    })

/**
 * An object with attributes. If the target of a required reference is deleted, the whole object reads as null and is
 * left out of its list (docs/behaviour/writing.md#deleted-targets).
 */
export const record = <T extends Table>(table: T): ValueType<WholeOf<T>> => {
  const entries = Object.entries<StoredAttribute>(table)
  const referring = entries.filter(([, { type }]) => type.references !== undefined)
  return {
    ...schemasOf((partOf) => schemaOf(table, partOf)),
    targets: entries.flatMap(([, { type }]) => type.targets ?? []),
    decode: (value, context) => {
      if (!isJsonObject(value)) return E.left([fault('', 'must be an object')])
      const { state, faults } = decodeAttributes(table, {
        mode: 'put',
        input: value,
        previous: null,
        context,
      })
      return faults.length > 0 ? E.left(faults) : E.right(acceptedState(table, state))
    },
    ...(referring.length === 0 ? {} : { references: referencesIn(referring) }),
    resolve: (value, isAlive) => {
      if (!isJsonObject(value)) return null
      const read: Record<string, Json> = {}
      for (const [name, { type, required }] of entries) {
        const part = value[name] ?? null
        read[name] = part === null || type.resolve === undefined ? part : type.resolve(part, isAlive)
        if (required && read[name] === null) return null
      }
      return read
    },
  }
}
