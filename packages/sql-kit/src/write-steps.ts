/** The steps of a write in one transaction: of each document, its lists, counts and words, and of appended documents. */
import type { JsonObject } from '@publishing-service/domain/json'
import { searchLevels } from '@publishing-service/domain/search'
import type { NextPosition } from '@publishing-service/ports'
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
import { inLockOrder, type Numbered } from './lock-order.js'
import { pageAccess } from './page-access.js'
import { batches, rowSteps } from './row-steps.js'
import { selectionSteps, type SelectionSteps } from './selection-steps.js'
import type { ChangeTexts, Conflict, InsertTexts, Outcome, WriteTexts } from './write-texts.js'

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

/** The steps of writes in a database. */
export class WriteSteps {
  readonly #dialect: Dialect
  readonly #layouts: Layouts
  readonly #rows: ReturnType<typeof rowSteps>
  readonly #changeCounts: ReturnType<typeof countSteps>['changeCounts']
  /** The steps that count what is selected of a collection, by its name. */
  readonly #counts = new Map<string, SelectionSteps['count']>()

  constructor(dialect: Dialect, layouts: Layouts) {
    this.#dialect = dialect
    this.#layouts = layouts
    this.#rows = rowSteps(dialect.placeholder)
    this.#changeCounts = countSteps(dialect).changeCounts
  }

  /**
   * Where errors end transactions, a write that violates a unique index fails if it is not `isRepeated`: it is sent in one
   * packet. Repeated, it returns the conflict, or inserts the document at another position.
   */
  *write(write: WriteTexts, isRepeated = false): Steps<Outcome> {
    const mayFail = this.#dialect.errorsEndTransactions === 'all' && !isRepeated
    const done: Done = { counts: [], inCommitOrder: 0, mayFail }
    const outcome = yield* this.#changeAll(write.instance, write.changes, done)
    if ('conflict' in outcome) return outcome
    for (const each of write.appended) yield* this.#append(each, done)
    for (const each of done.counts) yield* this.#changeCounts(each)
    return outcome
  }

  /** Counts what is selected of a collection, made at the first expectation of it. */
  #countOf(layout: CollectionLayout): SelectionSteps['count'] {
    const found =
      this.#counts.get(layout.name) ??
      selectionSteps(layout, this.#dialect, pageAccess(layout, this.#dialect)).count
    this.#counts.set(layout.name, found)
    return found
  }

