/** The statements of reads: one for each. */
import type { Json } from '@publishing-service/domain/json'
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
import { documentCache } from './document-cache.js'
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
import {
  type Access,
  type PageAccess,
  pageAccess,
  type PageQuery,
  type SelectPositions,
} from './page-access.js'

type Detail = Query['detail']

/** Characters of light documents that are cached of each collection. */
const cachedCharacters = 4 * 1024 * 1024

/** The column of an order, with its direction. */
type Ordered = { readonly sql: string; readonly direction: Order['direction'] }

const noDocuments: Page = { documents: [], next: null }

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

/** The reads of a collection. */
export class ReadSteps implements SelectionSteps {
  /** The table of a declared group count. */
  readonly groupCount: (key: string, within: Readonly<Record<string, Json>>) => CountTable
  readonly count: SelectionSteps['count']
  readonly countTexts: SelectionSteps['countTexts']
  readonly #layout: CollectionLayout
  readonly #dialect: Dialect
  readonly #access: PageAccess
  readonly #statement: ReturnType<typeof statementsWith>
  readonly #cache = documentCache(cachedCharacters, (light) => readDocument(light, null))
  readonly #selectOne: string

  constructor(layout: CollectionLayout, dialect: Dialect) {
    const { collection, documents, counts } = layout
    const { placeholder } = dialect
    this.#layout = layout
    this.#dialect = dialect
    this.#access = pageAccess(layout, dialect)
    this.#statement = statementsWith(placeholder)
    this.#selectOne = `SELECT ${shownColumns.full} FROM ${documents} AS d WHERE d.instance = ${placeholder(1)} AND d.id = ${placeholder(2)}`
    this.groupCount = groupCountFinder({ name: collection.name, groupCounts: counts })
    const { count, countTexts } = selectionSteps(layout, dialect, this.#access)
    this.count = count
    this.countTexts = countTexts
  }

  *get(instance: number, id: string): Steps<Document | null> {
    const parameters = [instance, this.#dialect.nameParameter(id.toWellFormed())]
    const { rows } = yield { sql: this.#selectOne, parameters }
    const [row] = rows
    return row === undefined ? null : this.documentFrom(row)
  }

  /** A document from its row of `shownColumns`. */
  documentFrom(row: Row): Document {
    const [position, version, id = null, light, heavy = null] = row
    return heavy === null
      ? this.#cache.documentOf(Number(position), Number(version), this.#dialect.nameFrom(id), textIn(light))
      : {
          id: this.#dialect.nameFrom(id),
          version: Number(version),
          position: Number(position),
          value: readDocument(textIn(light), textIn(heavy)),
        }
  }

  /**
   * The values of keys of the last document of a page: from the document; from its row if an attribute is heavy, or from the
   * table if the document is damaged.
   */
  *#keysAfter(
    keys: readonly KeyColumn[],
    { value, position }: Document,
    row: Row,
  ): Steps<readonly KeyValue[]> {
    if (value === unreadable && keys.length > 0) {
      const { rows } = yield this.#statement(
        (parameters) =>
          `SELECT ${keys.map(({ column }) => column).join(', ')} FROM ${this.#layout.documents} WHERE position = ${parameters.add(position)}`,
      )
      return keys.map(({ type }, i) => keyFrom(type, bytesIn(rows[0]?.[i])))
    }
    let next = fixedColumns
    return keys.map(({ key, type, isHeavy }) =>
      isHeavy ? keyFrom(type, bytesIn(row[next++])) : keyValue(type, value, key),
    )
  }

  /** What the rows of a page meet. */
  #testsOf(
    { instance, conditions, words }: PageQuery,
    { few, list, position, inWordsOrder }: Access,
    column: (name: string) => string,
    parameters: Parameters,
  ): string[] {
    const tests = few === null ? [] : [`d.position IN (${few(parameters)})`]
    tests.push(`${list === null ? 'd' : 'l'}.instance = ${parameters.add(instance)}`)
    if (list !== null) tests.push(`l.text = ${parameters.add(textBytes(list.text))}`)
    for (const condition of conditions)
      if (condition !== list?.condition)
        tests.push(conditionSql(this.#layout, condition, { column, position, instance }, parameters))
    if (words === null) return tests
    const found = words.condition(parameters)
    const isTest = words.table === null || inWordsOrder
    tests.push(
      isTest ? found : `d.position IN (SELECT w.${words.position} FROM ${words.table} AS w WHERE ${found})`,
    )
    return tests
  }

  /** The documents of a page, up to its limits, and where the next one starts. */
  *#pageOf(
    { limit, bytes: maxBytes = Infinity }: Query,
    keys: readonly KeyColumn[],
    rows: readonly Row[],
  ): Steps<Page> {
    const documents: Document[] = []
    for (let size = 0; documents.length < limit && size < maxBytes;) {
      const row = rows[documents.length]
      if (row === undefined) break
      documents.push(this.documentFrom(row))
      const [, , , light, heavy = null] = row
      size += textIn(light).length + (heavy === null ? 0 : textIn(heavy).length)
    }
    const [last, row] = [documents.at(-1), rows[documents.length - 1]]
    if (last === undefined || row === undefined || rows.length <= documents.length)
      return { documents, next: null }
    const values = yield* this.#keysAfter(keys, last, row)
    return { documents, next: cursorAt({ values, position: last.position }) }
  }

  /** A SELECT of rows of a page, which reads them as `access` says. */
  #selectSql(
    { after, from, notIds, order }: Query,
    page: PageQuery,
    access: Access,
    { shown, limit, skip }: { readonly shown: string; readonly limit: number; readonly skip: number },
    parameters: Parameters,
  ): string {
    const { position, list } = access
    const { commitOrder } = this.#dialect
    const copied = new Set(list?.table.copied.map(({ column }) => column))
    const column = (name: string): string => `${copied.has(name) ? 'l' : 'd'}.${name}`
    const tests = this.#testsOf(page, access, column, parameters)
    const ordered: Ordered[] = []
    for (const { key, direction } of page.order)
      ordered.push({ sql: column(columnOf(this.#layout, key).column), direction })
    ordered.push({ sql: position, direction: page.ties })
    const terms: string[] = []
    for (const { sql, direction } of ordered) terms.push(direction === 'asc' ? sql : `${sql} DESC`)
    if (after !== undefined) {
      const place = placeIn(after, page.order.length)
      tests.push(
        afterPlace(ordered, [...place.values.map(keyBytes), place.position], this.#dialect, parameters),
      )
    }
    if (notIds !== undefined && notIds.length > 0)
      tests.push(`d.id NOT IN (${idsSql(notIds, this.#dialect, parameters)})`)
    if (from !== undefined) tests.push(`${position} >= ${parameters.add(from)}`)
    // Not `page.order`, which lacks the keys that filters fix.
    if (this.#layout.collection.inCommitOrder === true && order.length === 0 && commitOrder !== null)
      tests.push(`${position} < ${commitOrder.settled}`)
    return `SELECT ${shown} FROM ${access.from} WHERE ${tests.join(' AND ')} ORDER BY ${terms.join(', ')} LIMIT ${parameters.add(limit)} OFFSET ${parameters.add(skip)}`
  }

  /** Selects the positions of the first rows of each access. */
  #firstOfEach(query: Query, page: PageQuery, accesses: readonly Access[], limit: number): SelectPositions {
    return (parameters) =>
      accesses
        .map((access) => {
          const limits = { shown: access.position, limit, skip: 0 }
          return `SELECT * FROM (${this.#selectSql(query, page, access, limits, parameters)}) AS page`
        })
        .join(' UNION ALL ')
  }

  *find(instance: number, query: Query): Steps<Page> {
    const selected = yield* this.#access.selectedBy(instance, query)
    if (selected === null) return noDocuments
    const order = queryOrder(this.#layout.collection, query.order, selected.conditions)
    const ties = tieDirection(query)
    const page: PageQuery = { ...selected, order, ties }
    const accesses = yield* this.#access.accessesOf(page)

    const keys: KeyColumn[] = []
    let shown: string = shownColumns[query.detail]
    for (const { key } of order) {
      const own = columnOf(this.#layout, key)
      keys.push(own)
      if (own.isHeavy) shown += `, d.${own.column}`
    }
    const parameters = new Parameters(this.#dialect.placeholder)
    const [limit, { skip }] = [query.limit + 1, query]
    const limits = { shown, limit, skip }
    const [first, ...others] = accesses
    const sql =
      first === undefined || others.length > 0
        ? this.#selectSql(
            query,
            { ...page, conditions: [] },
            this.#access.byPositions(this.#firstOfEach(query, page, accesses, limit + skip)),
            limits,
            parameters,
          )
        : this.#selectSql(query, page, first, limits, parameters)
    const { rows } = yield { sql, parameters: parameters.values }
    return yield* this.#pageOf(query, keys, rows)
  }

  *findTexts(
    instance: number,
    { key, range, where, after, skip, limit, detail }: TextsQuery,
  ): Steps<TextsPage> {
    const layout = this.#layout
    const { collection } = layout
    requireTexts(collection, key, range)
    const list = layout.lists.get(key)
    const conditions = queryConditions(collection, where)
    if (conditions === null || list === undefined) return { texts: [], next: null }
    const parameters = new Parameters(this.#dialect.placeholder)
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
      tests.push(
        afterPlace(ordered, [...place.values.map(keyBytes), place.position], this.#dialect, parameters),
      )
    }
    const { rows } = yield {
      sql: `SELECT ${shownColumns[detail]}, ${this.#dialect.textSql('l.text')} FROM ${list.table} AS l JOIN ${layout.documents} AS d ON d.position = l.position WHERE ${tests.join(' AND ')} ORDER BY l.text, l.position LIMIT ${parameters.add(limit + 1)} OFFSET ${parameters.add(skip)}`,
      parameters: parameters.values,
    }
    const shown = rows.slice(0, limit)
    const texts = shown.map((row) => ({
      text: this.#dialect.nameFrom(row[fixedColumns] ?? null),
      document: this.documentFrom(row),
    }))
    const last = texts.at(-1)
    return {
      texts,
      next:
        last === undefined || rows.length <= limit
          ? null
          : cursorAt({ values: [last.text], position: last.document.position }),
    }
  }
}
