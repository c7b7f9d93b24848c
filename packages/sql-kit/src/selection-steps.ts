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
import { columnOf, conditionSql, idsSql, positionsSql } from './condition-sql.js'
import type { Dialect } from './dialect.js'
import { listFrom } from './entries.js'
import { keyBytes } from './key-bytes.js'
import type { CollectionLayout, ListTable } from './layout.js'
import type { PageAccess, SelectedQuery, SelectPositions } from './page-access.js'
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
type Selected = SelectedQuery &
  Pick<Selection, 'notIds'> & {
    /** Selects the positions of few documents, among which they are; null if they may be many. */
    readonly few: SelectPositions | null
  }

/** The lists of so many documents are counted one by one; for more, the rows of the list are counted. */
const fewDocuments = 2000

/** The keys of documents that conditions need. Those of lists are found by the position of the document. */
const plainKeysOf = (layout: CollectionLayout, conditions: readonly Condition[]): readonly string[] =>
  conditions
    .flatMap((each) => (each.is === 'any of' ? each.groups.flat() : [each]))
    .flatMap(({ key }) => (layout.keys.has(key) ? [key] : []))

export const selectionSteps = (dialect: Dialect, fewOf: PageAccess['fewOf']): SelectionSteps => {
  const statement = statementsWith(dialect.placeholder)

  /** Null if no document can be selected. */
  function* selectedBy(
    layout: CollectionLayout,
    instance: number,
    selection: Selection,
  ): Steps<Selected | null> {
    const { where, words, ids = null, notIds } = selection
    const conditions = queryConditions(layout.collection, where)
    if (words !== undefined) requireSearched(layout.collection)
    if (conditions === null || ids?.length === 0) return null
    const found =
      words === undefined || layout.words === null
        ? null
        : yield* dialect.words.find(layout.words, instance, words)
    if (words !== undefined && found === null) return null
    const query = { layout, instance, conditions, words: found, ids }
    return {
      ...query,
      few: yield* fewOf(query),
      ...(notIds === undefined || notIds.length === 0 ? {} : { notIds }),
    }
  }

  /** What documents meet, or rows with copies of their keys. */
  const testsOf = (
    { layout, instance, conditions, words, few, notIds }: Selected,
    alias: 'd' | 'l',
    parameters: Parameters,
  ): string => {
    const position = `${alias}.position`
    const row = { column: (name: string) => `${alias}.${name}`, position, instance }
    const tests = [
      ...(few === null ? [] : [`${position} IN (${few(parameters)})`]),
      `${alias}.instance = ${parameters.add(instance)}`,
      ...conditions.map((condition) =>
        condition.is === 'has'
          ? `${position} IN (${positionsSql(layout, { list: condition }, instance, dialect.readIndex, parameters)})`
          : conditionSql(layout, condition, row, parameters),
      ),
    ]
    if (words !== null) {
      const found = words.condition(parameters)
      tests.push(
        words.table === null
          ? found
          : `${position} IN (SELECT w.${words.position} FROM ${words.table} AS w WHERE ${found})`,
      )
    }
    // By positions, which each index has.
    if (notIds !== undefined)
      tests.push(
        `${position} NOT IN (SELECT x.position FROM ${layout.documents} AS x WHERE x.instance = ${parameters.add(instance)} AND x.id IN (${idsSql(notIds, dialect, parameters)}))`,
      )
    return tests.join(' AND ')
  }

  /**
   * The table of the documents, with the index that has the keys of the conditions and this one: databases may prefer an index
   * that excludes some documents.
   */
  const fromDocuments = ({ layout, conditions, words, few }: Selected, key: string | null): string => {
    const documents = `${layout.documents} AS d`
    if (few !== null) return documents + dialect.readPositions
    const keys = new Set([...plainKeysOf(layout, conditions), ...(key === null ? [] : [key])])
    const index = words?.table === null ? null : coveringIndex(layout, conditions, keys)
    return index === null ? documents : documents + dialect.readIndex(quoted(index.name))
  }

  function* countSelected(selected: Selected, limit: number): Steps<number> {
    const { rows } = yield statement(
      (parameters) =>
        `SELECT count(*) FROM (SELECT 1 FROM ${fromDocuments(selected, null)} WHERE ${testsOf(selected, 'd', parameters)} LIMIT ${parameters.add(limit)}) AS found`,
    )
    return Number(rows[0]?.[0])
  }

  function* textCountsOf(written: Statement): Steps<readonly TextCount[]> {
    const { rows } = yield written
    return rows.map(([text = null, count]) => ({ text: dialect.nameFrom(text), count: Number(count) }))
  }

  /** How many documents have each value of a key. */
  const countValues = (selected: Selected, key: string): Steps<readonly TextCount[]> => {
    const { column } = columnOf(selected.layout, key)
    return textCountsOf(
      statement(
        (parameters) =>
          `SELECT ${dialect.textSql(`d.${column}`)}, count(*) FROM ${fromDocuments(selected, key)} WHERE ${testsOf(selected, 'd', parameters)} AND d.${column} > ${parameters.add(keyBytes(null))} GROUP BY d.${column}`,
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
          : `l.instance = ${parameters.add(instance)} AND l.position IN (SELECT d.position FROM ${fromDocuments(selected, null)} WHERE ${testsOf(selected, 'd', parameters)})`
        return `SELECT ${dialect.textSql('l.text')}, count(*) FROM ${table} AS l WHERE ${tests} GROUP BY l.text`
      }),
    )
  }

  /** How many of few documents have each text in a list, from the documents. */
  function* countListsOfFew(selected: Selected, { column }: ListTable): Steps<readonly TextCount[]> {
    const { rows } = yield statement(
      (parameters) =>
        `SELECT d.${column} FROM ${fromDocuments(selected, null)} WHERE ${testsOf(selected, 'd', parameters)}`,
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
      const count = yield* countSelected(selected, fewDocuments)
      return yield* count < fewDocuments ? countListsOfFew(selected, list) : countListed(selected, list)
    },
  }
}
