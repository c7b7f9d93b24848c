/** Writes the progress of a store that migrates while it opens to the log, every few seconds. */
import type { Log, MigrationProgress } from '@publishing-service/ports'

/** Milliseconds between two entries of the log about one migration. */
const progressInterval = 5000

/** Documents that were migrated are written when all of a collection are done, too. */
export const migrationLog = (log: Log): ((progress: MigrationProgress) => void) => {
  let next = performance.now() + progressInterval
  return ({ collection, done, total }) => {
    const now = performance.now()
    const isDone = total > 0 && done >= total
    if (!isDone && now < next) return
    next = now + progressInterval
    log.write('info', 'documents migrated', { collection, done, total })
  }
}
