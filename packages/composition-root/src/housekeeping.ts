/**
 * What a running service does besides its requests: garbage collection, removing tokens that have expired,
 * adding computed attributes to older documents, renewing lists of occurrences, completing the search index, clearing
 * references that a crash left to removed objects, finishing deletions of instances, removing old audit entries,
 * writing those that a store did not accept, recording uses of keys, and exchanging counts of requests.
 */
import { exchangeSeconds, type UseCases, type SharedRates } from '@publishing-service/application'
import { isPortFailure, type Log } from '@publishing-service/ports'

/** In milliseconds. A start has better things to do than to walk through the blob store. */
const firstCollection = 600_000
const collectionInterval = 86_400_000
const removalInterval = 3_600_000
/** Longer than other processes serve requests for a deleted instance. */
const shortInterval = 10_000
const keyUseInterval = 60_000
const deletedMessage = 'documents of deleted instances removed'
/** How long a stop waits for what is running, in milliseconds. */
const patience = 500

const quietly = async (log: Log, what: string, work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (isPortFailure(error)) log.write('warn', `${what} failed`, { part: error.part, reason: error.reason })
    // A defect here is no reason to stop serving.
    else log.write('error', 'defect', { reason: error instanceof Error ? error.stack : String(error) })
  }
}

/** Runs a task without end, one run at a time; the function that it returns ends that and waits for the last run. */
const repeat = (work: () => Promise<void>, first: number, interval: number): (() => Promise<void>) => {
  let running = Promise.resolve()
  let timer: NodeJS.Timeout
  const schedule = (delay: number): void => {
    timer = setTimeout(() => {
      running = work()
      schedule(interval)
    }, delay)
    timer.unref()
  }
  schedule(first)
  return () => {
    clearTimeout(timer)
    return running
  }
}

/** Starts all of it. The function that it returns ends them, and waits half a second at most for what is running. */
export const startHousekeeping = (useCases: UseCases, log: Log): (() => Promise<void>) => {
  const collect = (): Promise<void> =>
    quietly(log, 'garbage collection', async () => {
      const { quarantined, deleted } = await useCases.garbageCollection.collect()
      if (quarantined > 0) log.write('warn', 'orphaned blobs quarantined', { uploads: quarantined })
      if (deleted > 0) log.write('info', 'orphaned blobs deleted', { uploads: deleted })
    })
  const hourly = (what: string, work: () => Promise<number>, message: string): (() => Promise<void>) =>
    repeat(
      () =>
        quietly(log, what, async () => {
          const count = await work()
          if (count > 0) log.write('info', message, { count })
        }),
      0,
      removalInterval,
    )
  const finishBegunDeletions = (): Promise<void> =>
    quietly(log, 'finishing deletions of instances', async () => {
      if (!useCases.deleteInstance.isFinishDue()) return
      const count = await useCases.deleteInstance.finish()
      log.write('info', deletedMessage, { count })
    })
  const writeKeyUses = (): Promise<void> =>
    quietly(log, 'recording uses of keys', async () => {
      await useCases.keyUses.write()
    })
  const writeAudit = async (): Promise<void> => {
    const count = await useCases.audit.writeWaiting()
    if (count > 0) log.write('info', 'audit entries written later', { count })
  }
  /** Repeats a task, and runs it once more at the end. */
  const repeatToTheEnd = (work: () => Promise<void>, interval: number): (() => Promise<void>) => {
    const end = repeat(work, interval, interval)
    return async () => {
      await end()
      await work()
    }
  }
  const ends = [
    repeat(collect, firstCollection, collectionInterval),
    hourly('removing expired tokens', useCases.expireTokens, 'expired tokens removed'),
    hourly('adding computed attributes', useCases.completeComputed, 'documents completed'),
    hourly('renewing occurrences', useCases.renewOccurrences, 'occurrences of events renewed'),
    hourly('completing the search index', () => useCases.searchIndex.complete(), 'search indexes completed'),
    hourly(
      'finishing removals and changes',
      useCases.finishCascades,
      'objects written to finish removals and changes',
    ),
    hourly('finishing deletions of instances', useCases.deleteInstance.finish, deletedMessage),
    hourly('removing old audit entries', useCases.audit.expire, 'old audit entries removed'),
    repeat(finishBegunDeletions, shortInterval, shortInterval),
    repeatToTheEnd(writeKeyUses, keyUseInterval),
    repeatToTheEnd(writeAudit, shortInterval),
  ]
  return async () => {
    const waited = new Promise<void>((elapsed) => {
      setTimeout(elapsed, patience).unref()
    })
    await Promise.race([Promise.all(ends.map((end) => end())), waited])
  }
}

/**
 * Exchanges counts of requests with other processes in the background. The function that it returns ends the exchanges, and removes this process
 * off the others' list.
 */
export const startRateExchange = (
  { exchange, leave }: Pick<SharedRates, 'exchange' | 'leave'>,
  log: Log,
): (() => Promise<void>) => {
  let running: Promise<void> | null = null
  const exchangeOnce = (): void => {
    running ??= quietly(log, 'exchanging rate counts', exchange).finally(() => (running = null))
  }
  exchangeOnce()
  const timer = setInterval(exchangeOnce, exchangeSeconds * 1000)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
    await quietly(log, 'leaving the rate counts', leave)
  }
}
