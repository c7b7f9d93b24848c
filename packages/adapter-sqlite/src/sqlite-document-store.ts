/**
 * The document store on one SQLite file, for a service on one machine. Reads run on the calling thread. Writes run in a
 * separate thread that commits them in groups, and counts in another one. Several processes may use one file.
 */
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Database } from './better-sqlite3.js'
import { E, type Either, type TaskEither } from '@publishing-service/domain/fp'
import {
  type Change,
  type Collection,
  type DocumentStore,
  type MigrationProgress,
  type PortFailure,
  portFailure,
  type Selection,
  storageFull,
} from '@publishing-service/ports'
import {
  type ForeignChanges,
  layoutNamed,
  layoutsOf,
  type Outcome as StepsOutcome,
  sqlDocumentStore,
  sqlSnapshots,
} from '@publishing-service/sql-kit'
import { commitReader } from './commits.js'
import { copyBeforeMigration } from './file-copies.js'
import { migrateFile, rejectForeignFile } from './migrate-file.js'
import { counterThread } from './counter.js'
import { openReader } from './open-connection.js'
import { snapshotReader, sqliteDialect } from './sqlite-dialect.js'
import { closed, part } from './sqlite-failure.js'
import { sqliteSnapshots } from './sqlite-snapshots.js'
import { sqliteWords } from './sqlite-words.js'
import { storageReserve } from './storage-reserve.js'
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
   * only writes that may use the reserve succeed.
   */
  readonly largestLog?: number
  /**
   * Bytes of the storage reserve: a file next to the database that is shortened for some writes on a full disk. None by
   * default.
   */
  readonly reserve?: number
  /** The changes that may use the reserve; removals and expectations by default. */
  readonly mayUseReserve?: (change: Change) => boolean
  /** Called while documents are copied to the tables of changed declarations. */
  readonly onMigration?: (progress: MigrationProgress) => void
  /**
   * Called with the path of a copy of the file, which is made before the file is migrated and replaces that of the migration before.
   * No copy is made by default.
   */
  readonly onCopy?: (path: string) => void
  /** What `reportForeignChanges` calls; nothing by default. */
  readonly foreignChanges?: ForeignChanges
  /** Called with each statement of reads. */
  readonly onStatement?: (sql: string) => void
  /** Milliseconds that a write waits for the transaction of another process before it fails; 10 000 by default. */
  readonly busyTimeout?: number
}

export type SqliteDocumentStore = DocumentStore & {
  /**
   * Reports all changes that were committed until now, by this process and by others on the file. It takes a few microseconds, so
   * it can be called before each use of a cache.
   */
  readonly reportForeignChanges: () => void
}

/** Bytes of the storage reserve that each attempt to open the database on a full disk gets. */
const openingStep = 2 * 1024 * 1024

const startWriter = (settings: WriterSettings) => (): Worker =>
  new Worker(new URL('./sqlite-writer.js', import.meta.url), { workerData: settings, name: 'sqlite-writer' })

/** Throws for a defect. */
const resultOf = (outcome: Outcome): Either<PortFailure, StepsOutcome> => {
  if ('positions' in outcome || 'conflict' in outcome) return E.right(outcome)
  if ('full' in outcome) return E.left(storageFull(part, outcome.full))
  if ('failure' in outcome) return E.left(portFailure(part, outcome.failure))
  throw new Error(`SQLite rejected a write: ${outcome.defect}`)
}

const isNoAddition = ({ kind }: Change): boolean => kind !== 'insert' && kind !== 'replace'

/**
 * Opens the store and migrates the file to the declared collections. Rejects with an Error that names the file when it
 * can't be opened, or belongs to another program or to another version of this one.
 */
