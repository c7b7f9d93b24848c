/**
 * What a running service does besides answering: collecting garbage, removing expired tokens, sending mail that waits, adding computed attributes
 * to older documents, publishing drafts at their times, renewing lists of occurrences, finishing removals, restorations and changes that a crash
 * interrupted, finishing deletions of instances, removing old audit entries, writing those that a store did not accept, recording uses of keys,
 * and exchanging counts of requests and failed attempts with other processes.
 */
import { exchangeSeconds } from '@publishing-service/access'
import type { ExportWorker, ImportWorker, UseCases } from '@publishing-service/application'
import type { Log } from '@publishing-service/ports'
import { logFailure } from './log-failure.js'

/** In milliseconds. A start has better things to do than to walk through the blob store. */
const firstCollection = 600_000
const day = 86_400_000
const hour = 3_600_000
const minute = 60_000
const second = 1000
/** Longer than other processes serve requests for a deleted instance. */
const shortInterval = 10_000
/** How long a stop waits for what is running, in milliseconds. */
const patience = 500

/** `first` and `interval` are milliseconds until the first run, and between two runs; `last` runs at the end. */
type Task = readonly [
  what: string,
  run: () => Promise<unknown>,
  first: number,
  interval: number,
  last?: () => Promise<unknown>,
]

/** What runs jobs. */
type JobWorkers = {
  readonly importWorker: Pick<ImportWorker, 'expire'>
  readonly exportWorker: Pick<ExportWorker, 'expire'>
}

/** Repeats a task, one run at a time. The function that it returns ends that, and waits for the last run. */
const repeat = (log: Log, [what, run, first, interval, last]: Task): (() => Promise<void>) => {
  const quietly = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      logFailure(log, what, error)
    }
  }
  let isEnded = false
  let running = Promise.resolve()
  let timer: NodeJS.Timeout
  const schedule = (delay: number): void => {
    if (isEnded) return
    timer = setTimeout(() => {
      running = quietly(run).then(() => schedule(interval))
    }, delay)
    timer.unref()
  }
  schedule(first)
  return async () => {
    isEnded = true
    clearTimeout(timer)
    await running
    if (last !== undefined) await quietly(last)
  }
}

/**
 * Starts all of it; what is for the store, and not for this process, only if `isForStore`: of workers one does it. The function
 * that it returns ends it, and waits half a second at most for what is running.
 */
export const startHousekeeping = (
  useCases: UseCases,
  log: Log,
  { importWorker, exportWorker }: JobWorkers,
  makeBackup: (() => Promise<void>) | null,
  isForStore: boolean,
): (() => Promise<void>) => {
  const { garbageCollection, deleteInstance, audit, keyUses, sharedRates, webhookWorker } = useCases
  const counting = (work: () => Promise<number>, message: string) => async (): Promise<void> => {
    const count = await work()
    if (count > 0) log.write('info', message, { count })
  }
  const collect = async (): Promise<void> => {
    const { quarantined, deleted } = await garbageCollection.collect()
    if (quarantined > 0) log.write('warn', 'orphaned blobs quarantined', { uploads: quarantined })
    if (deleted > 0) log.write('info', 'orphaned blobs deleted', { uploads: deleted })
  }
  const finishDeletions = counting(() => deleteInstance.finish(), 'documents of deleted instances removed')
  const finishDue = async (): Promise<void> => {
    if (deleteInstance.isFinishDue()) await finishDeletions()
  }
  const finishCascades = counting(
    useCases.finishCascades,
    'objects written to finish removals, restorations and changes',
  )
  const writeAudit = counting(() => audit.writeWaiting(), 'audit entries written later')
  const forStore: readonly Task[] = [
    ['garbage collection', collect, firstCollection, day],
    ['removing expired tokens', counting(useCases.expireTokens, 'expired tokens removed'), 0, hour],
    ['sending mail that waits', counting(useCases.sendWaitingMail, 'mail sent later'), minute, minute],
    [
      'removing who has left objects',
      counting(useCases.expirePresences, 'heartbeats of users who left removed'),
      0,
      hour,
    ],
    ['adding computed attributes', counting(useCases.completeComputed, 'documents completed'), 0, hour],
    ['renewing occurrences', counting(useCases.renewOccurrences, 'occurrences of events renewed'), 0, hour],
    ['finishing removals, restorations and changes', finishCascades, 0, minute],
    ['finishing deletions of instances', finishDeletions, 0, hour],
    [
      'removing old versions',
      counting(useCases.pruneVersions, 'states of old versions removed'),
      minute,
      hour,
    ],
    ['publishing drafts', counting(useCases.publishDueDrafts, 'drafts published at their times'), 0, minute],
    [
      'removing replaced data',
      counting(useCases.expireReplacedData, 'uploads with replaced data removed'),
      minute,
      hour,
    ],
    ['emptying the trash', counting(useCases.expireTrash, 'deleted objects removed from the trash'), 0, hour],
    [
      'removing old deliveries',
      counting(() => webhookWorker.expire(), 'old deliveries of web hooks removed'),
      minute,
      hour,
    ],
    ['removing old imports', counting(() => importWorker.expire(), 'old imports removed'), minute, hour],
    ['removing old exports', counting(() => exportWorker.expire(), 'old exports removed'), minute, hour],
    ['removing old audit entries', counting(() => audit.expire(), 'old audit entries removed'), 0, hour],
    ...(makeBackup === null ? [] : [['making backups', makeBackup, minute, minute] as const]),
  ]
  // What this process knows first, or alone.
  const forProcess: readonly Task[] = [
    ['finishing deletions of instances', finishDue, shortInterval, shortInterval],
    [
      'recording what happens by the clock',
      counting(useCases.recordScheduled, 'changes by the clock recorded'),
      second,
      second,
    ],
    [
      'touching objects',
      counting(useCases.touchObjects, 'objects touched by changes of others'),
      second,
      second,
    ],
    ['recording uses of keys', keyUses.write, minute, minute, keyUses.write],
    ['writing audit entries', writeAudit, shortInterval, shortInterval, writeAudit],
    ['exchanging rate counts', sharedRates.exchange, 0, exchangeSeconds * 1000, sharedRates.leave],
  ]
  const tasks = isForStore ? [...forStore, ...forProcess] : forProcess
  const ends = tasks.map((task) => repeat(log, task))
  return async () => {
    const waited = new Promise<void>((elapsed) => {
      setTimeout(elapsed, patience).unref()
    })
    await Promise.race([Promise.all(ends.map((end) => end())), waited])
  }
}
