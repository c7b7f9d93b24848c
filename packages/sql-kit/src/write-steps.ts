/** The steps of a write in one transaction: of each document, its lists, counts and words, and of appended documents. */
import type { JsonObject } from '@publishing-service/domain/json'
import { searchLevels } from '@publishing-service/domain/search'
import { type Expectation, idOfChange, type NewDocument, type NextPosition } from '@publishing-service/ports'
import { readDocument } from '@publishing-service/ports/document-text'
import { type CountChange, countSteps } from './count-steps.js'
import type { Dialect } from './dialect.js'
import {
  changedLevels,
  differIn,
  documentColumns,
  type DocumentTexts,
  type Entries,
  entriesOf,
  listColumns,
  listRows,
  searchedDigests,
  storedEntries,
  valueOfColumn,
  without,
} from './entries.js'
import {
  padded,
  sameBytes,
  textBytes,
  type Parameter,
  type Parameters,
  plainStatement,
  type Steps,
} from './statement.js'
import { type CollectionLayout, layoutNamed, type Layouts, layoutsTable, type ListTable } from './layout.js'
import { pageAccess } from './page-access.js'
import { batches, rowSteps } from './row-steps.js'
import { selectionSteps, type SelectionSteps } from './selection-steps.js'

/** A new document in its texts, with its position and version. */
type NewTexts = DocumentTexts & Required<Pick<NewDocument, 'position' | 'version'>>

/** A change, in the texts of its document, or an expectation. */
export type ChangeTexts = { readonly collection: string } & (
  | { readonly kind: 'insert'; readonly document: NewTexts }
  | { readonly kind: 'replace'; readonly document: DocumentTexts & { readonly version: number } }
  | { readonly kind: 'remove'; readonly id: string; readonly version: number }
  | Expectation
)

/** The changes of a write, with the documents that are appended. */
export type WriteTexts = {
  readonly instance: number
  readonly changes: readonly ChangeTexts[]
  readonly appended: readonly InsertTexts[]
  /** Bytes of the documents in UTF-8. */
  readonly bytes: number
}

export type InsertTexts = {
  readonly collection: string
  readonly instance: number
  readonly document: NewTexts
}

/** A conflict of the change with this number, after which the transaction must be rolled back. */
export type Conflict = { readonly conflict: 'version' | 'unique'; readonly change: number }

/** The outcome of a write: the position of the document of each change, 0 of an expectation; or a conflict. */
export type Outcome = { readonly positions: readonly number[] } | Conflict

/** A change with its number among those of its write. */
type Numbered<K extends ChangeTexts['kind'] = ChangeTexts['kind']> = Extract<
  ChangeTexts,
  { readonly kind: K }
> & {
  readonly number: number
}

/** Documents of one collection that are expected, or another change. */
type LockedTogether =
  | { readonly expected: readonly [Numbered<'expect'>, ...Numbered<'expect'>[]] }
  | { readonly changed: Numbered<Exclude<ChangeTexts['kind'], 'expect'>> }

/**
 * The changes in the order in which every write locks their documents, so that two writes wait for each other in few cases;
 * what must not exist comes last.
 */
const inLockOrder = (changes: readonly ChangeTexts[]): readonly LockedTogether[] => {
  const numbered = changes.map((change, number): Numbered => ({ ...change, number }))
  const documents = numbered.flatMap((change) =>
    change.kind === 'expect none' ? [] : [{ change, key: `${change.collection}/${idOfChange(change)}` }],
  )
  const groups: LockedTogether[] = []
  let expected: [Numbered<'expect'>, ...Numbered<'expect'>[]] | null = null
  for (const { change } of documents.toSorted((a, b) => (a.key < b.key ? -1 : 1)))
    if (change.kind !== 'expect') {
      groups.push({ changed: change })
      expected = null
    } else if (expected?.[0].collection === change.collection) expected.push(change)
    else groups.push({ expected: (expected = [change]) })
  for (const change of numbered) if (change.kind === 'expect none') groups.push({ changed: change })
  return groups
}

