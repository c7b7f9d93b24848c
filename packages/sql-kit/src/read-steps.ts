/** The statements of reads: one for each. */
import type { Json, JsonObject } from '@publishing-service/domain/json'
import type { Order } from '@publishing-service/domain/filters'
import {
  type Condition,
  cursorAt,
  type Document,
  groupCountFinder,
  keyValue,
  type KeyValue,
  type Page,
  placeIn,
  type Query,
  queryConditions,
  queryOrder,
  readDocument,
  requireTexts,
  type TextsPage,
  type TextsQuery,
  tieDirection,
  unreadable,
  wellFormedRange,
} from '@publishing-service/ports'
import { columnOf, conditionSql, idsSql } from './condition-sql.js'
import type { Dialect } from './dialect.js'
import {
  bytesIn,
  keyBytes,
  keyFrom,
  textBytes,
  textIn,
  Parameters,
  type Parameter,
  type Row,
  statementsWith,
  type Steps,
} from './statement.js'
import type { CollectionLayout, CountTable, KeyColumn } from './layout.js'
import { type SelectionSteps, selectionSteps } from './selection-steps.js'
import { type Access, pageAccess, type PageQuery, type SelectPositions } from './page-access.js'
import { LRUCache } from 'lru-cache'

// Light values of documents are cached, which pages read again and again: to parse one takes longer than to read it. An
// entry is of one document at one version, so it is never outdated.

type DocumentCache = {
  /** A document, parsed if it is not cached. Another document may have the position later. */
  readonly documentOf: (position: number, version: number, id: string, light: string) => Document
}

/** Readers share the values: one that changed a value would change the others' documents. */
const freeze = (json: Json): void => {
  if (typeof json !== 'object' || json === null) return
  Object.values(json).forEach(freeze)
  Object.freeze(json)
}

/** The documents of which it is known that they were read. */
const mostSeen = 10_000

/**
 * While the cache is full, one document of so many is cached that could be: a walk through more documents than fit would
 * otherwise replace each before it is read again.
 */
const admitted = 8

/** Caches as many documents of one collection as have `limit` characters together, each from its second read on. */
const documentCache = (limit: number, parse: (light: string) => JsonObject): DocumentCache => {
  const documents = new LRUCache<number, Document>({ maxSize: limit })
  /** The versions that were read once, by position. */
  const seen = new Map<number, number>()
  let candidates = 0
  return {
    documentOf: (position, version, id, light) => {
      const cached = documents.get(position)
      if (cached?.version === version && cached.id === id) return cached
      const document = { id, version, position, value: parse(light) }
      if (seen.get(position) !== version) {
        if (seen.size >= mostSeen) seen.clear()
        seen.set(position, version)
        return document
      }
      const isFull = documents.calculatedSize + light.length > limit
      if (isFull && (candidates += 1) % admitted > 0) return document
      seen.delete(position)
      freeze(document.value)
      Object.freeze(document)
      documents.set(position, document, { size: light.length })
      return document
    },
  }
}

type Detail = Query['detail']

/** The reads of a collection. */
export type ReadSteps = {
  readonly get: (instance: number, id: string) => Steps<Document | null>
  readonly find: (instance: number, query: Query) => Steps<Page>
  readonly findTexts: (instance: number, query: TextsQuery) => Steps<TextsPage>
  /** A document from its row of `shownColumns`. */
  readonly documentFrom: (row: Row) => Document
  /** The table of a declared group count. */
  readonly groupCount: (key: string, within: Readonly<Record<string, Json>>) => CountTable
} & SelectionSteps

/** Characters of light documents that are cached of each collection. */
const cachedCharacters = 4 * 1024 * 1024

/** The column of an order, with its direction. */
type Ordered = { readonly sql: string; readonly direction: Order['direction'] }

/** Selects what is after a place: one comparison of rows if all directions are equal and indexes have such ones. */
const afterPlace = (
  order: readonly Ordered[],
  values: readonly Parameter[],
  dialect: Pick<Dialect, 'indexesCompareRows'>,
  parameters: Parameters,
): string => {
  const [first] = order
  if (first === undefined) return 'TRUE'
  const operator = first.direction === 'asc' ? '>' : '<'
  const isOneDirection = order.every(({ direction }) => direction === first.direction)
  if (order.length === 1 || (dialect.indexesCompareRows && isOneDirection))
    return `(${order.map(({ sql }) => sql).join(', ')}) ${operator} (${parameters.addAll(values)})`
  const [value = null, ...others] = values
  const further = `${first.sql} ${operator} ${parameters.add(value)}`
  return `(${further} OR (${first.sql} = ${parameters.add(value)} AND ${afterPlace(order.slice(1), others, dialect, parameters)}))`
}

/** position, version, id, light, heavy. */
export const shownColumns = {
  light: 'd.position, d.version, d.id, d.light, NULL',
  full: 'd.position, d.version, d.id, d.light, d.heavy',
} as const satisfies Record<Detail, string>

