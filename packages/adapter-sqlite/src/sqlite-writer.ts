/**
 * The writer's thread: the only one of its process that writes to the file. It commits together what has come, and
 * answers behind the commit; statistics are gathered between transactions, one index at a time.
 */
import { statSync } from 'node:fs'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type Database from 'better-sqlite3'
import { batchApplier } from './apply-batch.js'
import { openWriter, pagesBetweenCheckpoints } from './open-connection.js'
import { sqliteFailure } from './sqlite-failure.js'
import { storageReserve } from './storage-reserve.js'
import { type Analysis, analyse, dueAnalyses } from './statistics.js'
import type { FromWriter, Outcome, ToWriter, Write, WriterSettings } from './writer-messages.js'

/** Writes between two looks at whether statistics are due; the look costs microseconds. */
const writesBetweenChecks = 1000

const port = parentPort
if (port === null) throw new Error('The writer runs as a worker thread only')
const { file, busyTimeout, largestFile, keyColumns, reserve: reserveBytes } = workerData as WriterSettings
const reserve = storageReserve(file, reserveBytes)

type Connection = {
  readonly database: Database.Database
  readonly apply: (writes: readonly Write[]) => readonly Outcome[]
}

const open: { connection: Connection | null } = { connection: null }
const due = { analyses: [] as readonly Analysis[], writesSinceLook: 0 }

const connection = (): Connection => {
  if (open.connection === null) {
    const database = openWriter(file, busyTimeout, largestFile)
    open.connection = { database, apply: batchApplier(database, keyColumns) }
  }
  return open.connection
}

/** Without the surroundings' help statistics stay as they are; the next look tries again. */
const ignoreEnvironmentFailure = (act: () => void): void => {
  try {
    act()
  } catch (error) {
    if (sqliteFailure(error) === null) throw error
    due.analyses = []
  }
}

// One a turn of the event loop, so that batches that have come in the meantime go first.
const analyseNext = (): void => {
  const [next, ...later] = due.analyses
  if (next === undefined || open.connection === null) return
  due.analyses = later
  const { database } = open.connection
  ignoreEnvironmentFailure(() => analyse(database, next))
  if (due.analyses.length > 0) setImmediate(analyseNext)
}

const checkStatistics = (): void => {
  due.writesSinceLook = 0
  if (due.analyses.length > 0) return
  ignoreEnvironmentFailure(() => {
    due.analyses = dueAnalyses(connection().database)
  })
  if (due.analyses.length > 0) setImmediate(analyseNext)
}

const tryApply = (writes: readonly Write[]): readonly Outcome[] => {
  try {
    return connection().apply(writes)
  } catch (error) {
    // The connection can't be opened now; the next batch tries again.
    const failure = sqliteFailure(error)
    if (failure === null) throw error
    return writes.map(() => ({ failure: failure.reason }))
  }
}

const isUrgent = (write: Write): boolean =>
  write.kind === 'remove' || (write.kind !== 'probe' && write.urgent)

/** Bytes by which a checkpoint lets the database grow. */
const checkpointGrowth = (database: Database.Database): number =>
  Number(database.pragma('page_count', { simple: true })) *
    Number(database.pragma('page_size', { simple: true })) -
  statSync(file).size

/** Bytes that a checkpoint leaves of the free space. */
const minFreeAfterCheckpoint = 1024 * 1024

/**
 * Empties the log into the database, which frees the log's space: without that, what is held back would be used up by
 * the removals themselves. Not where the database would grow over the space that they need.
 */
const emptyLog = (): void =>
  ignoreEnvironmentFailure(() => {
    const { database } = connection()
    if (checkpointGrowth(database) + minFreeAfterCheckpoint > reserve.free()) return
    database.pragma('wal_checkpoint(TRUNCATE)')
  })

const checkpointAfter = (pages: number): void =>
  ignoreEnvironmentFailure(() => connection().database.pragma(`wal_autocheckpoint = ${pages}`))

const noReserve: Outcome = { full: 'the space that is held back for removals is in use' }

/** While no space is held back: the urgent writes alone. */
const applyUrgentOnly = (writes: readonly Write[]): readonly Outcome[] => {
  const urgent = writes.filter(isUrgent)
  const outcomes = new Map<Write, Outcome>()
  if (urgent.length > 0) {
    // SQLite's own checkpoints would not look at the space that is left.
    checkpointAfter(0)
    tryApply(urgent).forEach((outcome, index) => {
      const write = urgent[index]
      if (write !== undefined) outcomes.set(write, outcome)
    })
    emptyLog()
    checkpointAfter(pagesBetweenCheckpoints)
  }
  return writes.map((write) => outcomes.get(write) ?? noReserve)
}

const isFull = (outcome: Outcome | undefined): boolean => typeof outcome === 'object' && 'full' in outcome

const applyWithReserve = (writes: readonly Write[]): readonly Outcome[] => {
  if (!reserve.allocate()) return applyUrgentOnly(writes)
  const outcomes = tryApply(writes)
  if (!outcomes.some(isFull) || !reserve.release()) return outcomes
  emptyLog()
  const refused = writes.filter((_, index) => isFull(outcomes[index]))
  const again = applyUrgentOnly(refused)
  return writes.map((write, index) => again[refused.indexOf(write)] ?? outcomes[index] ?? noReserve)
}

const handleMessage = (message: ToWriter): void => {
  switch (message.kind) {
    case 'writes':
      return commit(message.writes)
    case 'refresh statistics':
      reserve.allocate()
      return checkStatistics()
    case 'close':
      open.connection?.database.close()
      open.connection = null
      port.close()
  }
}

/** With the first writes go all that have come since: they share the wait for the disk. */
const commit = (first: readonly Write[]): void => {
  const writes = [...first]
  let next = receiveMessageOnPort(port)
  while (next?.message.kind === 'writes') {
    writes.push(...next.message.writes)
    next = receiveMessageOnPort(port)
  }
  const answer: FromWriter = { outcomes: applyWithReserve(writes) }
  port.postMessage(answer)
  due.writesSinceLook += writes.length
  if (due.writesSinceLook >= writesBetweenChecks) checkStatistics()
  if (next !== undefined) handleMessage(next.message)
}

port.on('message', handleMessage)
