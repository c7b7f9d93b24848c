/** The statements that count what is selected, without an order. */
import {
  type Condition,
  countedTexts,
  queryConditions,
  requireSearched,
  type Selection,
  type TextCount,
  textCounts,
} from '@publishing-service/ports'
import { coveringIndex } from './choose-index.js'
import { columnOf, conditionSql, idsSql } from './condition-sql.js'
import type { Dialect, FoundWords } from './dialect.js'
import { listFrom } from './entries.js'
import { keyBytes } from './key-bytes.js'
import type { CollectionLayout, Index, ListTable } from './layout.js'
import { type Parameters, quoted, statementsWith, type Steps } from './statement.js'

export type SelectionSteps = {
  readonly count: (
    layout: CollectionLayout,
    instance: number,
    selection: Selection,
    limit: number,
  ) => Steps<number>
  readonly countTexts: (
    layout: CollectionLayout,
    instance: number,
    key: string,
    selection: Selection,
  ) => Steps<readonly TextCount[]>
}

/** What documents meet. */
type Selected = Pick<Selection, 'ids' | 'notIds'> & {
  readonly layout: CollectionLayout
  readonly instance: number
  readonly conditions: readonly Condition[]
  readonly words: FoundWords | null
}

/** The documents whose lists are counted one by one; the rows of a list are counted for more. */
const fewDocuments = 5000

/** The keys of conditions; null if a list is among them, which no index of the documents has. */
const plainKeysOf = (
  layout: CollectionLayout,
  conditions: readonly Condition[],
): readonly string[] | null => {
  const all = conditions.flatMap((each) => (each.is === 'any of' ? each.groups.flat() : [each]))
  const keys = all.map(({ key }) => key)
  return keys.every((key) => layout.keys.has(key)) ? keys : null
}

export const selectionSteps = (dialect: Dialect): SelectionSteps => {
  const statement = statementsWith(dialect.placeholder)

  /** Null if no document can be selected. */
  function* selectedBy(
    layout: CollectionLayout,
    instance: number,
    { where, words, ids, notIds }: Selection,
  ): Steps<Selected | null> {
    const conditions = queryConditions(layout.collection, where)
    if (words !== undefined) requireSearched(layout.collection)
    if (conditions === null || ids?.length === 0) return null
    const found =
      words === undefined || layout.words === null
        ? null
        : yield* dialect.words.find(layout.words, instance, words)
    if (words !== undefined && found === null) return null
    return {
      layout,
      instance,
      conditions,
      words: found,
      ...(ids === undefined ? {} : { ids }),
      ...(notIds === undefined || notIds.length === 0 ? {} : { notIds }),
    }
  }

  /** What the rows of documents, `d`, meet. */
  const testsOf = (
    { layout, instance, conditions, words, ids, notIds }: Selected,
    parameters: Parameters,
  ): string => {
    const row = { column: (name: string) => `d.${name}`, position: 'd.position', instance }
    const tests = [
      `d.instance = ${parameters.add(instance)}`,
      ...conditions.map((condition) => conditionSql(layout, condition, row, parameters)),
    ]
    if (words !== null) {
      const found = words.condition(parameters)
      tests.push(
        words.table === null
          ? found
          : `d.position IN (SELECT w.${words.position} FROM ${words.table} AS w WHERE ${found})`,
      )
    }
    if (ids !== undefined) tests.push(`d.id IN (${idsSql(ids, dialect, parameters)})`)
    if (notIds !== undefined) tests.push(`d.id NOT IN (${idsSql(notIds, dialect, parameters)})`)
    return tests.join(' AND ')
  }

  /** The table of the documents, read from an index if that has all that is needed: databases may prefer a range to it. */
  const fromDocuments = (
    { layout, conditions, words, ids, notIds }: Selected,
    further: readonly string[],
  ): string => {
    const keys = plainKeysOf(layout, conditions)
    const needsRow = keys === null || words !== null || ids !== undefined || notIds !== undefined
    const index: Index | null = needsRow
      ? null
      : coveringIndex(layout, conditions, new Set([...keys, ...further]))
    return `${layout.documents} AS d${index === null ? '' : dialect.readIndex(quoted(index.name))}`
  }

  /** How many documents have each value of a key. */
  function* countValues(selected: Selected, key: string): Steps<readonly TextCount[]> {
    const { column } = columnOf(selected.layout, key)
    const { rows } = yield statement(
      (parameters) =>
        `SELECT ${dialect.textSql(`d.${column}`)}, count(*) FROM ${fromDocuments(selected, [key])} WHERE ${testsOf(selected, parameters)} AND d.${column} > ${parameters.add(keyBytes(null))} GROUP BY d.${column}`,
    )
    return rows.map(([text = null, count]) => ({ text: dialect.nameFrom(text), count: Number(count) }))
  }

  /** How many documents have each text in a list, from the rows of the list. */
  function* countListed(selected: Selected, { table, copied }: ListTable): Steps<readonly TextCount[]> {
    const { layout, instance, conditions, words, ids, notIds } = selected
    const copies = new Set(copied.map(({ key }) => key))
    const isCopied =
      words === null &&
      ids === undefined &&
      notIds === undefined &&
      plainKeysOf(layout, conditions)?.every((key) => copies.has(key)) === true
    const { rows } = yield statement((parameters) => {
      const row = { column: (name: string) => `l.${name}`, position: 'l.position', instance }
      const tests = [`l.instance = ${parameters.add(instance)}`]
      if (isCopied)
        tests.push(...conditions.map((condition) => conditionSql(layout, condition, row, parameters)))
      else
        tests.push(
          `l.position IN (SELECT d.position FROM ${fromDocuments(selected, [])} WHERE ${testsOf(selected, parameters)})`,
        )
      return `SELECT ${dialect.textSql('l.text')}, count(*) FROM ${table} AS l WHERE ${tests.join(' AND ')} GROUP BY l.text`
    })
    return rows.map(([text = null, count]) => ({ text: dialect.nameFrom(text), count: Number(count) }))
  }

  function* countSelected(selected: Selected, limit: number): Steps<number> {
    const { rows } = yield statement(
      (parameters) =>
        `SELECT count(*) FROM (SELECT 1 FROM ${selected.layout.documents} AS d WHERE ${testsOf(selected, parameters)} LIMIT ${parameters.add(limit)}) AS found`,
    )
    return Number(rows[0]?.[0])
  }

  /** How many documents have each text in a list, from the documents. */
  function* countListsOfFew(selected: Selected, { column }: ListTable): Steps<readonly TextCount[]> {
    const { rows } = yield statement(
      (parameters) =>
        `SELECT d.${column} FROM ${selected.layout.documents} AS d WHERE ${testsOf(selected, parameters)}`,
    )
    return textCounts(rows.map(([json]) => listFrom(json)))
  }

  return {
    *count(layout, instance, selection, limit) {
      const selected = yield* selectedBy(layout, instance, selection)
      return selected === null ? 0 : yield* countSelected(selected, limit)
    },
    *countTexts(layout, instance, key, selection) {
      countedTexts(layout.collection, key)
      const selected = yield* selectedBy(layout, instance, selection)
      if (selected === null) return []
      const list = layout.lists.get(key)
      if (list === undefined) return yield* countValues(selected, key)
      const count = yield* countSelected(selected, fewDocuments + 1)
      return yield* count > fewDocuments ? countListed(selected, list) : countListsOfFew(selected, list)
    },
  }
}
