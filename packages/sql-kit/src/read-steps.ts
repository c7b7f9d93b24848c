/** The statements of reads: one for each. */
import type { Json } from '@publishing-service/domain/json'
import type { Order } from '@publishing-service/domain/filters'
import {
  type Condition,
  cursorAt,
  type Document,
  findGroupCount,
  groupOfFilters,
  keyValue,
  type KeyValue,
  type Page,
  placeIn,
  type Query,
  queryConditions,
  queryOrder,
  readDocument,
  requireSearched,
  requireTexts,
  type TextCount,
  type TextsPage,
  type TextsQuery,
  tieDirection,
  unreadable,
  wellFormedRange,
} from '@publishing-service/ports'
import { columnOf, conditionSql, idsSql } from './condition-sql.js'
import type { Dialect } from './dialect.js'
import { documentCache, type DocumentCache } from './document-cache.js'
import { keyBytes, keyFrom, textBytes } from './key-bytes.js'
import type { CollectionLayout, KeyColumn } from './layout.js'
import { type SelectionSteps, selectionSteps } from './selection-steps.js'
import { type Access, pageAccess, type PageQuery } from './page-access.js'
import { Parameters, type Parameter, type Row, statementsWith, type Steps } from './statement.js'

type Detail = Query['detail']

export type ReadSteps = {
  readonly get: (layout: CollectionLayout, instance: number, id: string) => Steps<Document | null>
  readonly getMany: (
    layout: CollectionLayout,
    instance: number,
    ids: readonly string[],
    detail: Detail,
  ) => Steps<readonly Document[]>
  readonly find: (layout: CollectionLayout, instance: number, query: Query) => Steps<Page>
  readonly findTexts: (layout: CollectionLayout, instance: number, query: TextsQuery) => Steps<TextsPage>
  readonly countGroups: (
    layout: CollectionLayout,
    instance: number,
    key: string,
    within: Readonly<Record<string, Json>>,
  ) => Steps<readonly TextCount[]>
} & SelectionSteps

const text = (column: Row[number] | undefined): string => {
  if (typeof column !== 'string') throw new Error('The database returned no text in a column of texts')
  return column
}

const bytes = (column: Row[number] | undefined): Uint8Array => {
  if (!(column instanceof Uint8Array)) throw new Error('The database returned no bytes in a column of bytes')
  return column
}

/** Characters of light documents that are cached of each collection. */
const cachedCharacters = 4 * 1024 * 1024

/** The column of an order, with its direction. */
type Ordered = { readonly sql: string; readonly direction: Order['direction'] }

/** Selects what is after a place: one comparison of rows if all directions are equal. */
const afterPlace = (
  order: readonly Ordered[],
  values: readonly Parameter[],
  parameters: Parameters,
): string => {
  const [first] = order
  if (first === undefined) return 'TRUE'
  const operator = first.direction === 'asc' ? '>' : '<'
  if (order.every(({ direction }) => direction === first.direction))
    return `(${order.map(({ sql }) => sql).join(', ')}) ${operator} (${parameters.addAll(values)})`
  const [value = null, ...others] = values
  const further = `${first.sql} ${operator} ${parameters.add(value)}`
  return `(${further} OR (${first.sql} = ${parameters.add(value)} AND ${afterPlace(order.slice(1), others, parameters)}))`
}

const orderSql = (order: readonly Ordered[]): string =>
  order.map(({ sql, direction }) => (direction === 'asc' ? sql : `${sql} DESC`)).join(', ')

