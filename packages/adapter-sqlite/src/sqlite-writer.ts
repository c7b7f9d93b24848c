/**
 * The writer's thread, the only one of its process that writes to the file. It commits all received writes together and
 * sends their outcomes after the commit. Statistics are gathered between transactions, one table at a time.
 */
import { statSync } from 'node:fs'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { Database } from './better-sqlite3.js'
import { batchApplier } from './apply-batch.js'
import { openWriter, pagesBetweenCheckpoints } from './open-connection.js'
import { sqliteFailure } from './sqlite-failure.js'
import { storageReserve } from './storage-reserve.js'
import { analyse, dueAnalyses } from './statistics.js'
import { wordIndexer } from './word-indexer.js'
import { writeTurns, type WriteTurns } from './write-turns.js'
import type { FromWriter, Outcome, ToWriter, Write, WriterSettings } from './writer-messages.js'

/** Writes between two checks whether statistics are out of date; a check takes microseconds. */
const writesBetweenChecks = 1000

const port = parentPort
if (port === null) throw new Error('The writer runs as a worker thread only')
const settings = workerData as WriterSettings
const { file, busyTimeout, largestFile, largestLog, reserve: reserveBytes } = settings
const reserve = storageReserve(file, reserveBytes)

type Connection = {
  readonly database: Database
  readonly apply: (writes: readonly Write[]) => readonly Outcome[]
  readonly turns: WriteTurns
}

const open: { connection: Connection | null } = { connection: null }
const due = { analyses: [] as readonly string[], writesSinceLook: 0 }

const connection = (): Connection => {
  if (open.connection === null) {
    const database = openWriter(file, busyTimeout, largestFile)
    open.connection = {
      database,
      apply: batchApplier(database, settings.collections),
      turns: writeTurns(database, busyTimeout),
    }
  }
  return open.connection
}

/** If the environment fails, the statistics stay unchanged until the next check. */
const ignoreEnvironmentFailure = (act: () => void): void => {
  try {
    act()
  } catch (error) {
    if (sqliteFailure(error) === null) throw error
    due.analyses = []
  }
}

// One table per turn of the event loop, so that batches received in the meantime are written first.
const analyseNext = (): void => {
  const [next, ...later] = due.analyses
  if (next === undefined || open.connection === null) return
  due.analyses = later
  const { database } = open.connection
  ignoreEnvironmentFailure(() => analyse(database, next, later.length === 0))
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
    // The connection can't be opened; the next batch tries again.
    const failure = sqliteFailure(error)
    if (failure === null) throw error
    return writes.map(() => ({ failure: failure.reason }))
  }
}

const isUrgent = ({ urgent }: Write): boolean => urgent

/** Bytes by which a checkpoint enlarges the database. */
const checkpointGrowth = (database: Database): number =>
  Number(database.pragma('page_count', { simple: true })) *
    Number(database.pragma('page_size', { simple: true })) -
  statSync(file).size

/** Bytes that must remain of the storage reserve after a checkpoint. */
const minReserveAfterCheckpoint = 1024 * 1024

/** Milliseconds that a checkpoint waits for reads that need the log, and for another process that writes. */
const checkpointTimeout = 50

/**
 * Checkpoints and truncates the log, which frees its space; otherwise the removals themselves would use up the storage
 * reserve. Gives what the database needs of the reserve, and does nothing where too little would remain, or where a
 * read that is still open needs the log.
 */
const emptyLog = (): void =>
  ignoreEnvironmentFailure(() => {
    const { database } = connection()
    const [growth, free] = [checkpointGrowth(database), reserve.free()]
    if (growth + minReserveAfterCheckpoint > free + reserve.size()) return
    if (growth > free) reserve.give(growth - free)
    database.pragma(`busy_timeout = ${checkpointTimeout}`)
    try {
      database.pragma('wal_checkpoint(TRUNCATE)')
    } finally {
      database.pragma(`busy_timeout = ${busyTimeout}`)
    }
  })

/** Milliseconds between two attempts to empty a log that is too long. */
const emptyingInterval = 1000

const nextEmptying = { time: -Infinity }

