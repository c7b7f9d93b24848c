/**
 * What a running service does besides its requests: garbage collection, removing tokens that have expired,
 * clearing references that a crash left to removed objects, and finishing deletions of instances.
 */
import type { UseCases } from '@publishing-service/application'
import { isPortFailure, type Log } from '@publishing-service/ports'

/** In milliseconds. A start has better things to do than to walk through the blob store. */
const firstCollection = 600_000
const collectionInterval = 86_400_000
const expiryInterval = 3_600_000
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
  const expire = (): Promise<void> =>
    quietly(log, 'removing expired tokens', async () => {
      const count = await useCases.expireTokens()
      if (count > 0) log.write('info', 'expired tokens removed', { count })
    })
  const finish = (): Promise<void> =>
    quietly(log, 'clearing references to removed objects', async () => {
      const count = await useCases.finishRemovals()
      if (count > 0) log.write('info', 'references to removed objects cleared', { count })
    })
  const finishDeletions = (): Promise<void> =>
    quietly(log, 'finishing deletions of instances', async () => {
      const count = await useCases.deleteInstance.finish()
      if (count > 0) log.write('info', 'documents of deleted instances removed', { count })
    })
  const ends = [
    repeat(collect, firstCollection, collectionInterval),
    repeat(expire, 0, expiryInterval),
    repeat(finish, 0, expiryInterval),
    repeat(finishDeletions, 0, expiryInterval),
  ]
  return async () => {
    const waited = new Promise<void>((elapsed) => {
      setTimeout(elapsed, patience).unref()
    })
    await Promise.race([Promise.all(ends.map((end) => end())), waited])
  }
}
