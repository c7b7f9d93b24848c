/** How the rows of a page are read: the table or index that is read first, and in which order. */
import { LRUCache } from 'lru-cache'
import type { Order } from '@publishing-service/domain/filters'
import {
  type Condition,
  type KeyCondition,
  queryConditions,
  requireSearched,
  type Selection,
} from '@publishing-service/ports'
import { chooseIndex, type ChosenIndex, isCovered } from './choose-index.js'
import { idsSql, positionsSql, type Selective, selectiveParts } from './condition-sql.js'
import type { Dialect, FoundWords } from './dialect.js'
import { textFrom, type Parameter, type Parameters, statementsWith, type Steps } from './statement.js'
import type { CollectionLayout, ListTable } from './layout.js'

/** What is selected. */
export type SelectedQuery = {
  readonly instance: number
  readonly conditions: readonly Condition[]
  readonly words: FoundWords | null
  /** The documents that can be selected; null for all. */
  readonly ids: readonly string[] | null
}

/** What a page depends on, besides its limits and its first row. */
export type PageQuery = SelectedQuery & {
  readonly order: readonly Order[]
  /** The direction of positions among documents that are equal in the order. */
  readonly ties: Order['direction']
}

/** A SELECT of positions. */
export type SelectPositions = (parameters: Parameters) => string

export type Access = {
  /** The tables, with the aliases `d` of documents, `l` of a list, `w` of words. */
  readonly from: string
  /** The column of positions by which rows with equal keys are ordered. */
  readonly position: string
  /** Selects the positions of the documents that are read, if these are few. */
  readonly few: SelectPositions | null
  /** The list that is read first, and the condition that the rows with this text meet. */
  readonly list: { readonly table: ListTable; readonly text: string; readonly condition: Condition } | null
  /** Whether the table of words is read first. */
  readonly inWordsOrder: boolean
}

/**
 * A period may select so many times as many documents in the order of positions: these are not sorted, and only those of the
 * page are read. Other ranges may not: most have only an end, which is the time, and nearly all documents meet them.
 */
const periodFactor = 10

/** Whether the part is a period, which has a start. Its documents are often next to each other, and far from the first one. */
const isPeriod = (part: Selective): boolean =>
  'column' in part && part.conditions.some((each) => each.is === 'at least' && typeof each.value === 'string')

/** Whether the part has bounds and no single values. */
const isRange = (part: Selective): boolean =>
  'column' in part && part.conditions.every(({ is }) => is !== 'equal' && is !== 'one of')

/** A part of the conditions, by whose documents a page can be found if at most so many meet it. */
type Candidate = { readonly select: SelectPositions; readonly most: number; readonly isRange: boolean }

/** Milliseconds for which it is known how many documents meet conditions. */
const countLifetime = 10_000

/**
 * If so many times as many documents exist as meet a condition, or fewer, then a page along an index that has the order is
 * found among few documents, and the others need not be sorted.
 */
const mostPerSelected = 4

/**
 * Characters of the bounds of ranges by which counts are cached. The bounds of many ranges are the time, to the second or to
 * fractions of it: its first characters say it to ten minutes.
 */
const countedCharacters = 15

/** A parameter as a part of a key. */
const nameOf = (parameter: Parameter, characters: number): Parameter =>
  parameter instanceof Uint8Array ? textFrom(parameter).slice(0, characters) : parameter

export type PageAccess = {
  /** Finds where the words of a selection are; null if no document can be selected. */
  readonly selectedBy: (instance: number, selection: Selection) => Steps<SelectedQuery | null>
  /** One access, or several that each read the rows in order: the first rows of all of them together are those of the page. */
  readonly accessesOf: (query: PageQuery) => Steps<readonly Access[]>
  /** Reads documents at few positions. */
  readonly byPositions: (few: SelectPositions) => Access
  /** Selects the positions of few documents, among which are all that are selected; null if these may be many. */
  readonly fewOf: (selected: SelectedQuery) => Steps<SelectPositions | null>
}

