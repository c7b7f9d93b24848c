/** The statements of reads: one for each. */
import type { Json } from '@publishing-service/domain/json'
import type { Order } from '@publishing-service/domain/lists'
import {
  type Condition,
  type Cursor,
  type Document,
  findGroupCount,
  groupOfFilters,
  keyValue,
  type Page,
  plainTypeOf,
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
import { chooseIndex } from './choose-index.js'
import { conditionSql } from './condition-sql.js'
import type { Dialect } from './dialect.js'
import { keyBytes, textBytes, textFrom } from './key-bytes.js'
import type { CollectionLayout, KeyColumn } from './layout.js'
import { Parameters, type Parameter, type Row, type Statement, type Steps } from './statement.js'

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
}

const text = (column: Row[number] | undefined): string => {
  if (typeof column !== 'string') throw new Error('The database returned no text in a column of texts')
  return column
}

const bytes = (column: Row[number] | undefined): Uint8Array => {
  if (!(column instanceof Uint8Array)) throw new Error('The database returned no bytes in a column of bytes')
  return column
}

/** The number of ids of the statement for this many: few numbers, so that there are few statements. */
const roundedUp = (count: number): number => 2 ** Math.ceil(Math.log2(count))

/** A place as a cursor: the bytes of its keys, and the position. */
const cursorOf = (values: readonly Uint8Array[], position: number): Cursor => [
  ...values.map((value) => Buffer.from(value).toString('base64')),
  position,
]

type Place = { readonly values: readonly Uint8Array[]; readonly position: number }

