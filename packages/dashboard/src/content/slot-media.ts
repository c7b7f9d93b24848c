/** The media of the slots in a body, as the editor changes them. */
import type { JsonObject } from '@publishing-service/domain/json'
import type { Field } from '../model.js'

const slotTag = /<slot\b[^>]*?\bid\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/** The ids of the slots in a body, in its order. */
export const slotIdsIn = (body: string): readonly string[] =>
  [...body.matchAll(slotTag)].map(([, double, single]) => (double ?? single ?? '').toLowerCase())

/** A medium as the service accepts it: the fields of its type that have a value. */
export const mediumToSend = (fields: readonly Field[], medium: JsonObject): JsonObject =>
  Object.fromEntries(
    fields.flatMap(({ name, only }) => {
      const value = medium[name] ?? null
      const isOfType = only === undefined || only.some((type) => type === medium['type'])
      return isOfType && value !== null ? [[name, value]] : []
    }),
  )

/** The faults of a list of media by the number of the medium, from 0; those of the list itself have the number -1. */
export const faultsByMedium = (
  info: Readonly<Record<string, unknown>>,
): ReadonlyMap<number, Readonly<Record<string, string>>> => {
  const found = new Map<number, Record<string, string>>()
  for (const [path, fault] of Object.entries(info)) {
    const [, position, name] = /^items\.(\d+)\.?([^.]*)/.exec(path) ?? []
    const index = position === undefined ? -1 : Number(position)
    const text = typeof fault === 'string' ? fault : JSON.stringify(fault)
    found.set(index, { ...found.get(index), [name ?? path]: text })
  }
  return found
}

/** The list with an item at another position. */
export const movedItem = <Item>(items: readonly Item[], from: number, to: number): readonly Item[] => {
  const moved = items[from]
  return moved === undefined ? items : items.toSpliced(from, 1).toSpliced(to, 0, moved)
}
