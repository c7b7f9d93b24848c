/**
 * The document store on one SQLite file, for a service on one machine. Reads run on the calling thread; writes run in a
 * separate thread that commits them in groups. Several processes may use one file.
 */
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { E, type Either, type TaskEither } from '@publishing-service/domain/fp'
import {
  type Collection,
  type DocumentStore,
  documentText,
  keyTextTooLong,
  portFailure,
  storageFull,
  type Replacement,
} from '@publishing-service/ports'
import type {
  Document,
  PortFailure,
  UniqueConflict,
  VersionConflict,
  WriteFailure,
} from '@publishing-service/ports'
import { type CollectionLayout, layoutsOf } from './collection-layout.js'
import { documentReader } from './document-reader.js'
import { keyColumnNames, keyValues } from './key-values.js'
import { openReader } from './open-connection.js'
import { part, sqliteFailure } from './sqlite-failure.js'
import { searchesOf } from './search-entries.js'
import { storageReserve } from './storage-reserve.js'
import { migrateSchema, rejectForeignFile } from './migrate-schema.js'
import type { Outcome, WriterSettings } from './writer-messages.js'
import { writerQueue } from './writer-queue.js'

export type SqliteDocumentStoreOptions = {
  /** The path of the database; the file and its folder are created if missing. Not for network file systems. */
  readonly file: string
  readonly collections: readonly Collection[]
  /** The most bytes of a document; 16 MiB by default. */
  readonly largestDocument?: number
  /** The most bytes of the file. Above that, writes fail and removals succeed. No limit by default. */
  readonly largestFile?: number
  /**
   * The most bytes of the write-ahead log while another program reads for a long time; 512 MiB by default. Above that,
   * writes fail, and removals and urgent writes succeed.
   */
  readonly largestLog?: number
  /**
   * Bytes of the storage reserve: a file next to the database that is shortened for removals and urgent writes on a full
   * disk. None by default.
   */
  readonly reserve?: number
  /** Milliseconds that a write waits for the transaction of another process before it fails; 10 000 by default. */
  readonly busyTimeout?: number
}

const versionConflict: VersionConflict = { _tag: 'VersionConflict' }
const uniqueConflict: UniqueConflict = { _tag: 'UniqueConflict' }
const closed = portFailure(part, 'it is closed')

/** Bytes of the storage reserve that each attempt to open the database on a full disk gets. */
const openingStep = 2 * 1024 * 1024

const startWriter = (settings: WriterSettings) => (): Worker =>
  new Worker(new URL('./sqlite-writer.js', import.meta.url), { workerData: settings, name: 'sqlite-writer' })

/** The conflicts that a kind of write can meet. */
type Conflicts<C> = { readonly [outcome in Extract<Outcome, string>]?: C }

const putConflicts: Conflicts<VersionConflict | UniqueConflict> = {
  'version conflict': versionConflict,
  'unique conflict': uniqueConflict,
}

const resultOf = <C = never>(outcome: Outcome, conflicts: Conflicts<C>): Either<PortFailure | C, void> => {
  if (outcome === 'done') return E.right(undefined)
  if (typeof outcome === 'object') {
    if ('full' in outcome) return E.left(storageFull(part, outcome.full))
    if ('failure' in outcome) return E.left(portFailure(part, outcome.failure))
    throw new Error(`SQLite rejected a write: ${outcome.defect}`)
  }
  const conflict = conflicts[outcome]
  if (conflict === undefined) throw new Error(`This write can't meet a ${outcome}`)
  return E.left(conflict)
}

/**
 * Opens the store and migrates its schema to the declared collections. Rejects with an Error that names the file when
 * it can't be opened, or belongs to another program or to another version of this one.
 */
