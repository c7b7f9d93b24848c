/**
 * A file next to the database that holds disk space back. On a full disk it is removed, so that removals and urgent
 * writes have room; while it is missing no other write is made. Its presence is the whole state, so that processes on
 * one database agree.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, renameSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

export type StorageReserve = {
  /** Whether the space is held back, after an attempt to do so; true where there is nothing to hold back. */
  readonly allocate: () => boolean
  /** Removes the file where the disk is full. Returns whether that has made room. */
  readonly release: () => boolean
  /** Bytes of the disk that are free. */
  readonly free: () => number
}

/** Milliseconds between two attempts to make the file: each may write all of it. */
const retryInterval = 1000

const pieceSize = 1024 * 1024

/** The disk has no room for the file, or the user has none left. */
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

  /** Random bytes, which no file system can store in less space. */
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
        // Another process has made it in this moment; or it cannot be made here at all, which is no lack of room.
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
