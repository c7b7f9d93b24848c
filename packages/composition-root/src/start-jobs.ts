import type { JobQueue } from '@publishing-service/application'
import type { Log } from '@publishing-service/ports'
import { logFailure } from './log-failure.js'
import { startWorker } from './start-worker.js'

/** Milliseconds between two renewals of the lease: several within the time after which a process has lost it. */
const renewal = 2000

/** Runs the jobs of a queue, as long as the service runs. `what` they are is for the log. The function that it returns ends that. */
export const startJobs = (queue: JobQueue, what: string, log: Log): (() => Promise<void>) => {
  const timer = setInterval(() => {
    queue.renew().catch((error: unknown) => logFailure(log, what, error))
  }, renewal)
  timer.unref()
  const end = startWorker(queue, what, log)
  return async () => {
    await end()
    clearInterval(timer)
  }
}