export const sqliteDocumentStore = async (options: SqliteDocumentStoreOptions): Promise<DocumentStore> => {
  const { file, busyTimeout = 10_000, largestFile = null, largestDocument = 16 * 1024 * 1024 } = options
  const layouts = layoutsOf(options.collections)
  const keyColumns = keyColumnNames(layouts.values())
  const { reserve = 0, largestLog = 512 * 1024 * 1024 } = options
  const searches = searchesOf(layouts.values())
  const settings = { file, busyTimeout, largestFile, largestLog, keyColumns, reserve, searches }
  const writer = writerQueue(startWriter(settings))
  const openDatabase = async (): Promise<ReturnType<typeof openReader>> => {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    return openReader(file, rejectForeignFile, (opened) =>
      migrateSchema(opened, [...layouts.values()]),
    ).catch((error: unknown) => {
      // On a full disk, opening needs space of the storage reserve.
      if (!storageReserve(file, reserve).give(openingStep)) throw error
      return openDatabase()
    })
  }
  const database = await openDatabase().catch(async (error: unknown) => {
    await writer.close()
    throw new Error(`The document store can't be opened on ${file}: ${String(error)}`, { cause: error })
  })
  const reader = documentReader(database)
  let isClosed = false
  writer.refreshStatistics()

  const layoutOf = (name: string): CollectionLayout => {
    const layout = layouts.get(name)
    if (layout === undefined) throw new Error(`No collection ${name} was declared to this store`)
    return layout
  }

  const whileOpen =
    <A>(read: () => A): TaskEither<PortFailure, A> =>
    async () => {
      if (isClosed) return E.left(closed)
      try {
        return E.right(reader.inSnapshot(read))
      } catch (error) {
        const failure = sqliteFailure(error)
        if (failure === null) throw error
        return E.left(failure)
      }
    }

  const put = async (
    kind: 'insert' | 'replace',
    collection: string,
    instance: number,
    { id: name, unique: text, value, version, urgent }: Replacement,
  ): Promise<Either<WriteFailure, Document>> => {
    const layout = layoutOf(collection)
    const { table, heavy: heavyNames } = layout
    const { light, heavy, bytes, value: stored } = documentText(value, heavyNames)
    if (bytes > largestDocument) return E.left({ _tag: 'DocumentTooLarge', limit: largestDocument })
    const [id, unique] = [name.toWellFormed(), text?.toWellFormed() ?? null]
    const tooLong = keyTextTooLong(layout.declared, unique, stored)
    if (tooLong !== null) return E.left(tooLong)
    const keys = keyValues(layout, stored)
    const outcome = await writer.submit({
      kind,
      table,
      instance,
      id,
      unique,
      version,
      urgent: urgent === true,
      keys,
      light,
      heavy,
    })
    const result = resultOf(outcome, putConflicts)
    return E.isLeft(result) ? result : E.right({ id, version: version + 1, value: stored })
  }

  return {
    get: (collection, instance, id) =>
      whileOpen(() => reader.get(layoutOf(collection), instance, id.toWellFormed())),
    getMany: (collection, instance, ids, detail) => {
      const names = ids.map((id) => id.toWellFormed())
      return whileOpen(() => reader.getMany(layoutOf(collection), instance, names, detail))
    },
    find: (collection, instance, query) =>
      whileOpen(() => reader.find(layoutOf(collection), instance, query)),
    findTexts: (collection, instance, query) =>
      whileOpen(() => reader.findTexts(layoutOf(collection), instance, query)),
    countGroups: (collection, instance, key, within) =>
      whileOpen(() => reader.countGroups(layoutOf(collection), instance, key, within)),
    insert: (collection, instance, document) => () =>
      put('insert', collection, instance, { ...document, version: 0 }),
    replace: (collection, instance, replacement) => () => put('replace', collection, instance, replacement),
    remove: (collection, instance, id, version) => async () => {
      const { table } = layoutOf(collection)
      const outcome = await writer.submit({ kind: 'remove', table, instance, id: id.toWellFormed(), version })
      return resultOf(outcome, { 'version conflict': versionConflict })
    },
    searchIndex: {
      isComplete: (collection) => whileOpen(() => reader.searchProgress(layoutOf(collection)).isComplete),
      index: (collection) => async () => {
        const layout = layoutOf(collection)
        const indexed = resultOf(await writer.submit({ kind: 'index', table: layout.table }), {})
        return E.isLeft(indexed) ? indexed : whileOpen(() => reader.searchProgress(layout))()
      },
      remove: (collection) => async () =>
        resultOf(await writer.submit({ kind: 'remove index', table: layoutOf(collection).table }), {}),
    },
    check: () => async () => {
      const read = await whileOpen(() => reader.check())()
      if (E.isLeft(read)) return read
      const written = resultOf(await writer.submit({ kind: 'probe', urgent: false }), {})
      if (E.isRight(written) || written.left.storageFull !== true) return written
      const urgent = resultOf(await writer.submit({ kind: 'probe', urgent: true }), {})
      return E.isRight(urgent) ? E.left({ ...written.left, urgentWritesWork: true }) : urgent
    },
    close: () => {
      isClosed = true
      // The writer's connection is closed last: it checkpoints the log, outside the calling thread.
      database.close()
      return writer.close()
    },
  }
}
