/** A tally as one read of its table. */
import type { Json } from '@publishing-service/domain'
import { columnValue } from './asked-filters.js'
import type { CollectionLayout } from './collection-layout.js'
import { type Parameter, quoted } from './key-column.js'

/** Selects text and count. Null where no document can have the values; throws where no such tally is declared. */
export const tallyQuery = (
  layout: CollectionLayout,
  instance: number,
  key: string,
  within: Readonly<Record<string, Json>>,
): { readonly select: string; readonly parameters: readonly Parameter[] } | null => {
  const asked = Object.keys(within)
  const found = layout.tallies.find(
    ({ tally }) =>
      tally.key === key &&
      tally.within.length === asked.length &&
      tally.within.every((each) => asked.includes(each)),
  )
  if (found === undefined)
    throw new Error(`Collection ${layout.name} declares no tally of ${key} within ${asked.join(', ')}`)
  const values = found.within.flatMap((column) => columnValue(column.type, within[column.key] ?? null) ?? [])
  if (values.length < found.within.length) return null
  const where = ['instance', ...found.within.map(({ column }) => column)].map((column) => `${column} = ?`)
  return {
    select: `SELECT text, count FROM ${quoted(found.name)} WHERE ${where.join(' AND ')}`,
    parameters: [instance, ...values],
  }
}
