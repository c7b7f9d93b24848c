/** The steps of a change in one transaction: of the document, its lists, counts and words, and of appended documents. */
import { createHash } from 'node:crypto'
import { readDocument } from '@publishing-service/ports/document-text'
import type { Dialect, WordsLayout } from './dialect.js'
import {
  differIn,
  endOf,
  type Entries,
  entriesOf,
  listColumns,
  storedEntries,
  valueOfColumn,
  valuesOf,
  without,
} from './entries.js'
import { sameBytes, textBytes } from './key-bytes.js'
import {
  type CollectionLayout,
  type CountTable,
  layoutNamed,
  type Layouts,
  type ListTable,
} from './layout.js'
import { type Parameters, type Parameter, type Statement, statementsWith, type Steps } from './statement.js'
import type { JsonObject } from '@publishing-service/domain/json'

/** A document as texts, which are well-formed Unicode. */
export type DocumentTexts = {
  readonly id: string
  readonly unique: string | null
  readonly light: string
  readonly heavy: string | null
}

/** A change, in the texts of its document. */
export type ChangeTexts =
  | { readonly kind: 'insert'; readonly document: DocumentTexts & { readonly position: number } }
  | { readonly kind: 'replace'; readonly document: DocumentTexts & { readonly version: number } }
  | { readonly kind: 'remove'; readonly id: string; readonly version: number }

/** A change of a collection, with the documents that are appended to it. */
export type WriteTexts = {
  readonly collection: string
  readonly instance: number
  readonly change: ChangeTexts
  readonly appended: readonly InsertTexts[]
}

export type InsertTexts = {
  readonly collection: string
  readonly instance: number
  readonly document: DocumentTexts & { readonly position: number }
}

/** The outcome of a change. A conflict has changed nothing; a change has the position of its document. */
export type Outcome = { readonly position: number } | 'version conflict' | 'unique conflict'

/** Rows that one statement inserts. */
const rowsAtOnce = 100

const batches = <A>(all: readonly A[]): readonly (readonly A[])[] =>
  Array.from({ length: Math.ceil(all.length / rowsAtOnce) }, (_, i) =>
    all.slice(i * rowsAtOnce, (i + 1) * rowsAtOnce),
  )

const compareRows = (a: readonly Uint8Array[], b: readonly Uint8Array[]): number => {
  for (const [i, bytes] of a.entries()) {
    const difference = Buffer.compare(bytes, b[i] ?? bytes)
    if (difference !== 0) return difference
  }
  return 0
}

/** Identifies the searched texts of a document. */
const digestOf = ({ searched }: WordsLayout, value: JsonObject): string =>
  createHash('sha1')
    .update(JSON.stringify(searched.map(({ name }) => value[name] ?? null)))
    .digest('base64')
    .slice(0, 12)

/** What is stored of a document that is changed. */
type Stored = {
  readonly position: number
  readonly unique: string | null
  readonly entries: Entries
  readonly digest: string | null
}

type Target = { readonly layout: CollectionLayout; readonly instance: number; readonly position: number }

export type WriteSteps = {
  readonly write: (write: WriteTexts) => Steps<Outcome>
  /** Inserts a document with this version, which a migration reads from other tables. */
  readonly insert: (insert: InsertTexts, version: number) => Steps<Outcome>
}