/** The number of these columns, after which a row has others. */
export const fixedColumns = 5

/** Reads of a collection. */
export const readSteps = (layout: CollectionLayout, dialect: Dialect): ReadSteps => {
  const { collection, documents: table } = layout
  const { nameFrom, nameParameter, placeholder } = dialect
  const { selectedBy, accessesOf, byPositions, fewOf } = pageAccess(layout, dialect)

  const statement = statementsWith(placeholder)

  const cache = documentCache(cachedCharacters, (light) => readDocument(light, null))

  const documentFrom = (row: Row): Document => {
    const [position, version, id = null, light, heavy = null] = row
    return heavy === null
      ? cache.documentOf(Number(position), Number(version), nameFrom(id), textIn(light))
      : {
          id: nameFrom(id),
          version: Number(version),
          position: Number(position),
          value: readDocument(textIn(light), textIn(heavy)),
        }
  }

  const selectOne = `SELECT ${shownColumns.full} FROM ${table} AS d WHERE d.instance = ${placeholder(1)} AND d.id = ${placeholder(2)}`

  /**
   * The values of keys of the last document of a page: from the document; from its row if an attribute is heavy, or from the
   * table if the document is damaged.
   */
  function* keysAfter(
    keys: readonly KeyColumn[],
    { value, position }: Document,
    row: Row,
  ): Steps<readonly KeyValue[]> {
    if (value === unreadable && keys.length > 0) {
      const { rows } = yield statement(
        (parameters) =>
          `SELECT ${keys.map(({ column }) => column).join(', ')} FROM ${table} WHERE position = ${parameters.add(position)}`,
      )
      return keys.map(({ type }, i) => keyFrom(type, bytesIn(rows[0]?.[i])))
    }
    let next = fixedColumns
    return keys.map(({ key, type, isHeavy }) =>
      isHeavy ? keyFrom(type, bytesIn(row[next++])) : keyValue(type, value, key),
    )
  }

  /** What the rows of a page meet. */
  const testsOf = (
    { instance, conditions, words }: PageQuery,
    { few, list, position, inWordsOrder }: Access,
    column: (name: string) => string,
    parameters: Parameters,
  ): string[] => {
    const tests = few === null ? [] : [`d.position IN (${few(parameters)})`]
    tests.push(`${list === null ? 'd' : 'l'}.instance = ${parameters.add(instance)}`)
    if (list !== null) tests.push(`l.text = ${parameters.add(textBytes(list.text))}`)
    for (const condition of conditions)
      if (condition !== list?.condition)
        tests.push(conditionSql(layout, condition, { column, position, instance }, parameters))
    if (words === null) return tests
    const found = words.condition(parameters)
    const isTest = words.table === null || inWordsOrder
    tests.push(
      isTest ? found : `d.position IN (SELECT w.${words.position} FROM ${words.table} AS w WHERE ${found})`,
    )
    return tests
  }

  /** The documents of a page, up to its limits, and where the next one starts. */
  function* pageOf(
    { limit, bytes: maxBytes = Infinity }: Query,
    keys: readonly KeyColumn[],
    rows: readonly Row[],
  ): Steps<Page> {
    const documents: Document[] = []
    for (let size = 0; documents.length < limit && size < maxBytes;) {
      const row = rows[documents.length]
      if (row === undefined) break
      documents.push(documentFrom(row))
      const [, , , light, heavy = null] = row
      size += textIn(light).length + (heavy === null ? 0 : textIn(heavy).length)
    }
    const [last, row] = [documents.at(-1), rows[documents.length - 1]]
    if (last === undefined || row === undefined || rows.length <= documents.length)
      return { documents, next: null }
    const values = yield* keysAfter(keys, last, row)
    return { documents, next: cursorAt({ values, position: last.position }) }
  }

  /** A SELECT of rows of a page, which reads them as `access` says. */
  const selectSql = (
    { after, from, notIds, order }: Query,
    page: PageQuery,
    access: Access,
    { shown, limit, skip }: { readonly shown: string; readonly limit: number; readonly skip: number },
    parameters: Parameters,
  ): string => {
    const { position, list } = access
    const copied = new Set(list?.table.copied.map(({ column }) => column))
    const column = (name: string): string => `${copied.has(name) ? 'l' : 'd'}.${name}`
    const tests = testsOf(page, access, column, parameters)
    const ordered: Ordered[] = []
    for (const { key, direction } of page.order)
      ordered.push({ sql: column(columnOf(layout, key).column), direction })
    ordered.push({ sql: position, direction: page.ties })
    const terms: string[] = []
    for (const { sql, direction } of ordered) terms.push(direction === 'asc' ? sql : `${sql} DESC`)
    if (after !== undefined) {
      const place = placeIn(after, page.order.length)
      tests.push(afterPlace(ordered, [...place.values.map(keyBytes), place.position], dialect, parameters))
    }
    if (notIds !== undefined && notIds.length > 0)
      tests.push(`d.id NOT IN (${idsSql(notIds, dialect, parameters)})`)
    if (from !== undefined) tests.push(`${position} >= ${parameters.add(from)}`)
    // Not `page.order`, which lacks the keys that filters fix.
    if (collection.inCommitOrder === true && order.length === 0 && dialect.commitOrder !== null)
      tests.push(`${position} < ${dialect.commitOrder.settled}`)
    return `SELECT ${shown} FROM ${access.from} WHERE ${tests.join(' AND ')} ORDER BY ${terms.join(', ')} LIMIT ${parameters.add(limit)} OFFSET ${parameters.add(skip)}`
  }

  /** Selects the positions of the first rows of each access. */
  const firstOfEach =
    (query: Query, page: PageQuery, accesses: readonly Access[], limit: number): SelectPositions =>
    (parameters) =>
      accesses
        .map((access) => {
          const limits = { shown: access.position, limit, skip: 0 }
          return `SELECT * FROM (${selectSql(query, page, access, limits, parameters)}) AS page`
        })
        .join(' UNION ALL ')

  function* find(instance: number, query: Query): Steps<Page> {
    const selected = yield* selectedBy(instance, query)
    if (selected === null) return noDocuments
    const order = queryOrder(collection, query.order, selected.conditions)
    const ties = tieDirection(query)
    const page: PageQuery = { ...selected, order, ties }
    const accesses = yield* accessesOf(page)

    const keys: KeyColumn[] = []
    let shown: string = shownColumns[query.detail]
    for (const { key } of order) {
      const own = columnOf(layout, key)
      keys.push(own)
      if (own.isHeavy) shown += `, d.${own.column}`
    }
    const parameters = new Parameters(placeholder)
    const [limit, { skip }] = [query.limit + 1, query]
    const limits = { shown, limit, skip }
    const [first, ...others] = accesses
    const sql =
      first === undefined || others.length > 0
        ? selectSql(
            query,
            { ...page, conditions: [] },
            byPositions(firstOfEach(query, page, accesses, limit + skip)),
            limits,
            parameters,
          )
        : selectSql(query, page, first, limits, parameters)
    const { rows } = yield { sql, parameters: parameters.values }
    return yield* pageOf(query, keys, rows)
  }

  return {
    *get(instance, id) {
      const { rows } = yield {
        sql: selectOne,
        parameters: [instance, nameParameter(id.toWellFormed())],
      }
      const [row] = rows
      return row === undefined ? null : documentFrom(row)
    },
    documentFrom,
    groupCount: groupCountFinder({ name: collection.name, groupCounts: layout.counts }),
    find,
    ...selectionSteps(layout, dialect, { selectedBy, fewOf }),
    *findTexts(instance, { key, range, where, after, skip, limit, detail }) {
      requireTexts(collection, key, range)
      const list = layout.lists.get(key)
      const conditions = queryConditions(collection, where)
      if (conditions === null || list === undefined) return { texts: [], next: null }
      const parameters = new Parameters(placeholder)
      const { atLeast, below, endsAbove } = wellFormedRange(range)
      const tests = [
        `l.instance = ${parameters.add(instance)}`,
        `l.text >= ${parameters.add(textBytes(atLeast))}`,
        `l.text < ${parameters.add(textBytes(below))}`,
        ...(endsAbove === undefined ? [] : [`l.ends > ${parameters.add(textBytes(endsAbove))}`]),
        ...conditions.map((condition: Condition) =>
          conditionSql(
            layout,
            condition,
            { column: (column) => `d.${column}`, position: 'l.position', instance },
            parameters,
          ),
        ),
      ]
      if (after !== undefined) {
        const place = placeIn(after, 1)
        const ordered = ['l.text', 'l.position'].map((sql) => ({ sql, direction: 'asc' as const }))
        tests.push(afterPlace(ordered, [...place.values.map(keyBytes), place.position], dialect, parameters))
      }
      const { rows } = yield {
        sql: `SELECT ${shownColumns[detail]}, ${dialect.textSql('l.text')} FROM ${list.table} AS l JOIN ${table} AS d ON d.position = l.position WHERE ${tests.join(' AND ')} ORDER BY l.text, l.position LIMIT ${parameters.add(limit + 1)} OFFSET ${parameters.add(skip)}`,
        parameters: parameters.values,
      }
      const shown = rows.slice(0, limit)
      const texts = shown.map((row) => ({
        text: nameFrom(row[fixedColumns] ?? null),
        document: documentFrom(row),
      }))
      const last = texts.at(-1)
      return {
        texts,
        next:
          last === undefined || rows.length <= limit
            ? null
            : cursorAt({ values: [last.text], position: last.document.position }),
      }
    },
  }
}

const noDocuments: Page = { documents: [], next: null }
