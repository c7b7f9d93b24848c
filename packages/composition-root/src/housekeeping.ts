/** What a running service does beside its requests: removes what crashes left over, and tokens that have expired. */
import type { UseCases } from '@publishing-service/application'
import { isPortFailure, type Clock, type Log } from '@publishing-service/ports'

/**
 * How long an upload of another process has between its blob and its metadata, in milliseconds: longer than stores
 * wait for each other's locks.
 */
const namingTime = 12_000
const housekeepingInterval = 3_600_000

const quietly = async (log: Log, what: string, work: () => Promise<number>): Promise<void> => {
  try {
    const count = await work()
    if (count > 0) log.write('info', what, { count })
  } catch (error) {
    if (isPortFailure(error)) log.write('warn', `${what} failed`, { part: error.part, reason: error.reason })
    // A defect here is no reason to stop serving.
    else log.write('error', 'defect', { reason: error instanceof Error ? error.stack : String(error) })
  }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((elapsed) => {
    setTimeout(elapsed, milliseconds).unref()
  })

/**
 * Removes what crashes left over and what has expired: after the start, and tokens every hour. The function that it
 * gives ends that, and waits half a second at most for what is under way.
 */
export const startHousekeeping = (useCases: UseCases, clock: Clock, log: Log): (() => Promise<void>) => {
  const started = clock.now()
  const collecting = quietly(log, 'left-over blobs removed', async () => {
    const found = await useCases.leftOvers.find(started)
    if (found.length === 0) return 0
    await pause(namingTime)
    return useCases.leftOvers.remove(found)
  })
  let expiring = quietly(log, 'expired tokens removed', useCases.expireTokens)
  const timer = setInterval(() => {
    expiring = quietly(log, 'expired tokens removed', useCases.expireTokens)
  }, housekeepingInterval)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await Promise.race([Promise.all([collecting, expiring]), pause(500)])
  }
}
