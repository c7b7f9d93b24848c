/** The versions of an object (docs/behaviour/history.md), and what differs between one of them and the present object. */
import type { JsonObject } from '@publishing-service/domain/json'
import { isSame, itemsIn, listOf } from '../json.js'
import type { Field } from '../model.js'

export type Version = {
  readonly number: number
  /** As the service lists it. */
  readonly row: JsonObject
  /** The attributes and parts that differ from the version before. */
  readonly changed: readonly string[]
}

/** The versions of a response, the newest first. */
export const versionsIn = (response: JsonObject): readonly Version[] =>
  itemsIn(response).map((row) => ({
    number: Number(row['version']),
    row,
    changed: listOf(row['changed']).map(String),
  }))

/** Which of these names the versions after one have changed. */
export const changedAfter = (
  names: readonly string[],
  versions: readonly Version[],
  number: number,
): readonly string[] => {
  const later = versions.filter((version) => version.number > number)
  return names.filter((name) => later.some(({ changed }) => changed.includes(name)))
}

/** The fields whose values differ. */
export const differingFields = (
  fields: readonly Field[],
  earlier: JsonObject,
  present: JsonObject,
): readonly Field[] => fields.filter(({ name }) => !isSame(earlier[name], present[name]))
