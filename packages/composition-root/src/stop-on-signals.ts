/**
 * Ends the process on SIGTERM and SIGINT: the service drains, and the process ends within ten seconds after the delay of SIGTERM.
 * A signal that is received twice at once counts once, since npm forwards a signal that the terminal has also sent to the service.
 */
import type { ShutdownTimes } from '@publishing-service/adapter-koa'
import { exitCodes } from './program-end.js'
import { quickStop, type Service } from './service.js'

/** A second signal within this many milliseconds is the first one again; a later one ends the waiting. */
const sameSignal = 500
/** When the process ends even if a store hasn't closed, in milliseconds after the delay. */
const latestEnd = 9800
/** Time limit for closing the stores after a second signal, in milliseconds. */
const latestClose = 1000

/**
 * A supervisor sends SIGTERM, and others still send requests: within this time a proxy learns that the port is closed, or
 * uses a connection that it has kept.
 */
const idleTime = 2000

/** Hears signals from now on, also while the service is starting. `delay` is that of SIGTERM, in milliseconds. */
export const stopOnSignals = (starting: Promise<Pick<Service, 'stop'>>, delay: number): void => {
  let first: number | null = null
  const hurry = new AbortController()
  const stop = async (times: ShutdownTimes): Promise<void> => {
    // A failed start is reported by `main`; there is nothing to stop.
    const service = await starting.catch(() => null)
    if (service === null) return
    await service.stop(times, hurry.signal)
    process.exit(exitCodes.done)
  }
  const endAfter = (milliseconds: number): void => {
    setTimeout(() => process.exit(exitCodes.done), milliseconds).unref()
  }
  const hear = (times: ShutdownTimes) => (): void => {
    if (first === null) {
      first = performance.now()
      endAfter(times.delay + latestEnd)
      void stop(times)
    } else if (performance.now() - first > sameSignal) {
      endAfter(latestClose)
      hurry.abort()
    }
  }
  process.on('SIGTERM', hear({ ...quickStop, delay, idle: idleTime }))
  // A person waits.
  process.on('SIGINT', hear(quickStop))
}