const isLogLongerThanLimit = (): boolean =>
  (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > largestLog

/**
 * Whether the log is longer than its limit and can't be emptied. SQLite can't reuse what a read that is still open
 * needs, so while another program reads for minutes, each write makes the log longer.
 */
const isLogFull = (): boolean => {
  if (!isLogLongerThanLimit()) return false
  if (performance.now() < nextEmptying.time) return true
  nextEmptying.time = performance.now() + emptyingInterval
  emptyLog()
  return isLogLongerThanLimit()
}

const checkpointAfter = (pages: number): void =>
  ignoreEnvironmentFailure(() => connection().database.pragma(`wal_autocheckpoint = ${pages}`))

const noReserve: Outcome = { full: 'the storage reserve is in use' }

const logFull: Outcome = {
  full: `the write-ahead log has reached ${largestLog} bytes, because a read of another program is still open`,
}

const isFull = (outcome: Outcome | undefined): boolean => typeof outcome === 'object' && 'full' in outcome

/** Bytes of the storage reserve that the first write of a full disk gets; each further attempt doubles them. */
const firstStep = 256 * 1024

/** Applies urgent writes. As long as one of them does not fit on the disk, more of the storage reserve is given. */
const applyUrgent = (writes: readonly Write[], step = firstStep): readonly Outcome[] => {
  const outcomes = tryApply(writes)
  const refused = writes.filter((_, index) => isFull(outcomes[index]))
  if (refused.length === 0 || !reserve.give(step)) return outcomes
  const again = applyUrgent(refused, step * 2)
  return writes.map((write, index) => again[refused.indexOf(write)] ?? outcomes[index] ?? noReserve)
}

const retry = { timer: null as NodeJS.Timeout | null }

/** Takes the storage reserve again: at once, and each second until it is whole. Returns whether it is. */
const takeReserve = (): boolean => {
  const isWhole = reserve.take()
  if (!isWhole)
    retry.timer ??= setTimeout(() => {
      retry.timer = null
      takeReserve()
    }, 1000).unref()
  return isWhole
}

/** Applies only the urgent writes, while the storage reserve is not whole or the log is full. */
const applyUrgentOnly = (writes: readonly Write[], refusal: Outcome): readonly Outcome[] => {
  const urgent = writes.filter(isUrgent)
  if (urgent.length === 0) return writes.map(() => refusal)
  // SQLite's automatic checkpoints do not check the free space.
  checkpointAfter(0)
  const outcomes = applyUrgent(urgent)
  emptyLog()
  checkpointAfter(pagesBetweenCheckpoints)
  return writes.map((write) => outcomes[urgent.indexOf(write)] ?? refusal)
}

const applyOnDisk = (writes: readonly Write[]): readonly Outcome[] => {
  if (!takeReserve()) return applyUrgentOnly(writes, noReserve)
  if (isLogFull()) return applyUrgentOnly(writes, logFull)
  const outcomes = tryApply(writes)
  if (!outcomes.some(isFull) || !reserve.give(firstStep)) return outcomes
  emptyLog()
  const refused = writes.filter((_, index) => isFull(outcomes[index]))
  const again = applyUrgentOnly(refused, noReserve)
  return writes.map((write, index) => again[refused.indexOf(write)] ?? outcomes[index] ?? noReserve)
}

const applyWithReserve = (writes: readonly Write[]): readonly Outcome[] => {
  const outcomes = applyOnDisk(writes)
  takeReserve()
  return outcomes
}

/** The collections whose words are indexed. */
const searched = new Set(
  settings.collections.flatMap(({ name, searched: attributes = [] }) =>
    attributes.length === 0 ? [] : [name],
  ),
)

const indexer = wordIndexer(searched, applyWithReserve)

const handleMessage = (message: ToWriter): void => {
  switch (message.kind) {
    case 'writes':
      return commit(message.writes)
    case 'refresh statistics':
      takeReserve()
      return checkStatistics()
    case 'close':
      indexer.close()
      open.connection?.database.close()
      open.connection = null
      port.close()
  }
}

/** Waits until other processes let this one write. If the environment fails, the writes themselves say so. */
const waitForTurn = (): void => {
  try {
    open.connection?.turns.wait()
  } catch (error) {
    if (sqliteFailure(error) === null) throw error
  }
}

/** Commits the first writes with all that were received since: they share the wait for the disk. */
const commit = (first: readonly Write[]): void => {
  waitForTurn()
  const writes = [...first]
  let next = receiveMessageOnPort(port)
  while (next?.message.kind === 'writes') {
    writes.push(...next.message.writes)
    next = receiveMessageOnPort(port)
  }
  const answer: FromWriter = { outcomes: applyWithReserve(writes) }
  open.connection?.turns.ended()
  port.postMessage(answer)
  indexer.onWritten(writes)
  due.writesSinceLook += writes.length
  if (due.writesSinceLook >= writesBetweenChecks) checkStatistics()
  if (next !== undefined) handleMessage(next.message)
}

port.on('message', handleMessage)
