import { isPortFailure, type Log } from '@publishing-service/ports'

/** Logs why work in the background has failed: a store, or a defect, which is no reason to stop serving. */
export const logFailure = (log: Log, what: string, error: unknown): void => {
  if (isPortFailure(error)) log.write('warn', `${what} failed`, { part: error.part, reason: error.reason })
  else log.write('error', 'defect', { reason: error instanceof Error ? error.stack : String(error) })
}
