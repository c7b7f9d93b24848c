/** A group count as one read of its table. */
import type { Json } from '@publishing-service/domain/json'
import { keyOperand } from '@publishing-service/ports'
import type { CollectionLayout } from './collection-layout.js'
import { columnValue, type Parameter } from './key-column.js'

/** Selects text and count. Null if no document can have the values; throws if the group count is not declared. */
export const groupCountQuery = (
  layout: CollectionLayout,
  instance: number,
  key: string,
  within: Readonly<Record<string, Json>>,
): { readonly select: string; readonly parameters: readonly Parameter[] } | null => {
  const names = Object.keys(within)
  const table = layout.groupCounts.find(
    (each) =>
      each.groupCount.key === key &&
      each.within.length === names.length &&
      each.within.every((column) => Object.hasOwn(within, column.key)),
  )
  if (table === undefined)
    throw new Error(`Collection ${layout.name} declares no group count of ${key} within ${names.join(', ')}`)
  const parameters: Parameter[] = [instance]
  for (const { key: name, type } of table.within) {
    const operand = keyOperand(type, within[name])
    if (operand === undefined) return null
    parameters.push(columnValue(type, operand))
  }
  return { select: table.select, parameters }
}
