/** The folder of the embedded stores, checked before any of them opens, so that a problem of the folder has a separate message. */
import type { Log } from '@publishing-service/ports'
import { access, constants, mkdir, stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Configuration } from './configuration.js'
import { systemCode } from './thrown-errors.js'

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file: name a folder',
  ENOTDIR: 'it is below a file: name a folder',
  EACCES: 'this user may not write there: change its rights or its owner, or name another folder',
  EPERM: 'this user may not write there: change its rights or its owner, or name another folder',
  EROFS: 'it is on a read-only file system: name another folder',
  ENOENT: 'it can’t be made at this place: name another folder',
  ENOSPC: 'the disk is full',
}

type Places = Pick<Configuration, 'DATA_DIR'>

/** The file of the embedded document store. */
export const documentsFile = ({ DATA_DIR }: Places): string => resolve(DATA_DIR, 'documents.sqlite')

/** The folder of the embedded blob store. */
export const blobsFolder = ({ DATA_DIR }: Places): string => resolve(DATA_DIR, 'blobs')

/** Bytes of the disk that are reserved for deletions, sign-in and revocation when it is full. */
export const reservedSpace = 16 * 1024 * 1024

/** Free bytes that a store needs to be created in the folder: the reserve and the sample, and for blobs what uploads leave free. */
const neededSpace = { documents: 1.5 * reservedSpace, blobs: 2.5 * reservedSpace }

/** Free bytes in the folder below which the stores accept no additions. */
export const storageReserve = ({
  blobStore,
}: {
  readonly blobStore: Pick<Configuration['blobStore'], 'medium'>
}): number =>
  // Blobs leave it twice, so that space that was released can be reserved again.
  blobStore.medium === 'folder' ? 2 * reservedSpace : reservedSpace

/** Whether a store is in the folder. */
export const usesDataDirectory = ({ documentStore, blobStore }: Configuration): boolean =>
  documentStore.medium === 'folder' || blobStore.medium === 'folder'

/** Warns of a folder that other users of the machine can read or write; its rights are left as they are. */
export const warnOfOpenDataDirectory = async (configuration: Configuration, log: Log): Promise<void> => {
  if (!usesDataDirectory(configuration) || process.platform === 'win32') return
  const path = resolve(configuration.DATA_DIR)
  const mode = (await stat(path)).mode & 0o777
  if ((mode & 0o077) === 0) return
  log.write('warn', 'DATA_DIR is open to other users: chmod 700', { path, mode: mode.toString(8) })
}

/**
 * Creates a folder and those above it. `mkdir` of Node with `recursive` never ends where the system reports that the folder
 * above is missing although it exists, as in `/proc`.
 */
const makeFolder = async (path: string): Promise<void> => {
  const make = () => mkdir(path, { mode: 0o700 })
  try {
    await make()
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' && dirname(path) !== path) {
      await makeFolder(dirname(path))
      await make()
    } else if (code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error
  }
}

/** What DATA_DIR must contain if it was used before; null if the folder is empty. */
const expectedIn = (configuration: Configuration): string | null => {
  if (configuration.documentStore.medium === 'folder') return documentsFile(configuration)
  return configuration.blobStore.medium === 'folder' ? blobsFolder(configuration) : null
}

/** The part of the data of a service that is missing; null if nothing is. Creates nothing. */
export const missingData = async (configuration: Configuration): Promise<string | null> => {
  const expected = expectedIn(configuration)
  if (expected === null) return null
  try {
    await stat(expected)
    return null
  } catch (error) {
    // The store reports other failures when it is opened.
    return systemCode(error) === 'ENOENT' ? expected : null
  }
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`

/** Throws an Error if the disk has no space for new data. */
const requireSpace = async (configuration: Configuration, path: string): Promise<void> => {
  if ((await missingData(configuration)) === null) return
  const { documentStore, blobStore } = configuration
  const needed =
    (documentStore.medium === 'folder' ? neededSpace.documents : 0) +
    (blobStore.medium === 'folder' ? neededSpace.blobs : 0)
  const { bavail, bsize } = await statfs(path)
  const free = bavail * bsize
  if (free < needed)
    throw new Error(
      `DATA_DIR, ${path}, has not enough space: a first start needs ${megabytes(needed)}, and ${megabytes(free)} are free`,
    )
}

/**
 * Creates the folder if it does not exist, and checks that a first start has space. Throws an Error that names the folder and what to do.
 */
export const prepareDataDirectory = async (configuration: Configuration): Promise<void> => {
  if (!usesDataDirectory(configuration)) return
  const path = resolve(configuration.DATA_DIR)
  try {
    await makeFolder(path)
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    await requireSpace(configuration, path)
  } catch (error) {
    const code = systemCode(error)
    if (code === null) throw error
    throw new Error(`DATA_DIR, ${path}, can’t be used: ${reasons[code] ?? `the system reports ${code}`}`, {
      cause: error,
    })
  }
}
