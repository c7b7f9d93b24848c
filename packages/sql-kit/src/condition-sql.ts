import type { Condition, KeyCondition } from '@publishing-service/ports'
import type { Dialect } from './dialect.js'
import { keyBytes, textBytes, padded, type Parameters } from './statement.js'
import type { CollectionLayout, KeyColumn, ListTable } from './layout.js'

/** Where the columns of a document are in a statement. */
export type Row = {
  readonly column: (name: string) => string
  readonly position: string
  readonly instance: number
}

/** Ids as a list of parameters. */
export const idsSql = (
  ids: readonly string[],
  { nameParameter }: Pick<Dialect, 'nameParameter'>,
  parameters: Parameters,
): string => parameters.addAll(padded(ids).map((id) => nameParameter(id.toWellFormed())))

const comparisons = { equal: '=', above: '>', 'at least': '>=', below: '<', 'at most': '<=' } as const

const listOf = ({ collection, lists }: CollectionLayout, key: string): ListTable => {
  const list = lists.get(key)
  if (list === undefined) throw new Error(`Collection ${collection.name} has no list ${key}`)
  return list
}

export const columnOf = ({ collection, keys }: CollectionLayout, key: string): KeyColumn => {
  const column = keys.get(key)
  if (column === undefined) throw new Error(`Collection ${collection.name} declares no plain key ${key}`)
  return column
}

type ListCondition = Extract<KeyCondition, { readonly is: 'has' | 'has in' }>
type PlainCondition = Exclude<KeyCondition, ListCondition | { readonly is: 'has none' }>

const isOfList = (condition: KeyCondition): condition is ListCondition =>
  condition.is === 'has' || condition.is === 'has in'

/** One of these texts of a list. */
type HasAny = { readonly is: 'has any'; readonly key: string; readonly texts: readonly string[] }

/** The texts of a list of which a document must contain one: of a condition on one, or of alternatives that are each one. */
export const textsOfOneList = (condition: Condition): HasAny | null => {
  const groups = condition.is === 'any of' ? condition.groups : [[condition]]
  const texts: string[] = []
  let list: string | null = null
  for (const [required, ...others] of groups) {
    if (required?.is !== 'has' || others.length > 0 || required.key !== (list ?? required.key)) return null
    list = required.key
    texts.push(required.text)
  }
  return list === null ? null : { is: 'has any', key: list, texts: [...new Set(texts)] }
}

/** Selects the positions of the documents whose list meets the condition; one of them can come several times. */
const listedPositions = (
  layout: CollectionLayout,
  condition: ListCondition | HasAny,
  instance: number,
  parameters: Parameters,
): string => {
  const tests = [`x.instance = ${parameters.add(instance)}`]
  if (condition.is === 'has') tests.push(`x.text = ${parameters.add(textBytes(condition.text))}`)
  else if (condition.is === 'has any')
    tests.push(`x.text IN (${parameters.addAll(padded(condition.texts.map(textBytes)))})`)
  else {
    const { atLeast, below, endsAbove } = condition.range
    tests.push(
      `x.text >= ${parameters.add(textBytes(atLeast))}`,
      `x.text < ${parameters.add(textBytes(below))}`,
    )
    if (endsAbove !== undefined) tests.push(`x.ends > ${parameters.add(textBytes(endsAbove))}`)
  }
  return `SELECT x.position FROM ${listOf(layout, condition.key).table} AS x WHERE ${tests.join(' AND ')}`
}

const plainConditionSql = (column: string, condition: PlainCondition, parameters: Parameters): string => {
  if (condition.is !== 'one of')
    return `${column} ${comparisons[condition.is]} ${parameters.add(keyBytes(condition.value))}`
  return `${column} IN (${parameters.addAll(padded(condition.values.map(keyBytes)))})`
}

const keyConditionSql = (
  layout: CollectionLayout,
  condition: KeyCondition | HasAny,
  row: Row,
  parameters: Parameters,
): string => {
  if (condition.is === 'has' || condition.is === 'has any')
    return `EXISTS (${listedPositions(layout, condition, row.instance, parameters)} AND x.position = ${row.position})`
  if (condition.is === 'has none')
    return `NOT ${keyConditionSql(layout, { ...condition, is: 'has any' }, row, parameters)}`
  if (condition.is === 'has in')
    return `${row.position} IN (${listedPositions(layout, condition, row.instance, parameters)})`
  return plainConditionSql(row.column(columnOf(layout, condition.key).column), condition, parameters)
}

/** The condition for the row of a document. */
export const conditionSql = (
  layout: CollectionLayout,
  condition: Condition,
  row: Row,
  parameters: Parameters,
): string => {
  if (condition.is !== 'any of') return keyConditionSql(layout, condition, row, parameters)
  // PostgreSQL estimates how many rows one subquery finds, and of alternatives of subqueries that half of all rows meet them.
  const texts = textsOfOneList(condition)
  if (texts !== null) return keyConditionSql(layout, texts, row, parameters)
  const groups = condition.groups.map((group) =>
    group.map((each) => keyConditionSql(layout, each, row, parameters)).join(' AND '),
  )
  return `(${groups.map((group) => `(${group})`).join(' OR ')})`
}

/** Conditions that are read from one index: that of a list, or all of one plain key. */
export type Selective =
  | { readonly list: ListCondition }
  | { readonly column: KeyColumn; readonly conditions: readonly PlainCondition[] }

/** The parts of conditions that indexes can read; a part of each group for alternatives. Those of plain keys need an index that begins with the key. */
export const selectiveParts = (
  layout: CollectionLayout,
  conditions: readonly KeyCondition[],
): readonly Selective[] => {
  const plain = new Map<string, PlainCondition[]>()
  const parts: Selective[] = []
  for (const condition of conditions)
    if (isOfList(condition)) parts.push({ list: condition })
    else if (condition.is !== 'has none')
      plain.set(condition.key, [...(plain.get(condition.key) ?? []), condition])
  for (const [key, all] of plain)
    if (layout.indexes.some(({ columns }) => columns[0]?.key === key))
      parts.push({ column: columnOf(layout, key), conditions: all })
  return parts
}

/** Selects the positions of the documents that meet the part, from an index. */
export const positionsSql = (
  layout: CollectionLayout,
  part: Selective,
  instance: number,
  parameters: Parameters,
): string => {
  if ('list' in part) return listedPositions(layout, part.list, instance, parameters)
  const { column, conditions } = part
  const index = layout.indexes.find(({ columns }) => columns[0]?.key === column.key)
  const tests = [
    `x.instance = ${parameters.add(instance)}`,
    ...conditions.map((each) => plainConditionSql(`x.${column.column}`, each, parameters)),
  ]
  const from = `${layout.documents} AS x${index?.read ?? ''}`
  return `SELECT x.position FROM ${from} WHERE ${tests.join(' AND ')}`
}
