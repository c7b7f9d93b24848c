/** Removes old backups, and the data that no backup has any more. */
import type { BlobKey, BlobStore } from '@publishing-service/ports'
import { orThrow } from '../attempt.js'
import type { CopyTools } from '../storage-copy/copy-run.js'
import { backupFolder, backupId, backupNames, dataFolder, dataKey, readBackupList } from './backup-list.js'

/** What is younger can be of a backup that is being made, in milliseconds. */
const day = 86_400_000

export type PruneRequest = {
  readonly place: BlobStore
  /** How many backups are retained. */
  readonly keep: number
  /** Milliseconds since 1970. */
  readonly time: number
}

export type Pruned = { readonly backups: number; readonly blobs: number }

/** Retains the latest backups, and removes what killed runs have left a day ago. Throws a CopyFailure. */
export const pruneBackups = async (
  { place, keep, time }: PruneRequest,
  { checksum }: Pick<CopyTools, 'checksum'>,
): Promise<Pruned> => {
  const { complete, incomplete } = await backupNames(place)
  const old = complete.slice(0, Math.max(0, complete.length - keep))
  const yesterday = backupId(time - day)
  for (const id of [...old, ...incomplete.filter((each) => each < yesterday)]) {
    // A backup without its list is none, also if this is interrupted.
    await orThrow(place.remove(`${backupFolder(id)}/list`))
    await orThrow(place.remove(backupFolder(id)))
  }
  if (old.length === 0) return { backups: 0, blobs: 0 }
  const used = new Set<BlobKey>()
  for (const id of complete.slice(old.length))
    for (const key of (await readBackupList(place, id, checksum)).blobs.keys()) used.add(dataKey(key))
  let blobs = 0
  for await (const { key, written } of place.list(dataFolder)) {
    if (used.has(key) || written > time - day) continue
    await orThrow(place.remove(key))
    blobs += 1
  }
  return { backups: old.length, blobs }
}
