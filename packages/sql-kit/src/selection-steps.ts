/** The statements that count what is selected, without an order. */
import {
  type Condition,
  countedTexts,
  type CountedTexts,
  estimatingSample,
  isSampled,
  sampleFor,
  sampling,
  type Selection,
  textCounts,
} from '@publishing-service/ports'
import { coveringIndex } from './choose-index.js'
import { columnOf, conditionSql, idsSql, positionsSql } from './condition-sql.js'
import type { Dialect } from './dialect.js'
import { listFrom } from './entries.js'
import { type Parameters, type Row, statementsWith, type Steps } from './statement.js'
import type { CollectionLayout } from './layout.js'
import type { PageAccess, SelectedQuery, SelectPositions } from './page-access.js'

export type SelectionSteps = {
  readonly count: (instance: number, selection: Selection, limit: number) => Steps<number>
  readonly countTexts: (
    instance: number,
    keys: readonly string[],
    selection: Selection,
    most: number,
  ) => Steps<CountedTexts>
}

/** What documents meet. */
type Selected = SelectedQuery &
  Pick<Selection, 'notIds'> & {
    /** Selects the positions of few documents, among which they are; null if they may be many. */
    readonly few: SelectPositions | null
  }

/** The keys of documents that conditions need. Those of lists are found by the position of the document. */
const plainKeysOf = (layout: CollectionLayout, conditions: readonly Condition[]): readonly string[] =>
  conditions
    .flatMap((each) => (each.is === 'any of' ? each.groups.flat() : [each]))
    .flatMap(({ key }) => (layout.keys.has(key) ? [key] : []))

/** The test of a position for a sample, as `isSampled` says; none for all documents. */
const sampleTests = (position: string, oneIn: number, parameters: Parameters): readonly string[] =>
  oneIn === 1
    ? []
    : [
        `${position} % ${sampling.prime} * ${sampling.factor} % ${sampling.prime} * ${parameters.add(oneIn)} < ${sampling.prime}`,
      ]

export const selectionSteps = (
  layout: CollectionLayout,
  dialect: Dialect,
  { selectedBy, fewOf }: Pick<PageAccess, 'selectedBy' | 'fewOf'>,
): SelectionSteps => {
  const statement = statementsWith(dialect.placeholder)

  /** Null if no document can be selected. */
  function* selectionOf(instance: number, selection: Selection): Steps<Selected | null> {
    const selected = yield* selectedBy(instance, selection)
    if (selected === null) return null
    const few = yield* fewOf(selected)
    const { notIds } = selection
    return notIds === undefined || notIds.length === 0 ? { ...selected, few } : { ...selected, few, notIds }
  }

  /** What the documents of a sample meet. Positions are tested where they are selected, so that fewer are. */
  const testsOf = (
    { instance, conditions, words, few, notIds }: Selected,
    oneIn: number,
    parameters: Parameters,
  ): string => {
    const position = 'd.position'
    const row = { column: (name: string) => `d.${name}`, position, instance }
    const within = (select: string, selected: string): string =>
      `${position} IN (${[select, ...sampleTests(selected, oneIn, parameters)].join(' AND ')})`
    const tests = [
      ...(few === null
        ? []
        : [within(`SELECT f.position FROM (${few(parameters)}) AS f WHERE true`, 'f.position')]),
      `d.instance = ${parameters.add(instance)}`,
      ...sampleTests(position, oneIn, parameters),
      ...conditions.map((condition) =>
        condition.is === 'has'
          ? within(positionsSql(layout, { list: condition }, instance, parameters), 'x.position')
          : conditionSql(layout, condition, row, parameters),
      ),
    ]
    if (words !== null) {
      const found = words.condition(parameters)
      const column = `w.${words.position}`
      tests.push(
        words.table === null
          ? found
          : within(`SELECT ${column} FROM ${words.table} AS w WHERE ${found}`, column),
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
   * The table of the documents, with the index that has the keys of the conditions: databases may prefer an index that excludes
   * some documents.
   */
  const fromDocuments = ({ conditions, words, few }: Selected): string => {
    const documents = `${layout.documents} AS d`
    if (few !== null) return documents + dialect.readPositions
    const keys = new Set(plainKeysOf(layout, conditions))
    const index = words?.table === null ? null : coveringIndex(layout, conditions, keys)
    return index === null ? documents : documents + index.read
  }

  const positionsIn =
    (selected: Selected, oneIn: number): SelectPositions =>
    (parameters) =>
      `SELECT d.position FROM ${fromDocuments(selected)} WHERE ${testsOf(selected, oneIn, parameters)}`

  /** The texts under some keys of the documents at positions, from one read of the documents. */
  function* countTextsAt(
    keys: readonly string[],
    positions: SelectPositions,
  ): Steps<Omit<CountedTexts, 'oneIn'>> {
    const columns = keys.map((key) => {
      const list = layout.lists.get(key)
      if (list !== undefined) return { sql: `c.${list.column}`, textsOf: listFrom }
      const textsOf = (column: Row[number] | undefined): readonly string[] => {
        const text = dialect.nameFrom(column ?? null)
        return text === '' ? [] : [text]
      }
      return { sql: dialect.textSql(`c.${columnOf(layout, key).column}`), textsOf }
    })
    const { rows } = yield statement(
      (parameters) =>
        `SELECT ${['1', ...columns.map(({ sql }) => sql)].join(', ')} FROM ${layout.documents} AS c${dialect.readPositions} WHERE c.position IN (${positions(parameters)})`,
    )
    const texts = columns.map(({ textsOf }, i) => textCounts(rows.map((row) => textsOf(row[i + 1]))))
    return { documents: rows.length, texts }
  }

  return {
    *count(instance, selection, limit) {
      const selected = yield* selectionOf(instance, selection)
      if (selected === null) return 0
      const { rows } = yield statement(
        (parameters) =>
          `SELECT count(*) FROM (${positionsIn(selected, 1)(parameters)} LIMIT ${parameters.add(limit)}) AS found`,
      )
      return Number(rows[0]?.[0])
    },
    *countTexts(instance, keys, selection, most) {
      for (const key of keys) countedTexts(layout.collection, key)
      const selected = yield* selectionOf(instance, selection)
      if (selected === null) return { oneIn: 1, documents: 0, texts: keys.map(() => []) }
      const { rows } = yield statement(positionsIn(selected, estimatingSample))
      const oneIn = sampleFor(rows.length, most)
      if (oneIn < estimatingSample)
        return { oneIn, ...(yield* countTextsAt(keys, positionsIn(selected, oneIn))) }
      const positions = rows.map(([position]) => Number(position)).filter((each) => isSampled(each, oneIn))
      const sampled: SelectPositions = (parameters) =>
        dialect.positionsFrom(parameters.add(JSON.stringify(positions)))
      return { oneIn, ...(yield* countTextsAt(keys, sampled)) }
    },
  }
}
