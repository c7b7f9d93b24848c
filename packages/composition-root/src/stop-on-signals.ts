/**
 * Ends the process on SIGTERM and SIGINT: the service drains, and the process ends within ten seconds. A signal
 * that is received twice at once counts once, since npm forwards a signal that the terminal has also sent to the service.
 */
import { exitCodes } from './program-end.js'
import type { Service } from './service.js'

/** A second signal within this many milliseconds is the first one again; a later one ends the waiting. */
const sameSignal = 500
/** When the process ends even if a store hasn't closed, in milliseconds after the first signal. */
const latestEnd = 9800
/** Time limit for closing the stores after a second signal, in milliseconds. */
const latestClose = 1000

/** Hears signals from now on, also while the service is starting. */
export const stopOnSignals = (starting: Promise<Pick<Service, 'stop'>>): void => {
  let first: number | null = null
  const stop = async (limit?: number): Promise<void> => {
    // A failed start is reported by `main`; there is nothing to stop.
    const service = await starting.catch(() => null)
    if (service === null) return
    await service.stop(limit)
    process.exit(exitCodes.done)
  }
  const endAfter = (milliseconds: number): void => {
    setTimeout(() => process.exit(exitCodes.done), milliseconds).unref()
  }
  const hear = (): void => {
    if (first === null) {
      first = performance.now()
      endAfter(latestEnd)
      void stop()
    } else if (performance.now() - first > sameSignal) {
      endAfter(latestClose)
      void stop(0)
    }
  }
  process.on('SIGTERM', hear)
  process.on('SIGINT', hear)
}
