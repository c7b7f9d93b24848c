/** What an item of a list, such as a medium, lacks before it can be stored. */
import type { JsonObject } from '@publishing-service/domain/json'
import { isHostedBy, needFaults, type StreamingHost } from '@publishing-service/domain/declare'
import type { Field, ItemModel } from '../model.js'

const isSet = (value: unknown): boolean => value !== null && value !== undefined

/** The fields of the item's type, without the type itself. */
export const fieldsOfItem = (fields: readonly Field[], item: JsonObject): readonly Field[] =>
  fields.filter(
    ({ name, only }) => name !== 'type' && (only === undefined || only.some((type) => type === item['type'])),
  )

/** The names of the fields of which the item needs one, for each that it lacks. */
export const missingIn = ({ fields, needs }: ItemModel, item: JsonObject): readonly (readonly string[])[] => {
  const required = fieldsOfItem(fields, item).filter(
    ({ name, isRequired }) => isRequired && !isSet(item[name]),
  )
  const unmet = needs.filter((need) => needFaults([need], 'type', item).length > 0)
  return [...required.map(({ name }) => [name]), ...unmet.map(({ oneOf }) => oneOf)]
}

/** The provider that has this address. */
export const hostOf = (hosts: readonly StreamingHost[], url: string): StreamingHost | undefined =>
  hosts.find((host) => isHostedBy(host, url))
