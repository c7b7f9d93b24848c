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
import type { CollectionLayout, ListTable } from './layout.js'
import { type Parameters, quoted, type Statement, statementsWith, type Steps } from './statement.js'

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

/** So many documents are read one by one; for more, an index that has all that is needed is read as a whole. */
const fewDocuments = 2000

/** The keys of documents that conditions need. Those of lists are found by the position of the document. */
const plainKeysOf = (layout: CollectionLayout, conditions: readonly Condition[]): readonly string[] =>
  conditions
    .flatMap((each) => (each.is === 'any of' ? each.groups.flat() : [each]))
    .flatMap(({ key }) => (layout.keys.has(key) ? [key] : []))

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

  /** What documents meet, or rows with copies of their keys. */
  const testsOf = (
    { layout, instance, conditions, words, ids, notIds }: Selected,
    alias: 'd' | 'l',
    parameters: Parameters,
  ): string => {
    const position = `${alias}.position`
    const row = { column: (name: string) => `${alias}.${name}`, position, instance }
    const tests = [
      `${alias}.instance = ${parameters.add(instance)}`,
      ...conditions.map((condition) => conditionSql(layout, condition, row, parameters)),
    ]
    if (words !== null) {
      const found = words.condition(parameters)
      tests.push(
        words.table === null
          ? found
          : `${position} IN (SELECT w.${words.position} FROM ${words.table} AS w WHERE ${found})`,
      )
    }
    const named = (list: readonly string[]): string =>
      `(SELECT x.position FROM ${layout.documents} AS x WHERE x.instance = ${parameters.add(instance)} AND x.id IN (${idsSql(list, dialect, parameters)}))`
    if (ids !== undefined) tests.push(`${position} IN ${named(ids)}`)
    if (notIds !== undefined) tests.push(`${position} NOT IN ${named(notIds)}`)
    return tests.join(' AND ')
  }

  /**
   * The table of the documents. Of many documents, an index is read that has the keys of the conditions and this one, because
   * databases may prefer one that excludes some documents.
   */
  const fromDocuments = (
    { layout, conditions, words }: Selected,
    isMany: boolean,
    key: string | null,
  ): string => {
    const keys = new Set([...plainKeysOf(layout, conditions), ...(key === null ? [] : [key])])
    const isOnDocuments = words !== null && words.table === null
    const index = isMany && !isOnDocuments ? coveringIndex(layout, conditions, keys) : null
    return `${layout.documents} AS d${index === null ? '' : dialect.readIndex(quoted(index.name))}`
  }

  function* countSelected(selected: Selected, isMany: boolean, limit: number): Steps<number> {
    const { rows } = yield statement(
      (parameters) =>
        `SELECT count(*) FROM (SELECT 1 FROM ${fromDocuments(selected, isMany, null)} WHERE ${testsOf(selected, 'd', parameters)} LIMIT ${parameters.add(limit)}) AS found`,
    )
    return Number(rows[0]?.[0])
  }

  function* textCountsOf(written: Statement): Steps<readonly TextCount[]> {
    const { rows } = yield written
    return rows.map(([text = null, count]) => ({ text: dialect.nameFrom(text), count: Number(count) }))
  }

  /** How many documents have each value of a key. */
  const countValues = (selected: Selected, isMany: boolean, key: string): Steps<readonly TextCount[]> => {
    const { column } = columnOf(selected.layout, key)
    return textCountsOf(
      statement(
        (parameters) =>
          `SELECT ${dialect.textSql(`d.${column}`)}, count(*) FROM ${fromDocuments(selected, isMany, key)} WHERE ${testsOf(selected, 'd', parameters)} AND d.${column} > ${parameters.add(keyBytes(null))} GROUP BY d.${column}`,
      ),
    )
  }

  /** How many of many documents have each text in a list, from the rows of the list. */
  const countListed = (selected: Selected, { table, copied }: ListTable): Steps<readonly TextCount[]> => {
    const { layout, instance, conditions, words } = selected
    const copies = new Set(copied.map(({ key }) => key))
    const isCopied = words?.table !== null && plainKeysOf(layout, conditions).every((key) => copies.has(key))
    return textCountsOf(
      statement((parameters) => {
        const tests = isCopied
          ? testsOf(selected, 'l', parameters)
          : `l.instance = ${parameters.add(instance)} AND l.position IN (SELECT d.position FROM ${fromDocuments(selected, true, null)} WHERE ${testsOf(selected, 'd', parameters)})`
        return `SELECT ${dialect.textSql('l.text')}, count(*) FROM ${table} AS l WHERE ${tests} GROUP BY l.text`
      }),
    )
  }

  /** How many of few documents have each text in a list, from the documents. */
  function* countListsOfFew(selected: Selected, { column }: ListTable): Steps<readonly TextCount[]> {
    const { rows } = yield statement(
      (parameters) =>
        `SELECT d.${column} FROM ${fromDocuments(selected, false, null)} WHERE ${testsOf(selected, 'd', parameters)}`,
    )
    return textCounts(rows.map(([json]) => listFrom(json)))
  }

  return {
    *count(layout, instance, selection, limit) {
      const selected = yield* selectedBy(layout, instance, selection)
      if (selected === null) return 0
      const count = yield* countSelected(selected, false, Math.min(limit, fewDocuments))
      return count < fewDocuments ? count : yield* countSelected(selected, true, limit)
    },
    *countTexts(layout, instance, key, selection) {
      countedTexts(layout.collection, key)
      const selected = yield* selectedBy(layout, instance, selection)
      if (selected === null) return []
      const isMany = (yield* countSelected(selected, false, fewDocuments)) === fewDocuments
      const list = layout.lists.get(key)
      if (list === undefined) return yield* countValues(selected, isMany, key)
      return yield* isMany ? countListed(selected, list) : countListsOfFew(selected, list)
    },
  }
}
