import { E } from '../fp.js'
import { isJsonObject } from '../json.js'
import { decodeAttributes } from '../resource/draft-attributes.js'
import type { StoredAttribute, WholeOf } from '../resource/attribute.js'
import { acceptedState } from '../resource/table-entries.js'
import type { Schema } from './schema.js'
import { referringMembers } from './referring.js'
import { refused, schemasOf, type ValueType } from './value-type.js'

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