/** How pages of a collection are read. */
export const pageAccess = (layout: CollectionLayout, dialect: Dialect): PageAccess => {
  const { placeholder, selective } = dialect
  const statement = statementsWith(placeholder)

  /** How many documents met conditions before. An outdated count makes a page slower, and no other. */
  const counts = new LRUCache<string, number>({ max: 1000, ttl: countLifetime })

  function* selectedBy(instance: number, selection: Selection): Steps<SelectedQuery | null> {
    const { where, words, ids = null } = selection
    if (words !== undefined) requireSearched(layout.collection)
    const conditions = queryConditions(layout.collection, where)
    if (conditions === null || ids?.length === 0) return null
    if (words === undefined || layout.words === null) return { instance, conditions, words: null, ids }
    const found = yield* dialect.words.find(layout.words, instance, words)
    return found === null ? null : { instance, conditions, words: found, ids }
  }

  const allPositions =
    (instance: number): SelectPositions =>
    (parameters) =>
      `SELECT x.position FROM ${layout.documents} AS x WHERE x.instance = ${parameters.add(instance)}`

  /** The positions of named documents. */
  const namedPositions =
    (instance: number, ids: readonly string[]): SelectPositions =>
    (parameters) =>
      `${allPositions(instance)(parameters)} AND x.id IN (${idsSql(ids, dialect, parameters)})`

  /** The number of documents up to one more than `most`, as it was counted in the last seconds. */
  function* countOf({ select, most, isRange: hasBounds }: Candidate): Steps<number> {
    const counted = statement(
      (parameters) =>
        `SELECT count(*) FROM (${select(parameters)} LIMIT ${parameters.add(most + 1)}) AS found`,
    )
    const characters = hasBounds ? countedCharacters : Infinity
    const name = JSON.stringify([counted.sql, counted.parameters.map((each) => nameOf(each, characters))])
    const known = counts.get(name)
    if (known !== undefined) return known
    const { rows } = yield counted
    const count = Number(rows[0]?.[0])
    counts.set(name, count)
    return count
  }

  /**
   * Named documents, or the part of the conditions that the fewest documents meet, as a SELECT of their positions: with it, the
   * documents are read and sorted in the time of a page. Null if the database estimates that itself, or all parts are met by
   * many.
   */
  function* fewPositions(
    { instance, conditions, words, ids }: SelectedQuery,
    chosen: ChosenIndex | null,
    use: 'sorted' | 'in order of positions' | 'counted',
  ): Steps<SelectPositions | null> {
    if (ids !== null) return namedPositions(instance, ids)
    if (selective === null) return null
    const uncovered: Condition[] = []
    for (const condition of conditions) if (!isCovered(chosen, condition)) uncovered.push(condition)
    if (uncovered.length === 0 && words === null) return null
    const single: KeyCondition[] = []
    const alternatives: (readonly Selective[])[] = []
    for (const condition of uncovered)
      if (condition.is !== 'any of') single.push(condition)
      else {
        const parts = condition.groups.flatMap((group) => selectiveParts(layout, group).slice(0, 1))
        if (parts.length === condition.groups.length) alternatives.push(parts)
      }
    const positionsOf =
      (parts: readonly Selective[]): SelectPositions =>
      (parameters) =>
        parts.map((part) => positionsSql(layout, part, instance, parameters)).join(' UNION ALL ')
    const candidates: Candidate[] = []
    if (words !== null && words.table !== null)
      candidates.push({
        select: (parameters) =>
          `SELECT w.${words.position} AS position FROM ${words.table} AS w WHERE ${words.condition(parameters)}`,
        most: selective,
        isRange: false,
      })
    for (const part of selectiveParts(layout, single)) {
      // An index that has the keys of all conditions counts faster.
      const isLonger = use === 'in order of positions' && isPeriod(part)
      const most = isLonger ? selective * periodFactor : selective
      candidates.push({ select: positionsOf([part]), most, isRange: isRange(part) })
    }
    for (const parts of alternatives)
      candidates.push({ select: positionsOf(parts), most: selective, isRange: parts.every(isRange) })
    let fewest: SelectPositions | null = null
    let least = Infinity
    for (const candidate of candidates) {
      const count = yield* countOf(candidate)
      if (count <= candidate.most && count < least) [fewest, least] = [candidate.select, count]
    }
    if (fewest === null || chosen === null || use !== 'sorted') return fewest
    const all = yield* countOf({
      select: allPositions(instance),
      most: selective * mostPerSelected,
      isRange: false,
    })
    return least * mostPerSelected < all ? fewest : null
  }

  const documents = `${layout.documents} AS d`
  const byPosition = documents + dialect.readPositions

  const plain: Access = {
    few: null,
    list: null,
    inWordsOrder: false,
    position: 'd.position',
    from: byPosition,
  }

  const byPositions = (few: SelectPositions): Access => ({ ...plain, few })

  function* accessesOf({
    instance,
    conditions,
    order,
    ties,
    words,
    ids,
  }: PageQuery): Steps<readonly Access[]> {
    const wordsTable = words?.table ?? null
    const inWordsOrder = words !== null && wordsTable !== null && order.length === 0
    const chosen = wordsTable === null ? chooseIndex(layout, conditions, order, ties) : null
    const selected = { instance, conditions, words: inWordsOrder ? null : words, ids }
    const few = yield* fewPositions(selected, chosen, order.length > 0 ? 'sorted' : 'in order of positions')
    if (few !== null) return [byPositions(few)]
    if (inWordsOrder) {
      const position = `w.${words.position}`
      const from = `${wordsTable} AS w JOIN ${byPosition} ON d.position = ${position}`
      return [{ ...plain, from, position, inWordsOrder }]
    }
    const { list = null, index = null } = chosen ?? {}
    const read = index?.read ?? ''
    if (list === null) return [{ ...plain, from: documents + read }]
    const { table, texts, condition } = list
    const from = `${table.table} AS l${read} JOIN ${byPosition} ON d.position = l.position`
    return texts.map((text) => ({
      ...plain,
      from,
      position: 'l.position',
      list: { table, text, condition },
    }))
  }

  return { selectedBy, accessesOf, byPositions, fewOf: (selected) => fewPositions(selected, null, 'counted') }
}
