/**
 * What errors of the file system mean to the port, directories whose entries survive a power cut, and how a body is written
 * to a file.
 */
import { createHash } from 'node:crypto'
import { mkdir, open, rename, rmdir, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { E, type Either } from '@publishing-service/domain/fp'
import {
  portFailure,
  storageFull,
  type BlobReceipt,
  type BlobTooLarge,
  type BodyInterrupted,
  type PortFailure,
} from '@publishing-service/ports'

// Errors. A full disk, missing permissions, too many open files and damaged media are failures, which the operator can fix.
// A wrong system call is a defect and is rethrown.

/** The name of this part in messages for the operator. */
export const part = 'blob store'

/** Errors of calls that cannot succeed in any state of the disk. */
const defectCodes: ReadonlySet<string> = new Set(['EBADF', 'EFAULT', 'EINVAL'])

/** The disk is full, or the quota of the user is used up. */
const fullCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT'])

/** The file, or a directory above it, does not exist. */
const absentCodes: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR'])

/** The directory to remove is not empty. */
const notEmptyCodes: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST'])

/** The code of an error of the system; empty for others. */
const systemCode = (error: unknown): string =>
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

// Directories. A renamed file is durable only after the directories above it were synchronized.

/** Only the owner may use a directory. */
export const directoryMode = 0o700

/**
 * A concurrent removal can delete the directory that was just created. After so many attempts, the cause is another.
 */
const maxAttempts = 32

/** Makes added and removed entries of a directory durable. */
export const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Creates the directory and those above it, durably. */
export const makeDurableDirectory = async (directory: string): Promise<void> => {
  const first = await mkdir(directory, { recursive: true, mode: directoryMode })
  const top = first === undefined ? directory : dirname(first)
  for (let each = directory; each !== top; each = dirname(each)) await syncDirectory(each)
  await syncDirectory(top)
}

/**
 * Moves a complete file to its path below the root, atomically and durably. All directories above are synchronized,
 * since another process may have created them and not synchronized them yet. The system combines these requests.
 */
export const moveIntoPlace = async (root: string, from: string, to: string): Promise<void> => {
  const parent = dirname(to)
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (attempt > 1) await mkdir(parent, { recursive: true, mode: directoryMode })
      await rename(from, to)
      break
    } catch (error) {
      if (!absentCodes.has(systemCode(error)) || attempt === maxAttempts) {
        if (attempt > 1) await pruneEmpty(root, parent)
        throw error
      }
    }
  }
  // A directory can be removed concurrently.
  const syncing = [nullIfAbsent(syncDirectory(root))]
  for (let each = parent; each !== root; each = dirname(each)) syncing.push(nullIfAbsent(syncDirectory(each)))
  await Promise.all(syncing)
}

/** Removes this directory and those above it, up to the root, if they are empty. The removal is durable. */
export const pruneEmpty = async (root: string, directory: string): Promise<void> => {
  let current = directory
  while (current !== root) {
    try {
      await rmdir(current)
    } catch (error) {
      const code = systemCode(error)
      if (notEmptyCodes.has(code)) break
      if (!absentCodes.has(code)) throw error
    }
    current = dirname(current)
  }
  await nullIfAbsent(syncDirectory(current))
}

// Bodies.

/** Bytes of a buffer. Larger ones are not faster. */
const bufferBytes = 256 * 1024

const interrupted: BodyInterrupted = { _tag: 'BodyInterrupted' }

/** Ends the source early. Its errors are ignored. */
const closeSource = async (source: AsyncIterator<Uint8Array>): Promise<void> => {
  try {
    await source.return?.()
  } catch {
    return
  }
}

/** Bytes between two checks of the free disk space. */
const bytesBetweenChecks = 4 * 1024 * 1024

/**
 * Writes a body to an open file, and computes its length and digest. Two buffers alternate: one is filled while the other is
 * written. The body is read only while a buffer is free. Returns the receipt of the complete body. Throws errors of the file
 * and of `checkFreeSpace`.
 */
export const receiveBody = async (
  file: FileHandle,
  body: AsyncIterable<Uint8Array>,
  limit: number,
  checkFreeSpace: () => Promise<void>,
): Promise<Either<BlobTooLarge | BodyInterrupted, BlobReceipt>> => {
  const source = body[Symbol.asyncIterator]()
  const digest = createHash('sha256')
  let filling: Uint8Array = Buffer.allocUnsafeSlow(bufferBytes)
  let spare: Uint8Array | null = null
  let filled = 0
  let bytes = 0
  let nextCheck = 0
  let ended = false
  /** The write of the other buffer, which runs while this one is filled. */
  let writing: Promise<void> = Promise.resolve()

  const writeBuffer = async (): Promise<void> => {
    await writing
    const full = filling
    writing = file.writeFile(full.subarray(0, filled))
    // A failure is not reported as unhandled before the next buffer.
    writing.catch(() => undefined)
    filling = spare ?? Buffer.allocUnsafeSlow(bufferBytes)
    spare = full
    filled = 0
  }

  try {
    for (;;) {
      let next: IteratorResult<Uint8Array>
      try {
        next = await source.next()
      } catch {
        ended = true
        return E.left(interrupted)
      }
      if (next.done === true) {
        ended = true
        break
      }
      const chunk = next.value
      if (bytes >= nextCheck) {
        await checkFreeSpace()
        nextCheck = bytes + bytesBetweenChecks
      }
      bytes += chunk.length
      if (bytes > limit) return E.left({ _tag: 'BlobTooLarge', limit })
      digest.update(chunk)
      for (let at = 0; at < chunk.length;) {
        const piece = chunk.subarray(at, at + bufferBytes - filled)
        filling.set(piece, filled)
        filled += piece.length
        at += piece.length
        if (filled === bufferBytes) await writeBuffer()
      }
    }
    if (filled > 0) await writeBuffer()
    await writing
    return E.right({ bytes, sha256: digest.digest('hex') })
  } finally {
    // The caller closes the file afterwards.
    await writing.catch(() => undefined)
    if (!ended) await closeSource(source)
  }
}