/** The position of a document, or why it can't be changed. */
type Changed = number | Conflict['conflict']

/** What is stored of a document that is changed. */
type Stored = {
  readonly position: number
  readonly unique: string | null
  readonly entries: Entries
  readonly searched: string | null
}

/** The columns of a document that is inserted, its row at a position, and what it is made of. */
type NewRow = {
  readonly value: JsonObject
  readonly entries: Entries
  readonly names: string
  readonly rowAt: (position: string, parameters: Parameters) => string
}

type Target = { readonly layout: CollectionLayout; readonly instance: number; readonly position: number }

/** What a write has done so far. */
type Done = {
  /** Changes of counts, which are written last: other writers wait for their rows until the commit. */
  readonly counts: CountChange[]
  /** The number of documents that it has inserted in the order of commits. */
  inCommitOrder: number
  /** Whether an insertion that violates a unique index may fail, so that the write is repeated. */
  readonly mayFail: boolean
}

export type WriteSteps = {
  /**
   * Where errors end transactions, a write that violates a unique index fails if it is not `isRepeated`: it is sent in one
   * packet. Repeated, it returns the conflict, or inserts the document at another position.
   */
  readonly write: (write: WriteTexts, isRepeated?: boolean) => Steps<Outcome>
}

export const writeSteps = (dialect: Dialect, layouts: Layouts): WriteSteps => {
  const { insertIfFree, lockRow, shareRow, nameParameter, nameFrom, words } = dialect

  const { statement, blind, insertRows } = rowSteps(dialect.placeholder)
  const { changeCounts } = countSteps(dialect)

  const counts = new Map<string, SelectionSteps['count']>()

  /** Counts what is selected of a collection, made at the first expectation of it. */
  const countOf = (layout: CollectionLayout): SelectionSteps['count'] => {
    const found =
      counts.get(layout.name) ?? selectionSteps(layout, dialect, pageAccess(layout, dialect)).count
    counts.set(layout.name, found)
    return found
  }

  function* insertList(
    { instance, position }: Target,
    list: ListTable,
    texts: readonly string[],
    entries: Entries,
  ): Steps<void> {
    const { columns, rows } = listRows(list, instance, position, texts, entries)
    yield* insertRows(rows, (values) => `INSERT INTO ${list.table} (${columns.join(', ')}) VALUES ${values}`)
  }

  function* deleteList({ instance, position }: Target, table: string, texts: readonly string[]): Steps<void> {
    for (const batch of batches(texts))
      yield blind(
        (parameters) =>
          `DELETE FROM ${table} WHERE instance = ${parameters.add(instance)} AND position = ${parameters.add(position)} AND text IN (${parameters.addAll(batch.map(textBytes))})`,
      )
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

  /** The next position, or an expression for it. */
  function* nextPosition(
    { name, documents }: CollectionLayout,
    { atLeast }: NextPosition,
    done: Done,
  ): Steps<number | string> {
    if (dialect.commitOrder !== null) return dialect.commitOrder.position(done.inCommitOrder++)
    // Others that insert at the next position wait for the commit.
    if (lockRow !== '')
      yield blind(
        (parameters) => `SELECT name FROM ${layoutsTable} WHERE name = ${parameters.add(name)}${lockRow}`,
      )
    const { rows } = yield plainStatement(`SELECT MAX(position) FROM ${documents}`)
    return Math.max(atLeast, Number(rows[0]?.[0]) + 1)
  }

  const newRow = (layout: CollectionLayout, { instance, document }: InsertTexts): NewRow => {
    const value = readDocument(document.light, document.heavy)
    const entries = entriesOf(layout, value)
    const { version } = document
    const columns = documentColumns(layout, dialect, { instance, version, document, value, entries })
    return {
      value,
      entries,
      names: ['position', ...columns.map(([name]) => name)].join(', '),
      rowAt: (position, parameters) =>
        `(${position}, ${parameters.addAll(columns.map(([, column]) => column))})`,
    }
  }

  /** Inserts the row of a document at its position, or the next free one. */
  function* insertFree(
    { names, rowAt }: NewRow,
    { documents }: CollectionLayout,
    { instance, document }: InsertTexts,
    wanted: number | string,
  ): Steps<Changed> {
    const id = nameParameter(document.id)
    const unique = document.unique === null ? null : nameParameter(document.unique)
    for (let attempted = 0; ; attempted += 1) {
      const { changes, rows: returned } = yield statement((parameters) => {
        const position = typeof wanted === 'number' ? parameters.add(wanted + attempted) : wanted
        return `${insertIfFree(documents, names, rowAt(position, parameters))}${typeof wanted === 'number' ? '' : ' RETURNING position'}`
      })
      if (changes === 1) return typeof wanted === 'number' ? wanted + attempted : Number(returned[0]?.[0])
      const { rows } = yield statement(
        (parameters) =>
          `SELECT id FROM ${documents} WHERE instance = ${parameters.add(instance)} AND (id = ${parameters.add(id)} OR unique_text = ${parameters.add(unique)})`,
      )
      if (rows.some(([found = null]) => nameFrom(found) === document.id)) return 'version'
      if (rows.length > 0) return 'unique'
    }
  }

  function* insert(inserted: InsertTexts, done: Done): Steps<Changed> {
    const { instance, document } = inserted
    const layout = layoutNamed(layouts, inserted.collection)
    const row = newRow(layout, inserted)
    let position: Changed
    if (done.mayFail && typeof document.position === 'number') {
      const { position: wanted } = document
      yield blind(
        (parameters) =>
          `INSERT INTO ${layout.documents} (${row.names}) VALUES ${row.rowAt(parameters.add(wanted), parameters)}`,
      )
      position = wanted
    } else {
      const wanted =
        typeof document.position === 'number'
          ? document.position
          : yield* nextPosition(layout, document.position, done)
      position = yield* insertFree(row, layout, inserted, wanted)
      if (typeof position !== 'number') return position
    }
    yield* changeLists({ layout, instance, position }, null, row.entries)
    done.counts.push({ layout, instance, before: null, after: row.entries })
    if (layout.words !== null) yield* words.put(layout.words, instance, position, row.value, searchLevels)
    return position
  }

  /**
   * Appends a document. An id that exists was appended by an earlier attempt. Where nothing else depends on the position, the
   * commit is sent without waiting for it.
   */
  function* append(appended: InsertTexts, done: Done): Steps<void> {
    const { commitOrder } = dialect
    const layout = layoutNamed(layouts, appended.collection)
    const isAlone = layout.lists.size === 0 && layout.counts.length === 0 && layout.words === null
    if (commitOrder === null || typeof appended.document.position === 'number' || !isAlone) {
      yield* insert(appended, done)
      return
    }
    const { names, rowAt } = newRow(layout, appended)
    const position = commitOrder.position(done.inCommitOrder++)
    yield blind((parameters) => commitOrder.insertOnce(layout.documents, names, rowAt(position, parameters)))
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
    const [position, , unique = null, searched = null, ...rest] = row
    return {
      position: Number(position),
      unique: unique === null ? null : nameFrom(unique),
      searched: searched === null ? null : nameFrom(searched),
      entries: storedEntries(layout, rest, next),
    }
  }

  function* replace(
    layout: CollectionLayout,
    instance: number,
    document: DocumentTexts & { readonly version: number },
    done: Done,
  ): Steps<Changed> {
    const value = readDocument(document.light, document.heavy)
    const entries = entriesOf(layout, value)
    const before = yield* stored(layout, instance, document.id, document.version, entries)
    if (before === null) return 'version'
    const { position } = before
    const changed: [string, Parameter][] = []
    if (document.unique !== before.unique) {
      const unique = document.unique === null ? null : nameParameter(document.unique)
      const { rows } = yield statement(
        (parameters) =>
          `SELECT position FROM ${layout.documents} WHERE instance = ${parameters.add(instance)} AND unique_text = ${parameters.add(unique)}`,
      )
      if (rows.length > 0) return 'unique'
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
    const searched = layout.words === null ? null : searchedDigests(layout.words, value)
    const levels = searched === null ? [] : changedLevels(before.searched, searched)
    if (searched !== null && levels.length > 0) changed.push(['searched', nameParameter(searched)])
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
    done.counts.push({ layout, instance, before: before.entries, after: entries })
    if (layout.words !== null && levels.length > 0)
      yield* words.put(layout.words, instance, position, value, levels)
    return position
  }

  function* remove(
    layout: CollectionLayout,
    instance: number,
    id: string,
    version: number,
    done: Done,
  ): Steps<Changed> {
    const before = yield* stored(layout, instance, id, version, null)
    if (before === null) return 'version'
    const { position, entries } = before
    yield blind(
      (parameters) => `DELETE FROM ${layout.documents} WHERE position = ${parameters.add(position)}`,
    )
    const target = { layout, instance, position }
    yield* changeLists(target, entries, null)
    done.counts.push({ layout, instance, before: entries, after: null })
    if (layout.words !== null) yield* words.remove(layout.words, instance, position)
    return position
  }

  /** Whether the documents exist in the expected versions; they keep them until the end of the transaction. */
  function* expectVersions(
    { documents }: CollectionLayout,
    instance: number,
    expected: readonly Numbered<'expect'>[],
  ): Steps<number | null> {
    const { rows } = yield statement(
      (parameters) =>
        `SELECT id, version FROM ${documents} WHERE instance = ${parameters.add(instance)} AND id IN (${parameters.addAll(padded(expected.map(({ id }) => nameParameter(id))))})${shareRow === '' ? '' : ` ORDER BY id${shareRow}`}`,
    )
    const versions = new Map(rows.map(([id = null, version]) => [nameFrom(id), Number(version)]))
    const failed = expected.find(({ id, version }) => {
      const found = versions.get(id)
      return found === undefined || (version !== null && found !== version)
    })
    return failed?.number ?? null
  }

  function* change(
    instance: number,
    requested: Numbered<Exclude<ChangeTexts['kind'], 'expect'>>,
    done: Done,
  ): Steps<Changed> {
    const { collection } = requested
    const layout = layoutNamed(layouts, collection)
    switch (requested.kind) {
      case 'insert':
        return yield* insert({ collection, instance, document: requested.document }, done)
      case 'replace':
        return yield* replace(layout, instance, requested.document, done)
      case 'remove':
        return yield* remove(layout, instance, requested.id, requested.version, done)
      case 'expect none':
        return (yield* countOf(layout)(instance, requested.selection, 1)) === 0 ? 0 : 'version'
    }
  }

  function* changeAll(instance: number, changes: readonly ChangeTexts[], done: Done): Steps<Outcome> {
    const positions = changes.map(() => 0)
    for (const group of inLockOrder(changes))
      if ('expected' in group) {
        const layout = layoutNamed(layouts, group.expected[0].collection)
        const failed = yield* expectVersions(layout, instance, group.expected)
        if (failed !== null) return { conflict: 'version', change: failed }
      } else {
        const { number } = group.changed
        const changed = yield* change(instance, group.changed, done)
        if (typeof changed !== 'number') return { conflict: changed, change: number }
        positions[number] = changed
      }
    return { positions }
  }

  return {
    *write(write, isRepeated = false) {
      const mayFail = dialect.errorsEndTransactions === 'all' && !isRepeated
      const done: Done = { counts: [], inCommitOrder: 0, mayFail }
      const outcome = yield* changeAll(write.instance, write.changes, done)
      if ('conflict' in outcome) return outcome
      for (const each of write.appended) yield* append(each, done)
      for (const each of done.counts) yield* changeCounts(each)
      return outcome
    },
  }
}
