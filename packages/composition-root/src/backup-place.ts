/** Where backups are, and what they are made of. */
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import {
  collections,
  contentWithLosses,
  documentLines,
  orThrow,
  type BackupSource,
  type CopyTools,
  type DocumentsCopy,
  type Stores,
} from '@publishing-service/application'
import type { BlobStore, DocumentStore, Snapshot } from '@publishing-service/ports'
import type { Configuration } from './configuration.js'
import { documentsFile } from './data-directory.js'

type Place = Pick<
  Configuration,
  'BACKUP_TO' | 'BACKUP_ACCESS_KEY' | 'BACKUP_SECRET_KEY' | 'BACKUP_ENCRYPTION_KEY'
>

/** The blob store that backups are in. */
export type BackupPlace = BlobStore

const openPlace = async (
  to: string,
  { BACKUP_ACCESS_KEY: accessKey, BACKUP_SECRET_KEY: secretKey }: Place,
): Promise<BackupPlace> => {
  if (!/^https?:/.test(to)) {
    const { filesystemBlobStore } = await import('@publishing-service/adapter-filesystem')
    await mkdir(to, { recursive: true, mode: 0o700 })
    return filesystemBlobStore({ directory: to })
  }
  if (accessKey === null || secretKey === null)
    throw new Error('BACKUP_ACCESS_KEY and BACKUP_SECRET_KEY must be set where BACKUP_TO is an address')
  const { minioBlobStore } = await import('@publishing-service/adapter-minio')
  const { origin, pathname } = new URL(to)
  return minioBlobStore({ url: origin, accessKey, secretKey, bucket: pathname.replaceAll('/', '') })
}

/** Opens the place, which is created if it is missing; null if there is none. Rejects with an Error. */
export const openBackupPlace = async (configuration: Place): Promise<BackupPlace | null> => {
  const { BACKUP_TO: to, BACKUP_ENCRYPTION_KEY: key } = configuration
  if (to === null) return null
  const place = await openPlace(to, configuration)
  if (key === null) return place
  const { encryptedPlace } = await import('./encrypted-place.js')
  return encryptedPlace(place, key)
}

/** A new value of BACKUP_ENCRYPTION_KEY. */
export const newBackupKey = async (): Promise<string> =>
  (await import('age-encryption')).generateX25519Identity()

/** Whether the documents are in a file that can be copied as a whole. */
export const hasDocumentsFile = ({ documentStore }: Pick<Configuration, 'documentStore'>): boolean =>
  documentStore.medium === 'folder'

/** The documents of a file that no store has opened. Rejects with an Error. */
export const readDocumentsFile = async (file: string): Promise<Snapshot> => {
  const { readSqliteFile } = await import('@publishing-service/adapter-sqlite')
  return readSqliteFile(file, collections)
}

/** Opens the documents of a file that is being restored. Rejects with an Error. */
export const openDocumentsFile = async (file: string): Promise<DocumentStore> => {
  const { sqliteDocumentStore } = await import('@publishing-service/adapter-sqlite')
  return sqliteDocumentStore({ file, collections })
}

const copyMark = '-backup-'

/** After this time, in milliseconds, a copy is one that a killed process has left. */
const oldCopy = 6 * 3_600_000

/** Removes a file of documents, and what an ended process has left of its writes. */
export const removeDocumentsFile = async (path: string): Promise<void> => {
  for (const end of ['', '-wal', '-shm']) await rm(`${path}${end}`, { force: true })
}

const removeOldCopies = async (file: string): Promise<void> => {
  for (const name of await readdir(dirname(file))) {
    if (!name.startsWith(`${basename(file)}${copyMark}`)) continue
    const path = join(dirname(file), name)
    const found = await stat(path).catch(() => null)
    if (found !== null && Date.now() - found.mtimeMs > oldCopy) await rm(path, { force: true })
  }
}

const withFile = async <A>(file: string, use: (copy: DocumentsCopy) => Promise<A>): Promise<A> => {
  const { copySqliteFile } = await import('@publishing-service/adapter-sqlite')
  const copy = `${file}${copyMark}${process.pid}`
  await removeOldCopies(file)
  await removeDocumentsFile(copy)
  try {
    await copySqliteFile(file, copy)
    const reads = await readDocumentsFile(copy)
    try {
      return await use({
        form: 'sqlite',
        reads,
        body: createReadStream(copy, { highWaterMark: 1024 * 1024 }),
        limit: (await stat(copy)).size,
      })
    } finally {
      await reads.close()
    }
  } finally {
    await removeDocumentsFile(copy)
  }
}

/** The lines as one compressed body. An error of the lines ends the body. */
const compressed = (lines: AsyncIterable<string>): AsyncIterable<Uint8Array> =>
  pipeline(Readable.from(lines), createGzip({ level: 1 }), () => undefined)

/** Bytes of compressed lines. S3 divides a body of unknown size into 10 000 parts, whose size follows from its limit. */
const mostCompressed = 64 * 1024 ** 3

type Named = { readonly name: string; readonly time: string }

/** What backups of open stores are made of. */
export const backupSource = (
  configuration: Configuration,
  { documents, blobs }: Stores,
  { name, time }: Named,
  checksum: CopyTools['checksum'],
): BackupSource => ({
  name,
  blobs,
  withDocuments: async (use) => {
    if (hasDocumentsFile(configuration)) return withFile(documentsFile(configuration), use)
    const snapshot = await orThrow(documents.snapshot())
    try {
      const content = await contentWithLosses({ documents: snapshot, blobs, name, time })
      const body = compressed(documentLines(content, checksum))
      return await use({ form: 'lines', reads: snapshot, body, limit: mostCompressed })
    } finally {
      await snapshot.close()
    }
  },
})

/** Where backups are, for messages. */
export const backupPlaceName = (to: string): string => (/^https?:/.test(to) ? to : resolve(to))
