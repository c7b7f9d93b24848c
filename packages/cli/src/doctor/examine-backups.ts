/** The newest backup at the configured place. Makes no place. */
import { stat, statfs } from 'node:fs/promises'
import { backups } from '@publishing-service/application'
import {
  backupPlaceName,
  openBackupPlace,
  tokens,
  type BackupPlace,
} from '@publishing-service/composition-root'
import { E } from '@publishing-service/domain/fp'
import type { Finding } from './finding.js'
import { judgeBackups, type Backups } from './judge-stores.js'
import type { Surroundings } from './surroundings.js'

type Newest = Backups['newest']

/** Throws the failure of the place. */
const newestIn = async (place: BackupPlace, { container }: Surroundings): Promise<Newest> => {
  const time = await backups.latest(place)
  if (time === null) return null
  const checksum = await container.getAsync(tokens.checksum)
  const read = await backups.open(place, null, { checksum, onProgress: () => undefined })()
  if (E.isRight(read)) return { time, isDamaged: false, bytes: read.right.head.documents.bytes }
  if (read.left._tag === 'PortFailure') throw read.left
  return { time, isDamaged: true, bytes: 0 }
}

export const examineBackups = async (surroundings: Surroundings): Promise<readonly Finding[]> => {
  const { configuration } = surroundings
  const { BACKUP_TO: to, BACKUP_EVERY: every } = configuration
  const now = Date.now()
  if (to === null) return judgeBackups({ place: null, every, newest: null, freeBytes: null, now })
  const isFolder = !/^https?:/.test(to)
  const name = backupPlaceName(to)
  const isMissing = isFolder && (await stat(to).catch(() => null)) === null
  const place = isMissing ? null : await openBackupPlace(configuration)
  try {
    const newest = place === null ? null : await newestIn(place, surroundings)
    const disk = isFolder && !isMissing ? await statfs(to) : null
    const freeBytes = disk === null ? null : disk.bavail * disk.bsize
    return judgeBackups({ place: name, every, newest, freeBytes, now })
  } finally {
    await place?.close()
  }
}
