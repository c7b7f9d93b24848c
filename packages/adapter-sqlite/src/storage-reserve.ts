/**
 * The storage reserve: a file next to the database that occupies disk space. On a full disk it is shortened step by
 * step, so that removals and urgent writes have space, and lengthened as soon as there is space. While it is not whole,
 * no other write is made. Its size is the only state, so all processes on one database agree.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, statfsSync, statSync, truncateSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

export type StorageReserve = {
  /** Lengthens the file as far as there is space. Returns whether it is whole; true where the reserve has no bytes. */
  readonly take: () => boolean
  /** Shortens the file by as many bytes where the disk is full. Returns whether that has freed space. */
  readonly give: (count: number) => boolean
  /** Bytes that can be given. */
  readonly size: () => number
  /** Free bytes of the disk. */
  readonly free: () => number
}

/** Milliseconds after a failed attempt to lengthen the file. */
const retryInterval = 1000

const pieceSize = 1024 * 1024

/** Free bytes that remain when the file is lengthened and not yet whole: few, because another program may use them. */
const leftFree = 16 * 1024

/** The disk is full, or the quota of the user. */
const noSpaceCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null)

const freeBytes = (databaseFile: string): number => {
  const { bavail, bsize } = statfsSync(dirname(databaseFile))
  return bavail * bsize
}

/** `free` returns the free bytes of the disk of the database. */
export const storageReserve = (
  databaseFile: string,
  bytes: number,
  free = (): number => freeBytes(databaseFile),
): StorageReserve => {
  const file = `${databaseFile}-reserve`
  let lastFailure = -Infinity

  const sizeOfFile = (): number | null => statSync(file, { throwIfNoEntry: false })?.size ?? null

  const size = (): number => sizeOfFile() ?? 0

  /** The size for which there is space; one byte less than whole where the next writes would fill the disk again. */
  const attainable = (): number => {
    const current = sizeOfFile()
    const space = free()
    if (space >= bytes - (current ?? 0) + bytes / 4) return bytes
    // Without a file it is made at once: a part of it would take space from a disk that was never full.
    return current === null ? 0 : Math.min(bytes - 1, current + Math.max(0, space - leftFree))
  }

  /** Writes random bytes, which no file system can compress, from the present end on. */
  const lengthen = (end: number): void => {
    const descriptor = openSync(file, 'a', 0o600)
    try {
      const piece = randomBytes(Math.min(pieceSize, end))
      for (let left = end - size(); left > 0;)
        left -= writeSync(descriptor, piece, 0, Math.min(left, piece.length))
    } finally {
      closeSync(descriptor)
    }
  }

  const isWhole = (): boolean => size() >= bytes

  return {
    free,
    size,
    take: () => {
      if (bytes === 0 || isWhole()) return true
      if (performance.now() < lastFailure + retryInterval) return false
      const end = attainable()
      if (end <= size()) return false
      try {
        lengthen(end)
        return isWhole()
      } catch (error) {
        lastFailure = performance.now()
        // It can't be written for a reason other than space.
        return !noSpaceCodes.has(codeOf(error))
      }
    },
    give: (count) => {
      const current = size()
      if (current === 0 || free() >= bytes) return false
      truncateSync(file, Math.max(0, current - count))
      return true
    },
  }
}
