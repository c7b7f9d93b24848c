/**
 * The document store on PostgreSQL 15 or later, for any number of processes. A page is one statement, and a write one
 * transaction that has locked its document.
 */
import { E, type Either } from '@publishing-service/domain/fp'
import {
  type Collection,
  type DocumentStore,
  isExpectation,
  type MigrationProgress,
  type PortFailure,
} from '@publishing-service/ports'
import {
  type ForeignChanges,
  joinedReads,
  layoutsOf,
  type Outcome,
  serverUses,
  sqlDocumentStore,
  sqlSnapshots,
  WriteSteps,
  type WriteTexts,
} from '@publishing-service/sql-kit'
import { openConnections } from './connections.js'
import { exchangeChanges } from './foreign-changes.js'
import { openDatabase } from './open-database.js'
import { postgresqlDialect as dialect } from './postgresql-dialect.js'
import { postgresqlFailure } from './postgresql-failure.js'

export type PostgresqlDocumentStoreOptions = {
  /** A connection string: `postgresql://user:password@host:5432/database`. */
  readonly url: string
  readonly collections: readonly Collection[]
  /** Milliseconds after which a use without a response fails; 10 000 by default. */
  readonly deadline?: number
  /** The most bytes of a document; 16 MiB by default. */
  readonly largestDocument?: number
  /** Called while documents are copied to the tables of changed declarations. */
  readonly onMigration?: (progress: MigrationProgress) => void
  /** Called with each statement of reads and writes. */
  readonly onStatement?: (sql: string) => void
  /** Called for changes that other processes make. Those must have this option too. */
  readonly foreignChanges?: ForeignChanges
}

const isWritten = (outcome: Outcome): boolean => 'positions' in outcome

/** The collections that a write changes, with their instances. */
const writtenBy = ({ instance, changes, appended }: WriteTexts): readonly (readonly [string, number])[] => [
  ...changes.flatMap((change) => (isExpectation(change) ? [] : [[change.collection, instance] as const])),
  ...appended.map((each) => [each.collection, each.instance] as const),
]

/**
 * Opens the store and migrates the database to the declared collections. Rejects with an Error that names the database and
 * the reason, without user or password.
 */
export const postgresqlDocumentStore = async (
  options: PostgresqlDocumentStoreOptions,
): Promise<DocumentStore> => {
  const { url, collections, deadline = 10_000, largestDocument = 16 * 1024 * 1024 } = options
  const { onMigration = () => undefined, onStatement, foreignChanges } = options
  const layouts = layoutsOf(collections, dialect)
  await openDatabase(url, layouts, onMigration)
  const connections = openConnections(url, deadline, onStatement)
  const uses = serverUses(
    dialect,
    {
      ...connections,
      begin: 'BEGIN ISOLATION LEVEL READ COMMITTED',
      beginSnapshot: [
        'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
        `SET LOCAL idle_in_transaction_session_timeout = '10min'`,
        // The first query chooses the moment.
        'SELECT pg_current_snapshot()',
      ],
      failureOf: postgresqlFailure,
    },
    deadline,
  )
  const steps = new WriteSteps(dialect, layouts)
  const notifications =
    foreignChanges === undefined ? null : await exchangeChanges(url, deadline, foreignChanges)
  let closing: Promise<void> | null = null

  const write = async (requested: WriteTexts): Promise<Either<PortFailure, Outcome>> => {
    const outcome = await uses.transact((isRepeated) => steps.write(requested, isRepeated), isWritten)()
    // A failed write may have been applied.
    if (E.isLeft(outcome) || isWritten(outcome.right))
      for (const [collection, instance] of writtenBy(requested)) notifications?.changed(collection, instance)
    return outcome
  }

  const close = async (): Promise<void> => {
    await uses.close()
    await notifications?.close()
    await connections.close()
  }

  const store = sqlDocumentStore({ layouts, dialect, largestDocument }, { read: uses.read, write })
  return {
    ...store,
    ...joinedReads(store),
    snapshot: sqlSnapshots({ layouts, dialect }, uses.readTransaction),
    check: () =>
      uses.read(function* () {
        yield { sql: 'UPDATE publishing_probes SET taken = taken + 1 WHERE id = 1', parameters: [] }
      }),
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
