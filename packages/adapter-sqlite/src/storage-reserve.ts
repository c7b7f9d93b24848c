/**
 * The storage reserve: a file next to the database that occupies disk space. On a full disk it is deleted, so that
 * removals and urgent writes have space. While it does not exist, no other write is made. Its existence is the only
 * state, so all processes on one database agree.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, renameSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

export type StorageReserve = {
  /** Creates the file if it is missing. Returns whether it exists; true where the reserve has no bytes. */
  readonly allocate: () => boolean
  /** Deletes the file where the disk is full. Returns whether that has freed space. */
  readonly release: () => boolean
  /** Free bytes of the disk. */
  readonly free: () => number
}

/** Milliseconds between two attempts to create the file: each may write all of it. */
const retryInterval = 1000

const pieceSize = 1024 * 1024

/** The disk is full, or the quota of the user. */
const noSpaceCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null)

export const storageReserve = (databaseFile: string, bytes: number): StorageReserve => {
  const file = `${databaseFile}-reserve`
  const temporaryFile = `${file}-new`
  let lastAttempt = -Infinity

  const free = (): number => {
    const { bavail, bsize } = statfsSync(dirname(databaseFile))
    return bavail * bsize
  }

  const isAllocated = (): boolean => statSync(file, { throwIfNoEntry: false })?.size === bytes

  /** Writes random bytes, which no file system can compress. */
  const fill = (): void => {
    const descriptor = openSync(temporaryFile, 'w', 0o600)
    try {
      const piece = randomBytes(Math.min(pieceSize, bytes))
      for (let left = bytes; left > 0;) left -= writeSync(descriptor, piece, 0, Math.min(left, piece.length))
    } finally {
      closeSync(descriptor)
    }
    renameSync(temporaryFile, file)
  }

  return {
    free,
    allocate: () => {
      if (bytes === 0 || isAllocated()) return true
      // A quarter more, so that the first writes after this do not fill the disk again.
      if (free() < bytes * 1.25 || performance.now() < lastAttempt + retryInterval) return false
      lastAttempt = performance.now()
      try {
        fill()
        return true
      } catch (error) {
        rmSync(temporaryFile, { force: true })
        // Another process has just created it; or it can't be created for a reason other than space.
        return isAllocated() || !noSpaceCodes.has(codeOf(error))
      }
    },
    release: () => {
      if (free() >= bytes || !isAllocated()) return false
      rmSync(file, { force: true })
      return true
    },
  }
}