export const sqliteDocumentStore = async (
  options: SqliteDocumentStoreOptions,
): Promise<SqliteDocumentStore> => {
  const { file, collections, busyTimeout = 10_000, largestFile = null } = options
  const { reserve = 0, largestLog = 512 * 1024 * 1024, largestDocument = 16 * 1024 * 1024 } = options
  const { mayUseReserve = isNoAddition, onMigration = () => undefined, onCopy, onStatement } = options
  const { foreignChanges } = options
  const words = sqliteWords()
  const dialect = sqliteDialect(words)
  const layouts = layoutsOf(collections, dialect)
  const writer = writerQueue(
    startWriter({ file, busyTimeout, largestFile, largestLog, reserve, collections }),
  )
  const copy = async (): Promise<void> => {
    if (onCopy !== undefined) onCopy(await copyBeforeMigration(file))
  }
  const openDatabase = async (): Promise<Database> => {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    return openReader(file, rejectForeignFile, (opened) =>
      migrateFile(opened, layouts, onMigration, copy),
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
  writer.refreshStatistics()

  const read = snapshotReader(database, onStatement)
  const counter = counterThread(
    { file, collections, sendsStatements: onStatement !== undefined },
    onStatement ?? (() => undefined),
  )
  const unlessClosed =
    <A>(task: TaskEither<PortFailure, A>): TaskEither<PortFailure, A> =>
    async () =>
      database.open ? task() : E.left(closed)

  const snapshots = sqliteSnapshots(file)
  const members = sqlDocumentStore(
    { layouts, dialect, largestDocument },
    {
      read,
      write: async (write, changes) => {
        const written = resultOf(await writer.submit({ kind: 'write', write, urgent: false }))
        const isFull = E.isLeft(written) && written.left.storageFull === true
        if (!isFull || !changes.every(mayUseReserve)) return written
        return resultOf(await writer.submit({ kind: 'write', write, urgent: true }))
      },
    },
  )

  const withIndexedWords =
    <A>(
      collection: string,
      { words: searched }: Pick<Selection, 'words'>,
      find: TaskEither<PortFailure, A>,
    ): TaskEither<PortFailure, A> =>
    async () => {
      if (searched === undefined) return find()
      const found = await read(() => words.areIndexed(layoutNamed(layouts, collection)))()
      if (E.isLeft(found)) return found
      if (found.right) return find()
      // On a full disk, the storage reserve keeps searches possible.
      const indexed = resultOf(
        await writer.submit({ kind: 'index', collection, merges: false, urgent: true }),
      )
      return E.isLeft(indexed) ? indexed : find()
    }

  return {
    ...members,
    reportForeignChanges:
      foreignChanges === undefined ? () => undefined : commitReader(database, foreignChanges),
    find: (collection, instance, query) => {
      const find = members.find(collection, instance, query)
      return query.words === undefined ? find : withIndexedWords(collection, query, find)
    },
    count: (collection, instance, selection, limit) =>
      withIndexedWords(
        collection,
        selection,
        unlessClosed(counter.count(collection, instance, selection, limit)),
      ),
    countTexts: (collection, instance, keys, selection, most) =>
      withIndexedWords(
        collection,
        selection,
        unlessClosed(counter.countTexts(collection, instance, keys, selection, most)),
      ),
    snapshot: sqlSnapshots({ layouts, dialect }, snapshots.open),
    check: () => async () => {
      const found = await read(function* () {
        yield { sql: 'SELECT count(*) FROM probes', parameters: [] }
      })()
      if (E.isLeft(found)) return found
      const written = resultOf(await writer.submit({ kind: 'probe', urgent: false }))
      if (E.isRight(written)) return E.right(undefined)
      if (written.left.storageFull !== true) return written
      const urgent = resultOf(await writer.submit({ kind: 'probe', urgent: true }))
      return E.isRight(urgent) ? E.left({ ...written.left, removalsWork: true }) : urgent
    },
    close: async () => {
      snapshots.closeAll()
      database.close()
      await counter.close()
      // The writer's connection is closed last: it checkpoints the log, outside the calling thread.
      await writer.close()
    },
  }
}
