import { setTimeout as elapse } from 'node:timers/promises'
import type { Log } from '@publishing-service/ports'
import { logFailure } from './log-failure.js'

/** What works in steps, as long as the service runs. */
export type Worker = {
  /** Returns the milliseconds after which there is something to do again. */
  readonly step: () => Promise<number>
  /** Calls a function when there is something to do before. */
  readonly onWake: (called: () => void) => void
  /** Has the current step end soon; resolves when it has ended. */
  readonly stop: () => Promise<void>
}

/** Milliseconds between two steps at least: changes that follow each other are treated together. */
const settling = 20

/** Milliseconds until the next step after one that has failed. */
const pause = 5000

/** How long a stop waits for what is running, in milliseconds. */
const patience = 1000

/** Has a worker work. `what` it does is for the log. The function that it returns ends it. */
export const startWorker = (worker: Worker, what: string, log: Log): (() => Promise<void>) => {
  let isEnded = false
  let isWoken = false
  let awaken = (): void => undefined

  const wake = (): void => {
    isWoken = true
    awaken()
  }

  /** Resolves after these milliseconds, or when there is something to do. */
  const rest = async (milliseconds: number): Promise<void> => {
    if (!isWoken)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(milliseconds, 60_000))
        awaken = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    isWoken = false
  }

  const stepQuietly = async (): Promise<number> => {
    try {
      return await worker.step()
    } catch (error) {
      logFailure(log, what, error)
      return pause
    }
  }

  const run = async (): Promise<void> => {
    while (!isEnded) {
      await rest(await stepQuietly())
      await elapse(settling)
    }
  }

  worker.onWake(wake)
  const running = run()
  return async () => {
    isEnded = true
    wake()
    await Promise.race([Promise.all([running, worker.stop()]), elapse(patience, undefined, { ref: false })])
  }
}
