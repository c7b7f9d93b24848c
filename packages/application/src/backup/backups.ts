/** Backups as tasks, for commands and the service. */
import type { TaskEither } from '@publishing-service/domain/fp'
import type { BlobStore, DocumentStore } from '@publishing-service/ports'
import { asTask, type CopyFailure } from '../storage-copy/copy-failure.js'
import type { CopyResult, CopyTools } from '../storage-copy/copy-run.js'
import {
  contentOfExport,
  contentWithLosses,
  type StoredExport,
  type Stores,
  type WholeContent,
} from '../storage-copy/content.js'
import { fillStores } from '../storage-copy/fill-stores.js'
import { beginRewind, contentToRewind, endRewind, rewindBegun } from '../storage-copy/unfinished-copy.js'
import type { DocumentReads } from '../storage-copy/partitions.js'
import { makeBackup, type BackupRequest, type BackupResult } from './create-backup.js'
import { backupNames, backupTime, type BackupList } from './backup-list.js'
import { claimBackup } from './claim-backup.js'
import { pruneBackups, type Pruned, type PruneRequest } from './prune-backups.js'
import {
  dataOfBackup,
  listBackups,
  openBackup,
  openBackupSince,
  verifyBackup,
  type BackupFindings,
  type ListedBackup,
} from './read-backup.js'
import {
  blobsOfBackup,
  contentOfBackup,
  documentBytes,
  nameOfBackup,
  restoreBlobs,
} from './restore-backup.js'

/** The documents of a backup, once they can be read. */
export type BackupDocuments =
  | { readonly form: 'sqlite'; readonly reads: DocumentReads }
  | { readonly form: 'lines'; readonly lines: StoredExport['lines'] }

const contentWith = async (
  place: BlobStore,
  list: BackupList,
  documents: BackupDocuments,
  { checksum }: CopyTools,
): Promise<WholeContent> => {
  const data = dataOfBackup(place)
  if (documents.form === 'lines')
    return contentOfBackup(
      await contentOfExport({ lines: documents.lines, blobs: data }, checksum),
      place,
      list,
    )
  const { source: name, time } = list.head
  const { list: listed } = blobsOfBackup(place, list)
  const entries = async function* () {
    for await (const { key, bytes } of listed()) yield { key, bytes, written: 0 }
  }
  const blobs = { ...place, ...data, list: entries }
  const content = await contentWithLosses({ documents: documents.reads, blobs, name, time })
  return contentOfBackup(content, place, list)
}

export const backups = {
  create: (request: BackupRequest, tools: CopyTools): TaskEither<CopyFailure, BackupResult> =>
    asTask(() => makeBackup(request, tools)),
  prune: (request: PruneRequest, tools: CopyTools): TaskEither<CopyFailure, Pruned> =>
    asTask(() => pruneBackups(request, tools)),
  list: (place: BlobStore, tools: CopyTools): TaskEither<CopyFailure, readonly ListedBackup[]> =>
    asTask(() => listBackups(place, tools)),
  /** A backup by its name, or the latest. */
  open: (place: BlobStore, id: string | null, tools: CopyTools): TaskEither<CopyFailure, BackupList> =>
    asTask(() => openBackup(place, id, tools)),
  /** The earliest backup that was made at a time in milliseconds or after it, or else the latest. */
  openSince: (place: BlobStore, time: number, tools: CopyTools): TaskEither<CopyFailure, BackupList> =>
    asTask(() => openBackupSince(place, time, tools)),
  /** The time of a backup, in milliseconds. */
  timeOf: ({ id }: Pick<BackupList, 'id'>): number => backupTime(id),
  /** The time of the latest backup, in milliseconds; null if there is none. Throws a PortFailure. */
  latest: async (place: BlobStore): Promise<number | null> => {
    const id = (await backupNames(place)).complete.at(-1)
    return id === undefined ? null : backupTime(id)
  },
  /** Whether this process makes the next backup. Throws a PortFailure. */
  claim: claimBackup,
  verify: (place: BlobStore, list: BackupList, tools: CopyTools): TaskEither<CopyFailure, BackupFindings> =>
    asTask(() => verifyBackup(place, list, tools)),
  documentBytes,
  restoreBlobs: (
    place: BlobStore,
    list: BackupList,
    to: BlobStore,
    tools: CopyTools,
  ): TaskEither<CopyFailure, void> => asTask(() => restoreBlobs(place, list, to, tools)),
  /** Fills stores of any kind. With `rewindTo` they remain unfinished until `endRewind`. */
  fill: (
    place: BlobStore,
    list: BackupList,
    documents: BackupDocuments,
    to: Stores,
    { rewindTo, ...tools }: CopyTools & { readonly rewindTo: string | null },
  ): TaskEither<CopyFailure, CopyResult> =>
    asTask(async () => {
      const content = await contentWith(place, list, documents, tools)
      const filled = rewindTo === null ? content : contentToRewind(content, rewindTo)
      return fillStores(filled, to, { whereDifferent: 'reject', ...tools })
    }),
  /** Marks restored documents: their instances are still to be taken back to a moment. */
  beginRewind: (
    documents: DocumentStore,
    list: BackupList,
    rewindTo: string,
  ): TaskEither<CopyFailure, void> => asTask(() => beginRewind(documents, nameOfBackup(list), rewindTo)),
  /** The moment to which the instances of restored stores are still to be taken back; null if they are not. */
  rewindBegun: (documents: DocumentStore): TaskEither<CopyFailure, string | null> =>
    asTask(() => rewindBegun(documents)),
  endRewind: (documents: DocumentStore): TaskEither<CopyFailure, void> => asTask(() => endRewind(documents)),
}
