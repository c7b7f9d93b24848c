import { setTimeout as elapse } from 'node:timers/promises'
import type { UseCases } from '@publishing-service/application'
import { isPortFailure, type Log } from '@publishing-service/ports'

/** Milliseconds between two steps at least: changes that follow each other are delivered together. */
const settling = 20

/** Milliseconds until the next step after one that has failed. */
const pause = 5000

/** How long a stop waits for what is running, in milliseconds. */
const patience = 1000

/** Delivers events to web hooks, as long as the service runs. The function that it returns ends that. */
export const startWebhooks = (worker: UseCases['webhookWorker'], log: Log): (() => Promise<void>) => {
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
      if (isPortFailure(error))
        log.write('warn', 'delivering to web hooks failed', { part: error.part, reason: error.reason })
      else log.write('error', 'defect', { reason: error instanceof Error ? error.stack : String(error) })
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