const placeOf = (cursor: Cursor, keys: number): Place => {
  const parts: readonly unknown[] = Array.isArray(cursor) ? cursor : []
  const values = parts.slice(0, -1).filter((part) => typeof part === 'string')
  const position = parts.at(-1)
  if (values.length !== keys || parts.length !== keys + 1 || typeof position !== 'number')
    throw new Error('The cursor belongs to another query')
  return { values: values.map((value) => Buffer.from(value, 'base64')), position }
}

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
  const { nameParameter, nameFrom, placeholder } = dialect

  const statement = (write: (parameters: Parameters) => string): Statement => {
    const parameters = new Parameters(placeholder)
    return { sql: write(parameters), parameters: parameters.values }
  }

  /** position, version, id, light, heavy. */
  const columnsOf = (detail: Detail): string =>
    `d.position, d.version, d.id, d.light, ${detail === 'full' ? 'd.heavy' : 'NULL'}`

  const documentFrom = ([position, version, id = null, light, heavy = null]: Row): Document => ({
    id: nameFrom(id),
    version: Number(version),
    position: Number(position),
    value: readDocument(text(light), heavy === null ? null : text(heavy)),
  })

  const sizeOf = ([, , , light, heavy = null]: Row): number =>
    text(light).length + (heavy === null ? 0 : text(heavy).length)

  function* getMany(
    layout: CollectionLayout,
    instance: number,
    ids: readonly string[],
    detail: Detail,
  ): Steps<readonly Document[]> {
    const [first] = ids
    if (first === undefined) return []
    // A row is returned once, however often its id is named.
    const named = [...ids, ...Array.from({ length: roundedUp(ids.length) - ids.length }, () => first)]
    const { rows } = yield statement(
      (parameters) =>
        `SELECT ${columnsOf(detail)} FROM ${layout.documents} AS d WHERE d.instance = ${parameters.add(instance)} AND d.id IN (${parameters.addAll(named.map((id) => nameParameter(id.toWellFormed())))})`,
    )
    return rows.map(documentFrom)
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
  ): Steps<readonly Uint8Array[]> {
    if (value === unreadable && columns.length > 0) {
      const { rows } = yield statement(
        (parameters) =>
          `SELECT ${columns.map(({ column }) => column).join(', ')} FROM ${layout.documents} WHERE position = ${parameters.add(position)}`,
      )
      return (rows[0] ?? []).map(bytes)
    }
    let next = fixedColumns
    return columns.map(({ key, type, isHeavy }) =>
      isHeavy ? bytes(row[next++]) : keyBytes(keyValue(type, value, key)),
    )
  }

  function* find(layout: CollectionLayout, instance: number, query: Query): Steps<Page> {
    const { after, skip, limit, detail, words, bytes: maxBytes = Infinity } = query
    const { collection } = layout
    if (words !== undefined) requireSearched(collection)
    const conditions = queryConditions(collection, query.where)
    if (conditions === null) return { documents: [], next: null }
    const order = queryOrder(collection, query.order, conditions)
    const ties = tieDirection(query)
    const keys = order.map(({ key }) => columnNamed(layout, key))
    const chosen = words === undefined ? chooseIndex(layout, conditions, order, ties) : null
    const parameters = new Parameters(placeholder)
    const at = (column: string): string =>
      chosen?.columns.has(column) === true ? `l.${column}` : `d.${column}`
    const list = chosen?.list ?? null
    const documents = `${layout.documents} AS d`
    const readIndex = chosen === null || chosen.index === null ? '' : dialect.readIndex(chosen.index)
    const from =
      list === null
        ? documents + readIndex
        : `${list.table.table} AS l${readIndex} JOIN ${documents} ON d.position = l.position`
    const position = list === null ? 'd.position' : 'l.position'
    const where = [`${list === null ? 'd' : 'l'}.instance = ${parameters.add(instance)}`]
    if (list !== null) where.push(`l.text = ${parameters.add(textBytes(list.text))}`)
    for (const condition of conditions)
      if (condition !== list?.condition)
        where.push(conditionSql(layout, condition, { column: at, position, instance }, parameters))
    if (words !== undefined && layout.words !== null) {
      const matching = yield* dialect.words.condition(layout.words, instance, words, parameters)
      if (matching === null) return { documents: [], next: null }
      where.push(matching)
    }
    const ordered: readonly Ordered[] = [
      ...order.map(({ direction }, i) => ({ sql: at(keys[i]?.column ?? ''), direction })),
      { sql: position, direction: ties },
    ]
    if (after !== undefined) {
      const place = placeOf(after, order.length)
      where.push(afterPlace(ordered, [...place.values, place.position], parameters))
    }
    const heavyKeys = keys.filter(({ isHeavy }) => isHeavy).map(({ column }) => `, d.${column}`)
    const select = `SELECT ${columnsOf(detail)}${heavyKeys.join('')} FROM ${from} WHERE ${where.join(' AND ')} ORDER BY ${orderSql(ordered)} LIMIT ${parameters.add(limit + 1)} OFFSET ${parameters.add(skip)}`
    const { rows } = yield { sql: select, parameters: parameters.values }
    const found: Document[] = []
    for (let size = 0; found.length < limit && size < maxBytes;) {
      const row = rows[found.length]
      if (row === undefined) break
      found.push(documentFrom(row))
      size += sizeOf(row)
    }
    const [last, row] = [found.at(-1), rows[found.length - 1]]
    if (last === undefined || row === undefined || rows.length <= found.length)
      return { documents: found, next: null }
    return { documents: found, next: cursorOf(yield* keysAfter(layout, keys, last, row), last.position) }
  }

  return {
    *get(layout, instance, id) {
      const [found = null] = yield* getMany(layout, instance, [id], 'full')
      return found
    },
    getMany,
    find,
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
        const place = placeOf(after, 1)
        tests.push(afterPlace(ordered, [...place.values, place.position], parameters))
      }
      const { rows } = yield {
        sql: `SELECT ${columnsOf(detail)}, l.text FROM ${list.table} AS l JOIN ${layout.documents} AS d ON d.position = l.position WHERE ${tests.join(' AND ')} ORDER BY ${orderSql(ordered)} LIMIT ${parameters.add(limit + 1)} OFFSET ${parameters.add(skip)}`,
        parameters: parameters.values,
      }
      const shown = rows.slice(0, limit)
      const texts = shown.map((row) => ({
        text: textFrom(bytes(row[fixedColumns])),
        document: documentFrom(row),
      }))
      const last = texts.at(-1)
      return {
        texts,
        next:
          last === undefined || rows.length <= limit
            ? null
            : cursorOf([textBytes(last.text)], last.document.position),
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
        return `SELECT text, documents FROM ${table.table} WHERE ${tests.join(' AND ')}`
      })
      return rows.map(([found, count]) => ({ text: textFrom(bytes(found)), count: Number(count) }))
    },
  }
}

/** The columns of every row of documents. */
const fixedColumns = 5

const columnNamed = ({ collection, keys }: CollectionLayout, key: string): KeyColumn => {
  plainTypeOf(collection, key)
  const column = keys.get(key)
  if (column === undefined) throw new Error(`Collection ${collection.name} has no column of ${key}`)
  return column
}
