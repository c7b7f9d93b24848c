/** The folder of the embedded stores, looked at before any of them opens, so that what is wrong is told in its own words. */
import { access, constants, mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Configuration } from './configuration-table.js'
import { systemCode } from './system-code.js'

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file: name a folder',
  ENOTDIR: 'it lies below a file: name a folder',
  EACCES: 'this user may not write there: change its rights or its owner, or name another folder',
  EPERM: 'this user may not write there: change its rights or its owner, or name another folder',
  EROFS: 'it lies on a file system that can only be read: name another folder',
  ENOENT: 'it can’t be made at this place: name another folder',
  ENOSPC: 'the disk is full',
}

type Places = Pick<Configuration, 'DATA_DIR'>

/** The file of the embedded document store. */
export const documentsFile = ({ DATA_DIR }: Places): string => resolve(DATA_DIR, 'documents.sqlite')

/** The folder of the embedded blob store. */
export const blobsFolder = ({ DATA_DIR }: Places): string => resolve(DATA_DIR, 'blobs')

/** Makes the folder where it is missing. Throws an Error that names it, and says what to do. */
export const prepareDataDirectory = async ({ DATA_DIR, STORE, BLOBS }: Configuration): Promise<void> => {
  if (STORE !== 'sqlite' && BLOBS !== 'filesystem') return
  const path = resolve(DATA_DIR)
  try {
    await mkdir(path, { recursive: true })
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = systemCode(error)
    if (code === null) throw error
    throw new Error(`DATA_DIR, ${path}, can’t be used: ${reasons[code] ?? `the system says ${code}`}`, {
      cause: error,
    })
  }
}
