/** Makes backups in the service, once every BACKUP_EVERY hours. Of several processes one makes it. */
import { backups, type CopyFailure, type CopyTools, type Stores } from '@publishing-service/application'
import { E } from '@publishing-service/domain/fp'
import { type Clock, type Ids, isPortFailure, type Log, type PortFailure } from '@publishing-service/ports'
import { backupPlaceName, backupSource, openBackupPlace } from './backup-place.js'
import type { Configuration } from './configuration.js'
import { errorText } from './error-messages.js'

const hour = 3_600_000

/** How long a claim lasts unless it is renewed, and when it is renewed, in milliseconds. */
const [claimDuration, renewal] = [15 * 60_000, 5 * 60_000]

/** How long after a look at the place the next one is made, and after a failure the next attempt by any process. */
const pause = 10 * 60_000

const portReason = ({ part, reason }: PortFailure): string => `${part}: ${errorText(reason)}`

const reasonOf = (failure: CopyFailure): string => {
  switch (failure._tag) {
    case 'PortFailure':
      return portReason(failure)
    case 'ExportDamaged':
      return failure.problem
    case 'OtherBackups':
      return `the place contains backups of other stores, ${failure.source}`
    default:
      return failure._tag
  }
}

export type BackupParts = Stores & {
  readonly clock: Pick<Clock, 'now'>
  readonly ids: Pick<Ids, 'uuid'>
  readonly checksum: CopyTools['checksum']
  readonly log: Log
}

/** Makes a backup if one is due and no other process does. Null if the configuration asks for none. */
export const scheduledBackup = (
  configuration: Configuration,
  { clock, ids, checksum, log, ...stores }: BackupParts,
): (() => Promise<void>) | null => {
  const { BACKUP_EVERY: every, BACKUP_TO: to, BACKUP_KEEP: keep } = configuration
  if (every === null || to === null) return null
  const by = ids.uuid()
  const tools: CopyTools = { checksum, onProgress: () => undefined }
  const claim = (duration: number, outcome: 'made' | 'failed' | null = null): Promise<boolean> =>
    backups.claim(stores.documents, { by, now: clock.now(), duration, outcome })

  const failed = async (reason: string): Promise<void> => {
    log.write('error', 'backup failed', { place: backupPlaceName(to), reason })
    try {
      await claim(pause, 'failed')
    } catch (error) {
      // Without it, the claim of this process ends by itself.
      if (!isPortFailure(error)) throw error
    }
  }

  const make = async (): Promise<void> => {
    const place = await openBackupPlace(configuration)
    if (place === null) return
    const renewing = setInterval(() => void claim(claimDuration).catch(() => undefined), renewal)
    renewing.unref()
    try {
      const time = clock.now()
      const latest = await backups.latest(place)
      if (latest !== null && time - latest < every * hour) return
      const name = `${await configuration.documentStore.place(configuration)} and ${await configuration.blobStore.place(configuration)}`
      const source = backupSource(
        configuration,
        stores,
        { name, time: new Date(time).toISOString() },
        checksum,
      )
      const made = await backups.create({ place, source, time }, tools)()
      if (E.isLeft(made)) return await failed(reasonOf(made.left))
      const { id, newBytes, documentBytes, withoutData } = made.right
      log.write('info', 'backup made', { backup: id, documentBytes, newBytes })
      if (withoutData.length > 0)
        log.write('error', 'data of files is missing', {
          files: withoutData.length,
          first: withoutData[0],
        })
      const pruned = await backups.prune({ place, keep, time }, tools)()
      if (E.isLeft(pruned)) return await failed(reasonOf(pruned.left))
      await claim(pause, 'made')
    } finally {
      clearInterval(renewing)
      await place.close()
    }
  }

  /** When the next backup is due at the earliest, so that the place is not read each minute. */
  let next = 0
  return async () => {
    if (clock.now() < next || !(await claim(claimDuration))) return
    try {
      await make()
    } catch (error) {
      await failed(isPortFailure(error) ? portReason(error) : errorText(error))
    }
    next = clock.now() + pause
  }
}