export const readSteps = (dialect: Dialect): ReadSteps => {
  const { nameFrom, placeholder } = dialect
  const { accessOf, fewOf } = pageAccess(dialect)

  const statement = statementsWith(placeholder)

  /** position, version, id, light, heavy. */
  const columnsOf = (detail: Detail): string =>
    `d.position, d.version, d.id, d.light, ${detail === 'full' ? 'd.heavy' : 'NULL'}`

  const caches = new WeakMap<CollectionLayout, DocumentCache>()
  const cacheOf = (layout: CollectionLayout): DocumentCache => {
    let cache = caches.get(layout)
    if (cache === undefined)
      caches.set(layout, (cache = documentCache(cachedCharacters, (light) => readDocument(light, null))))
    return cache
  }

  const documentFrom = (layout: CollectionLayout, row: Row): Document => {
    const [position, version, id = null, light, heavy = null] = row
    return heavy === null
      ? cacheOf(layout).documentOf(Number(position), Number(version), nameFrom(id), text(light))
      : {
          id: nameFrom(id),
          version: Number(version),
          position: Number(position),
          value: readDocument(text(light), text(heavy)),
        }
  }

  const sizeOf = ([, , , light, heavy = null]: Row): number =>
    text(light).length + (heavy === null ? 0 : text(heavy).length)

  function* getMany(
    layout: CollectionLayout,
    instance: number,
    ids: readonly string[],
    detail: Detail,
  ): Steps<readonly Document[]> {
    if (ids.length === 0) return []
    // A row is returned once, however often its id is named.
    const { rows } = yield statement(
      (parameters) =>
        `SELECT ${columnsOf(detail)} FROM ${layout.documents} AS d WHERE d.instance = ${parameters.add(instance)} AND d.id IN (${idsSql(ids, dialect, parameters)})`,
    )
    return rows.map((row) => documentFrom(layout, row))
  }

  /**
   * The values of keys of the last document of a page: from the document; from its row if an attribute is heavy, or from the
   * table if the document is damaged.
   */
  function* keysAfter(
    layout: CollectionLayout,
    columns: readonly KeyColumn[],
    { value, position }: Document,
    row: Row,
  ): Steps<readonly KeyValue[]> {
    if (value === unreadable && columns.length > 0) {
      const { rows } = yield statement(
        (parameters) =>
          `SELECT ${columns.map(({ column }) => column).join(', ')} FROM ${layout.documents} WHERE position = ${parameters.add(position)}`,
      )
      return columns.map(({ type }, i) => keyFrom(type, bytes(rows[0]?.[i])))
    }
    let next = fixedColumns
    return columns.map(({ key, type, isHeavy }) =>
      isHeavy ? keyFrom(type, bytes(row[next++])) : keyValue(type, value, key),
    )
  }

  /** What the rows of a page meet. */
  const testsOf = (
    { layout, instance, conditions, words }: PageQuery,
    { few, list, position, inWordsOrder }: Access,
    column: (name: string) => string,
    parameters: Parameters,
  ): string[] => {
    const tests = few === null ? [] : [`d.position IN (${few(parameters)})`]
    tests.push(`${list === null ? 'd' : 'l'}.instance = ${parameters.add(instance)}`)
    if (list !== null) tests.push(`l.text = ${parameters.add(textBytes(list.condition.text))}`)
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
    layout: CollectionLayout,
    { limit, bytes: maxBytes = Infinity }: Query,
    keys: readonly KeyColumn[],
    rows: readonly Row[],
  ): Steps<Page> {
    const documents: Document[] = []
    for (let size = 0; documents.length < limit && size < maxBytes;) {
      const row = rows[documents.length]
      if (row === undefined) break
      documents.push(documentFrom(layout, row))
      size += sizeOf(row)
    }
    const [last, row] = [documents.at(-1), rows[documents.length - 1]]
    if (last === undefined || row === undefined || rows.length <= documents.length)
      return { documents, next: null }
    const values = yield* keysAfter(layout, keys, last, row)
    return { documents, next: cursorAt({ values, position: last.position }) }
  }

  function* find(layout: CollectionLayout, instance: number, query: Query): Steps<Page> {
    const { collection } = layout
    if (query.words !== undefined) requireSearched(collection)
    const conditions = queryConditions(collection, query.where)
    if (conditions === null) return noDocuments
    const words =
      query.words === undefined || layout.words === null
        ? null
        : yield* dialect.words.find(layout.words, instance, query.words)
    if (query.words !== undefined && words === null) return noDocuments
    const order = queryOrder(collection, query.order, conditions)
    const ties = tieDirection(query)
    const { ids = null } = query
    if (ids?.length === 0) return noDocuments
    const page: PageQuery = { layout, instance, conditions, order, ties, words, ids }
    const access = yield* accessOf(page)

    const parameters = new Parameters(placeholder)
    const copied = new Set(access.list?.table.copied.map(({ column }) => column))
    const column = (name: string): string => `${copied.has(name) ? 'l' : 'd'}.${name}`
    const tests = testsOf(page, access, column, parameters)
    const keys = order.map(({ key }) => columnOf(layout, key))
    const ordered: readonly Ordered[] = [
      ...order.map(({ direction }, i) => ({ sql: column(keys[i]?.column ?? ''), direction })),
      { sql: access.position, direction: ties },
    ]
    if (query.after !== undefined) {
      const place = placeIn(query.after, order.length)
      tests.push(afterPlace(ordered, [...place.values.map(keyBytes), place.position], parameters))
    }
    if (query.notIds !== undefined && query.notIds.length > 0)
      tests.push(`d.id NOT IN (${idsSql(query.notIds, dialect, parameters)})`)
    if (query.from !== undefined) tests.push(`${access.position} >= ${parameters.add(query.from)}`)
    if (collection.inCommitOrder === true && order.length === 0 && dialect.commitOrder !== null)
      tests.push(`${access.position} < ${dialect.commitOrder.settled}`)
    const heavyKeys = keys.filter(({ isHeavy }) => isHeavy).map((each) => `, d.${each.column}`)
    const { rows } = yield {
      sql: `SELECT ${columnsOf(query.detail)}${heavyKeys.join('')} FROM ${access.from} WHERE ${tests.join(' AND ')} ORDER BY ${orderSql(ordered)} LIMIT ${parameters.add(query.limit + 1)} OFFSET ${parameters.add(query.skip)}`,
      parameters: parameters.values,
    }
    return yield* pageOf(layout, query, keys, rows)
  }

  return {
    *get(layout, instance, id) {
      const [found = null] = yield* getMany(layout, instance, [id], 'full')
      return found
    },
    getMany,
    find,
    ...selectionSteps(dialect, fewOf),
    *findTexts(layout, instance, { key, range, where, after, skip, limit, detail }) {
      const { collection } = layout
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
      const ordered: readonly Ordered[] = ['l.text', 'l.position'].map((sql) => ({ sql, direction: 'asc' }))
      if (after !== undefined) {
        const place = placeIn(after, 1)
        tests.push(afterPlace(ordered, [...place.values.map(keyBytes), place.position], parameters))
      }
      const { rows } = yield {
        sql: `SELECT ${columnsOf(detail)}, ${dialect.textSql('l.text')} FROM ${list.table} AS l JOIN ${layout.documents} AS d ON d.position = l.position WHERE ${tests.join(' AND ')} ORDER BY ${orderSql(ordered)} LIMIT ${parameters.add(limit + 1)} OFFSET ${parameters.add(skip)}`,
        parameters: parameters.values,
      }
      const shown = rows.slice(0, limit)
      const texts = shown.map((row) => ({
        text: nameFrom(row[fixedColumns] ?? null),
        document: documentFrom(layout, row),
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
    *countGroups(layout, instance, key, within) {
      const { collection, counts } = layout
      const table = findGroupCount({ name: collection.name, groupCounts: counts }, key, within)
      const group = groupOfFilters(collection, table.within, within)
      if (group === null) return []
      const { rows } = yield statement((parameters) => {
        const tests = [
          `instance = ${parameters.add(instance)}`,
          ...table.columns.map(
            ({ column }, i) => `${column} = ${parameters.add(keyBytes(group[i] ?? null))}`,
          ),
        ]
        return `SELECT ${dialect.textSql('text')}, documents FROM ${table.table} WHERE ${tests.join(' AND ')}`
      })
      return rows.map(([found = null, count]) => ({ text: nameFrom(found), count: Number(count) }))
    },
  }
}

/** The columns of every row of documents. */
const fixedColumns = 5

const noDocuments: Page = { documents: [], next: null }
