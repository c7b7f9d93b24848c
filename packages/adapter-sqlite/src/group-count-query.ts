/** A group count as one read of its table. */
import type { Json } from '@publishing-service/domain'
import { findGroupCount, groupOfFilters } from '@publishing-service/ports'
import type { CollectionLayout } from './collection-layout.js'
import { columnValue, type Parameter, quoted } from './key-column.js'

/** Selects text and count. Null if no document can have the values; throws if the group count is not declared. */
export const groupCountQuery = (
  layout: CollectionLayout,
  instance: number,
  key: string,
  within: Readonly<Record<string, Json>>,
): { readonly select: string; readonly parameters: readonly Parameter[] } | null => {
  const { declared } = layout
  const groupCount = findGroupCount(declared, key, within)
  const table = layout.groupCounts.find((each) => each.groupCount === groupCount)
  const group = groupOfFilters(declared, groupCount.within, within)
  if (table === undefined || group === null) return null
  const where = ['instance', ...table.within.map(({ column }) => column)].map((column) => `${column} = ?`)
  const values = table.within.map(({ type }, i) => columnValue(type, group[i] ?? null))
  return {
    select: `SELECT text, count FROM ${quoted(table.name)} WHERE ${where.join(' AND ')}`,
    parameters: [instance, ...values],
  }
}
