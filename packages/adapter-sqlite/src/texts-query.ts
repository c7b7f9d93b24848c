/** The statement of a query for texts: a walk along the primary key of the texts table, which has their order. */
import { positionIn, queryConditions, type TextsQuery, wellFormedRange } from '@publishing-service/ports'
import type { CollectionLayout } from './collection-layout.js'
import { primaryKey } from './derived-table.js'
import { filterShapes, rangeSlots, type Slot } from './filter-shape.js'
import { documentRow } from './index-walk.js'
import { type Parameter, quoted } from './key-column.js'
import { inRange, slotsOf, sqlConditions, textsTableOf } from './sql-conditions.js'

/** Selects id, version, sequence and text, one row more than the page has; null if no document can meet the filters. */
export const textsQuery = (
  layout: CollectionLayout,
  instance: number,
  { key, range, where, after, skip, limit }: TextsQuery,
): { readonly sql: string; readonly parameters: readonly Parameter[] } | null => {
  const conditions = queryConditions(layout.declared, where)
  if (conditions === null) return null
  const values: Parameter[] = [instance]
  const add = (value: Parameter): Slot => values.push(value) - 1
  const row = documentRow(layout)
  const { name } = textsTableOf(layout, key)
  const { all, either } = sqlConditions(layout, filterShapes(conditions, add))
  const tests = [...all, ...either.map(({ test }) => test)]
  const ranged = inRange('listed.text', rangeSlots(wellFormedRange(range), add))
  const position = after === undefined ? null : positionIn(after, 1)
  const following = position === null ? [] : [String(position.values[0]), position.sequence].map(add)
  const conditionsSql = [
    'listed.instance = ?',
    // Without `unlikely`, SQLite reads all documents first where it expects many texts in the range.
    ...ranged.terms.map((term) => `unlikely(${term})`),
    ...(position === null ? [] : ['(listed.text, listed.sequence) > (?, ?)']),
    ...tests.map(({ sql }) => sql(row)),
  ]
  const table = quoted(layout.table)
  return {
    // CROSS makes SQLite read the texts first.
    sql: `SELECT ${table}.id, ${table}.version, ${row.sequence}, listed.text FROM ${quoted(name)} AS listed INDEXED BY ${quoted(primaryKey(name))} CROSS JOIN ${table} ON ${row.sequence} = listed.sequence WHERE ${conditionsSql.join(' AND ')} ORDER BY listed.text, listed.sequence LIMIT ? OFFSET ?`,
    parameters: [
      ...[0, ...ranged.slots, ...following, ...slotsOf(tests)].map((slot) => values[slot] ?? ''),
      limit + 1,
      skip,
    ],
  }
}
