/**
 * Converts errors of the file system to failures of the port. A full disk, missing permissions, too many open files and
 * damaged media are failures, which the operator can fix. A wrong system call is a defect and is rethrown.
 */
import { portFailure, storageFull, type PortFailure } from '@publishing-service/ports'

/** The name of this part in messages for the operator. */
export const part = 'blob store'

/** Errors of calls that cannot succeed in any state of the disk. */
const defectCodes: ReadonlySet<string> = new Set(['EBADF', 'EFAULT', 'EINVAL'])

/** The disk is full, or the quota of the user is used up. */
const fullCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT'])

/** The file, or a directory above it, does not exist. */
export const absentCodes: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR'])

/** The directory to remove is not empty. */
export const notEmptyCodes: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST'])

/** The code of an error of the system; empty for others. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error
    ? error.code
    : ''

/** Returns null if the path does not exist. */
export const nullIfAbsent = async <A>(reading: Promise<A>): Promise<A | null> => {
  try {
    return await reading
  } catch (error) {
    if (absentCodes.has(systemCode(error))) return null
    throw error
  }
}

/** Returns a PortFailure for errors such as ENOSPC, EIO, EACCES and EMFILE. Rethrows defects. */
export const fileFailure = (error: unknown): PortFailure => {
  const code = systemCode(error)
  if (code === '' || defectCodes.has(code)) throw error
  return fullCodes.has(code) ? storageFull(part, error) : portFailure(part, error)
}