  *#insertList(
    { instance, position }: Target,
    list: ListTable,
    texts: readonly string[],
    entries: Entries,
  ): Steps<void> {
    const { columns, rows } = listRows(list, instance, position, texts, entries)
    yield* this.#rows.insertRows(
      rows,
      (values) => `INSERT INTO ${list.table} (${columns.join(', ')}) VALUES ${values}`,
    )
  }

  *#deleteList({ instance, position }: Target, table: string, texts: readonly string[]): Steps<void> {
    for (const batch of batches(texts))
      yield this.#rows.blind(
        (parameters) =>
          `DELETE FROM ${table} WHERE instance = ${parameters.add(instance)} AND position = ${parameters.add(position)} AND text IN (${parameters.addAll(batch.map(textBytes))})`,
      )
  }

  *#changeLists(target: Target, before: Entries | null, after: Entries | null): Steps<void> {
    for (const list of target.layout.lists.values()) {
      const old = before?.lists.get(list.key) ?? []
      const current = after?.lists.get(list.key) ?? []
      const moves = before !== null && after !== null && differIn(before, after, list.copied)
      yield* this.#deleteList(target, list.table, moves ? old : without(old, current))
      if (after !== null)
        yield* this.#insertList(target, list, moves ? current : without(current, old), after)
    }
  }

  /** The next position, or an expression for it. */
  *#nextPosition(
    { name, documents }: CollectionLayout,
    { atLeast }: NextPosition,
    done: Done,
  ): Steps<number | string> {
    const { commitOrder, lockRow } = this.#dialect
    if (commitOrder !== null) return commitOrder.position(done.inCommitOrder++)
    // Others that insert at the next position wait for the commit.
    if (lockRow !== '')
      yield this.#rows.blind(
        (parameters) => `SELECT name FROM ${layoutsTable} WHERE name = ${parameters.add(name)}${lockRow}`,
      )
    const { rows } = yield plainStatement(`SELECT MAX(position) FROM ${documents}`)
    return Math.max(atLeast, Number(rows[0]?.[0]) + 1)
  }

  #newRow(layout: CollectionLayout, { instance, document }: InsertTexts): NewRow {
    const value = readDocument(document.light, document.heavy)
    const entries = entriesOf(layout, value)
    const { version } = document
    const columns = documentColumns(layout, this.#dialect, { instance, version, document, value, entries })
    return {
      value,
      entries,
      names: ['position', ...columns.map(([name]) => name)].join(', '),
      rowAt: (position, parameters) =>
        `(${position}, ${parameters.addAll(columns.map(([, column]) => column))})`,
    }
  }

  /** Inserts the row of a document at its position, or the next free one. */
  *#insertFree(
    { names, rowAt }: NewRow,
    { documents }: CollectionLayout,
    { instance, document }: InsertTexts,
    wanted: number | string,
  ): Steps<Changed> {
    const id = this.#dialect.nameParameter(document.id)
    const unique = document.unique === null ? null : this.#dialect.nameParameter(document.unique)
    for (let attempted = 0; ; attempted += 1) {
      const { changes, rows: returned } = yield this.#rows.statement((parameters) => {
        const position = typeof wanted === 'number' ? parameters.add(wanted + attempted) : wanted
        return `${this.#dialect.insertIfFree(documents, names, rowAt(position, parameters))}${typeof wanted === 'number' ? '' : ' RETURNING position'}`
      })
      if (changes === 1) return typeof wanted === 'number' ? wanted + attempted : Number(returned[0]?.[0])
      const { rows } = yield this.#rows.statement(
        (parameters) =>
          `SELECT id FROM ${documents} WHERE instance = ${parameters.add(instance)} AND (id = ${parameters.add(id)} OR unique_text = ${parameters.add(unique)})`,
      )
      if (rows.some(([found = null]) => this.#dialect.nameFrom(found) === document.id)) return 'version'
      if (rows.length > 0) return 'unique'
    }
  }

  *#insert(inserted: InsertTexts, done: Done): Steps<Changed> {
    const { instance, document } = inserted
    const layout = layoutNamed(this.#layouts, inserted.collection)
    const row = this.#newRow(layout, inserted)
    let position: Changed
    if (done.mayFail && typeof document.position === 'number') {
      const { position: wanted } = document
      yield this.#rows.blind(
        (parameters) =>
          `INSERT INTO ${layout.documents} (${row.names}) VALUES ${row.rowAt(parameters.add(wanted), parameters)}`,
      )
      position = wanted
    } else {
      const wanted =
        typeof document.position === 'number'
          ? document.position
          : yield* this.#nextPosition(layout, document.position, done)
      position = yield* this.#insertFree(row, layout, inserted, wanted)
      if (typeof position !== 'number') return position
    }
    yield* this.#changeLists({ layout, instance, position }, null, row.entries)
    done.counts.push({ layout, instance, before: null, after: row.entries })
    if (layout.words !== null)
      yield* this.#dialect.words.put(layout.words, instance, position, row.value, searchLevels)
    return position
  }

  /**
   * Appends a document. An id that exists was appended by an earlier attempt. Where nothing else depends on the position, the
   * commit is sent without waiting for it.
   */
  *#append(appended: InsertTexts, done: Done): Steps<void> {
    const { commitOrder } = this.#dialect
    const layout = layoutNamed(this.#layouts, appended.collection)
    const isAlone = layout.lists.size === 0 && layout.counts.length === 0 && layout.words === null
    if (commitOrder === null || typeof appended.document.position === 'number' || !isAlone) {
      yield* this.#insert(appended, done)
      return
    }
    const { names, rowAt } = this.#newRow(layout, appended)
    const position = commitOrder.position(done.inCommitOrder++)
    yield this.#rows.blind((parameters) =>
      commitOrder.insertOnce(layout.documents, names, rowAt(position, parameters)),
    )
  }

  /**
   * The stored document, locked; null if it has another version or does not exist. The database compares the keys with those
   * that it will have, and returns only those that differ, which takes a third of the time.
   */
  *#stored(
    layout: CollectionLayout,
    instance: number,
    id: string,
    version: number,
    next: Entries | null,
  ): Steps<Stored | null> {
    const { rows } = yield this.#rows.statement((parameters) => {
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
      return `SELECT ${columns.join(', ')} FROM ${layout.documents} WHERE instance = ${parameters.add(instance)} AND id = ${parameters.add(this.#dialect.nameParameter(id))}${this.#dialect.lockRow}`
    })
    const [row] = rows
    if (row === undefined || Number(row[1]) !== version) return null
    const [position, , unique = null, searched = null, ...rest] = row
    return {
      position: Number(position),
      unique: unique === null ? null : this.#dialect.nameFrom(unique),
      searched: searched === null ? null : this.#dialect.nameFrom(searched),
      entries: storedEntries(layout, rest, next),
    }
  }

  *#replace(
    layout: CollectionLayout,
    instance: number,
    document: DocumentTexts & { readonly version: number },
    done: Done,
  ): Steps<Changed> {
    const value = readDocument(document.light, document.heavy)
    const entries = entriesOf(layout, value)
    const before = yield* this.#stored(layout, instance, document.id, document.version, entries)
    if (before === null) return 'version'
    const { position } = before
    const changed: [string, Parameter][] = []
    if (document.unique !== before.unique) {
      const unique = document.unique === null ? null : this.#dialect.nameParameter(document.unique)
      const { rows } = yield this.#rows.statement(
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
    if (searched !== null && levels.length > 0)
      changed.push(['searched', this.#dialect.nameParameter(searched)])
    const all: readonly (readonly [string, Parameter])[] = [
      ['version', document.version + 1],
      ...changed,
      ['light', document.light],
      ['heavy', document.heavy],
    ]
    yield this.#rows.blind(
      (parameters) =>
        `UPDATE ${layout.documents} SET ${all.map(([name, column]) => `${name} = ${parameters.add(column)}`).join(', ')} WHERE position = ${parameters.add(position)}`,
    )
    const target = { layout, instance, position }
    yield* this.#changeLists(target, before.entries, entries)
    done.counts.push({ layout, instance, before: before.entries, after: entries })
    if (layout.words !== null && levels.length > 0)
      yield* this.#dialect.words.put(layout.words, instance, position, value, levels)
    return position
  }

  *#remove(
    layout: CollectionLayout,
    instance: number,
    id: string,
    version: number,
    done: Done,
  ): Steps<Changed> {
    const before = yield* this.#stored(layout, instance, id, version, null)
    if (before === null) return 'version'
    const { position, entries } = before
    yield this.#rows.blind(
      (parameters) => `DELETE FROM ${layout.documents} WHERE position = ${parameters.add(position)}`,
    )
    const target = { layout, instance, position }
    yield* this.#changeLists(target, entries, null)
    done.counts.push({ layout, instance, before: entries, after: null })
    if (layout.words !== null) yield* this.#dialect.words.remove(layout.words, instance, position)
    return position
  }

  /** Whether the documents exist in the expected versions; they keep them until the end of the transaction. */
  *#expectVersions(
    { documents }: CollectionLayout,
    instance: number,
    expected: readonly Numbered<'expect'>[],
  ): Steps<number | null> {
    const { rows } = yield this.#rows.statement(
      (parameters) =>
        `SELECT id, version FROM ${documents} WHERE instance = ${parameters.add(instance)} AND id IN (${parameters.addAll(padded(expected.map(({ id }) => this.#dialect.nameParameter(id))))})${this.#dialect.shareRow === '' ? '' : ` ORDER BY id${this.#dialect.shareRow}`}`,
    )
    const versions = new Map(
      rows.map(([id = null, version]) => [this.#dialect.nameFrom(id), Number(version)]),
    )
    const failed = expected.find(({ id, version }) => {
      const found = versions.get(id)
      return found === undefined || (version !== null && found !== version)
    })
    return failed?.number ?? null
  }

  *#change(
    instance: number,
    requested: Numbered<Exclude<ChangeTexts['kind'], 'expect'>>,
    done: Done,
  ): Steps<Changed> {
    const { collection } = requested
    const layout = layoutNamed(this.#layouts, collection)
    switch (requested.kind) {
      case 'insert':
        return yield* this.#insert({ collection, instance, document: requested.document }, done)
      case 'replace':
        return yield* this.#replace(layout, instance, requested.document, done)
      case 'remove':
        return yield* this.#remove(layout, instance, requested.id, requested.version, done)
      case 'expect none':
        return (yield* this.#countOf(layout)(instance, requested.selection, 1)) === 0 ? 0 : 'version'
    }
  }

  *#changeAll(instance: number, changes: readonly ChangeTexts[], done: Done): Steps<Outcome> {
    const positions = changes.map(() => 0)
    for (const group of inLockOrder(changes))
      if ('expected' in group) {
        const layout = layoutNamed(this.#layouts, group.expected[0].collection)
        const failed = yield* this.#expectVersions(layout, instance, group.expected)
        if (failed !== null) return { conflict: 'version', change: failed }
      } else {
        const { number } = group.changed
        const changed = yield* this.#change(instance, group.changed, done)
        if (typeof changed !== 'number') return { conflict: changed, change: number }
        positions[number] = changed
      }
    return { positions }
  }
}
