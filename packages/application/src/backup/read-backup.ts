/** Reads backups: which there are, and whether all of one is as it was written. */
import { E } from '@publishing-service/domain/fp'
import type { BlobKey, BlobStore } from '@publishing-service/ports'
import { checksumOf, concurrency } from '../storage-copy/copy-blobs.js'
import { asTask, throwRejection } from '../storage-copy/copy-failure.js'
import { progressOf, type CopyTools } from '../storage-copy/copy-run.js'
import { forEachConcurrently } from '../storage-copy/for-each-concurrently.js'
import {
  backupNames,
  backupTime,
  dataKey,
  documentsKey,
  readBackupList,
  type BackupList,
} from './backup-list.js'

/** A backup; null if its list was changed. */
export type ListedBackup = { readonly id: string; readonly list: BackupList | null }

/** The complete backups, the latest first. Throws a PortFailure. */
export const listBackups = async (
  place: BlobStore,
  { checksum }: Pick<CopyTools, 'checksum'>,
): Promise<readonly ListedBackup[]> => {
  const found: ListedBackup[] = []
  for (const id of (await backupNames(place)).complete.toReversed()) {
    const list = await asTask(() => readBackupList(place, id, checksum))()
    if (E.isRight(list)) found.push({ id, list: list.right })
    else if (list.left._tag === 'ExportDamaged') found.push({ id, list: null })
    else throw list.left
  }
  return found
}

/** A backup by its name, or the latest. Throws BackupMissing if there is none, or ExportDamaged. */
export const openBackup = async (
  place: BlobStore,
  id: string | null,
  { checksum }: Pick<CopyTools, 'checksum'>,
): Promise<BackupList> => {
  const { complete } = await backupNames(place)
  const found = id === null ? complete.at(-1) : complete.find((each) => each === id)
  if (found === undefined) return throwRejection({ _tag: 'BackupMissing', id })
  return readBackupList(place, found, checksum)
}

/** The earliest backup that was made at a time in milliseconds or after it, or else the latest. Throws like `openBackup`. */
export const openBackupSince = async (
  place: BlobStore,
  time: number,
  tools: Pick<CopyTools, 'checksum'>,
): Promise<BackupList> => {
  const { complete } = await backupNames(place)
  return openBackup(place, complete.find((id) => backupTime(id) >= time) ?? null, tools)
}

/** What is wrong with a backup. */
export type BackupFindings = { readonly missing: readonly string[]; readonly damaged: readonly string[] }

/** Reads all of a backup. Throws a PortFailure. */
export const verifyBackup = async (
  place: BlobStore,
  { id, head, blobs, bytes }: BackupList,
  tools: CopyTools,
): Promise<BackupFindings> => {
  const findings = { missing: [] as string[], damaged: [] as string[] }
  const check = async (key: BlobKey, name: string, sha256: string): Promise<void> => {
    const found = await checksumOf(place, key, tools.checksum)
    if (found === null) findings.missing.push(name)
    else if (found !== sha256) findings.damaged.push(name)
  }
  await check(documentsKey(id), 'the documents', head.documents.sha256)
  const done = progressOf(tools, 'check blobs', bytes)
  async function* lines() {
    yield* blobs.values()
  }
  await forEachConcurrently(lines(), concurrency, async (line) => {
    await check(dataKey(line.blob), line.blob, line.sha256)
    done(line.bytes)
  })
  return findings
}

/** The data of a backup, by the keys of the stores that it was made of. */
export const dataOfBackup = ({ read, size }: BlobStore): Pick<BlobStore, 'read' | 'size'> => ({
  read: (key, range) => read(dataKey(key), range),
  size: (key) => size(dataKey(key)),
})