export const writeSteps = (dialect: Dialect, layouts: Layouts): WriteSteps => {
  const { insertIfFree, insertOrAdd, lockRow, nameParameter, nameFrom, words } = dialect

  const statement = statementsWith(dialect.placeholder)
  const blind = (write: (parameters: Parameters) => string): Statement => ({
    ...statement(write),
    isBlind: true,
  })

  function* insertRows(
    rows: readonly (readonly Parameter[])[],
    insertOf: (values: string) => string,
  ): Steps<void> {
    for (const batch of batches(rows))
      yield blind((parameters) => insertOf(batch.map((row) => `(${parameters.addAll(row)})`).join(', ')))
  }

  function* insertList(
    { instance, position }: Target,
    { table, hasEnds, copied }: ListTable,
    texts: readonly string[],
    entries: Entries,
  ): Steps<void> {
    const columns = [
      'instance',
      'text',
      'position',
      ...(hasEnds ? ['ends'] : []),
      ...copied.map(({ column }) => column),
    ]
    const copies = valuesOf(entries, copied)
    const rows = texts.map((text) => [
      instance,
      textBytes(text),
      position,
      ...(hasEnds ? [endOf(text)] : []),
      ...copies,
    ])
    yield* insertRows(rows, (values) => `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${values}`)
  }

  function* deleteList({ instance, position }: Target, table: string, texts: readonly string[]): Steps<void> {
    for (const batch of batches(texts))
      yield blind(
        (parameters) =>
          `DELETE FROM ${table} WHERE instance = ${parameters.add(instance)} AND position = ${parameters.add(position)} AND text IN (${parameters.addAll(batch.map(textBytes))})`,
      )
  }

  /** Deletes the counts of texts in the group of a document that have become zero. */
  function* deleteEmptyCounts(
    instance: number,
    { table, columns }: CountTable,
    texts: readonly string[],
    group: readonly Uint8Array[],
  ): Steps<void> {
    for (const batch of batches(texts))
      yield blind((parameters) => {
        const tests = [
          `instance = ${parameters.add(instance)}`,
          ...columns.map(({ column }, i) => `${column} = ${parameters.add(group[i] ?? null)}`),
          `text IN (${parameters.addAll(batch.map(textBytes))})`,
        ]
        return `DELETE FROM ${table} WHERE ${tests.join(' AND ')} AND documents <= 0`
      })
  }

  function* changeCounts(
    { layout, instance }: Target,
    before: Entries | null,
    after: Entries | null,
  ): Steps<void> {
    for (const table of layout.counts) {
      const old = before?.lists.get(table.key) ?? []
      const current = after?.lists.get(table.key) ?? []
      const moves = before !== null && after !== null && differIn(before, after, table.columns)
      const gone = moves ? old : without(old, current)
      const come = moves ? current : without(current, old)
      const group = before === null ? [] : valuesOf(before, table.columns)
      const newGroup = after === null ? [] : valuesOf(after, table.columns)
      const rows = [
        ...gone.map((text) => ({ row: [...group, textBytes(text)], step: -1 })),
        ...come.map((text) => ({ row: [...newGroup, textBytes(text)], step: 1 })),
      ]
      const names = ['instance', ...table.columns.map(({ column }) => column), 'text']
      // In one order, so that of two writers one waits for the other, and not each for the other.
      yield* insertRows(
        rows.toSorted((a, b) => compareRows(a.row, b.row)).map(({ row, step }) => [instance, ...row, step]),
        (values) => insertOrAdd(table.table, names.join(', '), values),
      )
      yield* deleteEmptyCounts(instance, table, gone, group)
    }
  }

  function* changeLists(target: Target, before: Entries | null, after: Entries | null): Steps<void> {
    for (const list of target.layout.lists.values()) {
      const old = before?.lists.get(list.key) ?? []
      const current = after?.lists.get(list.key) ?? []
      const moves = before !== null && after !== null && differIn(before, after, list.copied)
      yield* deleteList(target, list.table, moves ? old : without(old, current))
      if (after !== null) yield* insertList(target, list, moves ? current : without(current, old), after)
    }
  }

  function* insert(
    { collection, instance, document }: InsertTexts,
    version: number,
    counts: Steps<void>[],
  ): Steps<Outcome> {
    const layout = layoutNamed(layouts, collection)
    const value = readDocument(document.light, document.heavy)
    const entries = entriesOf(layout, value)
    const id = nameParameter(document.id)
    const unique = document.unique === null ? null : nameParameter(document.unique)
    const columns: [string, Parameter][] = [
      ['instance', instance],
      ['id', id],
      ['version', version],
      ['unique_text', unique],
      ...entries.keys,
      ...listColumns(layout, entries),
      ...(layout.words === null ? [] : [['searched', digestOf(layout.words, value)] as [string, Parameter]]),
      ['light', document.light],
      ['heavy', document.heavy],
    ]
    let { position } = document
    for (;;) {
      const row: readonly (readonly [string, Parameter])[] = [['position', position], ...columns]
      const { changes } = yield statement((parameters) =>
        insertIfFree(
          layout.documents,
          row.map(([name]) => name).join(', '),
          `(${parameters.addAll(row.map(([, column]) => column))})`,
        ),
      )
      if (changes === 1) break
      const { rows } = yield statement(
        (parameters) =>
          `SELECT id FROM ${layout.documents} WHERE instance = ${parameters.add(instance)} AND (id = ${parameters.add(id)} OR unique_text = ${parameters.add(unique)})`,
      )
      if (rows.some(([found = null]) => nameFrom(found) === document.id)) return 'version conflict'
      if (rows.length > 0) return 'unique conflict'
      position += 1
    }
    const target = { layout, instance, position }
    yield* changeLists(target, null, entries)
    counts.push(changeCounts(target, null, entries))
    if (layout.words !== null) yield* words.put(layout.words, instance, position, value)
    return { position }
  }

  /**
   * The stored document, locked; null if it has another version or does not exist. The database compares the keys with those
   * that it will have, and returns only those that differ, which takes a third of the time.
   */
  function* stored(
    layout: CollectionLayout,
    instance: number,
    id: string,
    version: number,
    next: Entries | null,
  ): Steps<Stored | null> {
    const { rows } = yield statement((parameters) => {
      const columns = [
        'position',
        'version',
        'unique_text',
        layout.words === null ? 'NULL' : 'searched',
        ...Array.from(layout.keys.values(), (key) =>
          next === null ? key.column : `NULLIF(${key.column}, ${parameters.add(valueOfColumn(next, key))})`,
        ),
        ...Array.from(layout.lists.values(), ({ column }) => column),
      ]
      return `SELECT ${columns.join(', ')} FROM ${layout.documents} WHERE instance = ${parameters.add(instance)} AND id = ${parameters.add(nameParameter(id))}${lockRow}`
    })
    const [row] = rows
    if (row === undefined || Number(row[1]) !== version) return null
    const [position, , unique = null, digest = null, ...rest] = row
    return {
      position: Number(position),
      unique: unique === null ? null : nameFrom(unique),
      digest: digest === null ? null : nameFrom(digest),
      entries: storedEntries(layout, rest, next),
    }
  }

  function* replace(
    { collection, instance }: Pick<WriteTexts, 'collection' | 'instance'>,
    document: DocumentTexts & { readonly version: number },
    counts: Steps<void>[],
  ): Steps<Outcome> {
    const layout = layoutNamed(layouts, collection)
    const value = readDocument(document.light, document.heavy)
    const entries = entriesOf(layout, value)
    const before = yield* stored(layout, instance, document.id, document.version, entries)
    if (before === null) return 'version conflict'
    const { position } = before
    const changed: [string, Parameter][] = []
    if (document.unique !== before.unique) {
      const unique = document.unique === null ? null : nameParameter(document.unique)
      const { rows } = yield statement(
        (parameters) =>
          `SELECT position FROM ${layout.documents} WHERE instance = ${parameters.add(instance)} AND unique_text = ${parameters.add(unique)}`,
      )
      if (rows.length > 0) return 'unique conflict'
      changed.push(['unique_text', unique])
    }
    // Only columns that change: a database writes every index over a column that is set.
    for (const column of layout.keys.values()) {
      const current = valueOfColumn(entries, column)
      if (!sameBytes(current, valueOfColumn(before.entries, column))) changed.push([column.column, current])
    }
    const oldLists = new Map(listColumns(layout, before.entries))
    for (const [column, list] of listColumns(layout, entries))
      if (list !== oldLists.get(column)) changed.push([column, list])
    const digest = layout.words === null ? null : digestOf(layout.words, value)
    const isOtherText = digest !== before.digest
    if (digest !== null && isOtherText) changed.push(['searched', nameParameter(digest)])
    const all: readonly (readonly [string, Parameter])[] = [
      ['version', document.version + 1],
      ...changed,
      ['light', document.light],
      ['heavy', document.heavy],
    ]
    yield blind(
      (parameters) =>
        `UPDATE ${layout.documents} SET ${all.map(([name, column]) => `${name} = ${parameters.add(column)}`).join(', ')} WHERE position = ${parameters.add(position)}`,
    )
    const target = { layout, instance, position }
    yield* changeLists(target, before.entries, entries)
    counts.push(changeCounts(target, before.entries, entries))
    if (layout.words !== null && isOtherText) yield* words.put(layout.words, instance, position, value)
    return { position }
  }

  function* remove(
    { collection, instance }: Pick<WriteTexts, 'collection' | 'instance'>,
    id: string,
    version: number,
    counts: Steps<void>[],
  ): Steps<Outcome> {
    const layout = layoutNamed(layouts, collection)
    const before = yield* stored(layout, instance, id, version, null)
    if (before === null) return 'version conflict'
    const { position, entries } = before
    yield blind(
      (parameters) => `DELETE FROM ${layout.documents} WHERE position = ${parameters.add(position)}`,
    )
    const target = { layout, instance, position }
    yield* changeLists(target, entries, null)
    counts.push(changeCounts(target, entries, null))
    if (layout.words !== null) yield* words.remove(layout.words, instance, position)
    return { position }
  }

  function* change({ change: requested, ...at }: WriteTexts, counts: Steps<void>[]): Steps<Outcome> {
    switch (requested.kind) {
      case 'insert':
        return yield* insert({ ...at, document: requested.document }, 1, counts)
      case 'replace':
        return yield* replace(at, requested.document, counts)
      case 'remove':
        return yield* remove(at, requested.id, requested.version, counts)
    }
  }

  return {
    *insert(each, version) {
      const counts: Steps<void>[] = []
      const outcome = yield* insert(each, version, counts)
      for (const steps of counts) yield* steps
      return outcome
    },
    *write(write) {
      // Last, because other writers wait for the rows of counts until the commit.
      const counts: Steps<void>[] = []
      const outcome = yield* change(write, counts)
      // An id that exists was appended by an earlier attempt.
      if (typeof outcome === 'object') for (const each of write.appended) yield* insert(each, 1, counts)
      for (const steps of counts) yield* steps
      return outcome
    },
  }
}
