/**
 * The one place where errors of the file system become failures of the port. A full disk, missing rights, too many
 * open files and broken media are the operator's to mend; a wrong call of ours is a defect and stays one.
 */
import { portFailure, storageFull, type PortFailure } from '@publishing-service/ports'

/** How the operator knows this part. */
export const part = 'blob store'

/** What the system answers to a call that could never work, whatever the disk's state. */
const defects: ReadonlySet<string> = new Set(['EBADF', 'EFAULT', 'EINVAL'])

/** The disk has no room left, or this user has none. */
const full: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT'])

const systemCode = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error
    ? error.code
    : null

/** Nothing is at this path: the file, or a directory above it, isn't there. */
export const isAbsent = (error: unknown): boolean => {
  const code = systemCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** What is read at a path; null where nothing is at it. */
export const orAbsent = async <A>(reading: Promise<A>): Promise<A | null> => {
  try {
    return await reading
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

/** Something is left in the directory that was to be removed. */
export const isOccupied = (error: unknown): boolean => {
  const code = systemCode(error)
  return code === 'ENOTEMPTY' || code === 'EEXIST'
}

/** ENOSPC, EIO, EACCES, EMFILE and their like as a PortFailure; throws again whatever isn't the system's. */
export const fileFailure = (error: unknown): PortFailure => {
  const code = systemCode(error)
  if (code === null || defects.has(code)) throw error
  return full.has(code) ? storageFull(part, error) : portFailure(part, error)
}
