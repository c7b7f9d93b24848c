/**
 * Stores blobs as files. Each is written to a temporary file, synchronized and then renamed, so that after a crash at
 * any moment every acknowledged blob is complete and no other is visible. The name of a blob's file ends in `@`, so that
 * `a/b` and `a/b/c` can both be blobs. Capitals are written in lower case and recorded in a mask after the name, for
 * case-insensitive file systems.
 */
import { randomBytes } from 'node:crypto'
import type { Dir, ReadStream } from 'node:fs'
import { mkdir, open, opendir, rename, rm, rmdir, stat, statfs, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { E, type Either } from '@publishing-service/domain/fp'
import {
  checkBlobKey,
  checkBlobPath,
  countedUses,
  portFailure,
  type BlobEntry,
  type BlobReceipt,
  type BlobStore,
  type BlobTooLarge,
  type BodyInterrupted,
} from '@publishing-service/ports'
import {
  directoryMode,
  fileFailure,
  makeDurableDirectory,
  moveIntoPlace,
  nullIfAbsent,
  part,
  pruneEmpty,
  receiveBody,
  syncDirectory,
} from './file-system.js'
import { removeAbandoned, temporaryPrefix } from './temporary-files.js'
import { thisProcess } from './writing-process.js'

// Names of files.

const fileMark = '@'
const capitalsMark = '+'
const namePattern = /^([A-Za-z0-9_.-]+)(?:\+([0-9a-f]+))?$/

/**
 * The name of a segment. The mask has a bit for each character, set for a capital; the lowest is the first. It has at
 * most 50 digits, so a name fits 255 bytes.
 */
const nameOf = (segment: string): string => {
  const lowercase = segment.toLowerCase()
  if (segment === lowercase) return segment
  let mask = 0n
  for (let at = 0; at < segment.length; at += 1) if (segment[at] !== lowercase[at]) mask |= 1n << BigInt(at)
  return `${lowercase}${capitalsMark}${mask.toString(16)}`
}

/** The segment of a directory's name; null if the name is not of this store. */
export const segmentOfDirectory = (name: string): string | null => {
  const parts = namePattern.exec(name)
  const lowercase = parts?.[1]
  if (lowercase === undefined) return null
  const digits = parts?.[2]
  if (digits === undefined) return lowercase
  const mask = BigInt(`0x${digits}`)
  return [...lowercase]
    .map((letter, at) => ((mask >> BigInt(at)) & 1n ? letter.toUpperCase() : letter))
    .join('')
}

/** The directory of the blobs below this path; the root for the empty path. */
export const directoryOf = (root: string, path: string): string =>
  // Most paths have no capitals.
  path === path.toLowerCase() ? join(root, path) : join(root, ...path.split('/').map(nameOf))

/** The file of the blob with this key. */
export const fileOf = (root: string, key: string): string => `${directoryOf(root, key)}${fileMark}`

/** The segment of a file's name; null if the name is not of this store. */
export const segmentOfFile = (name: string): string | null =>
  name.endsWith(fileMark) ? segmentOfDirectory(name.slice(0, -fileMark.length)) : null

/**
 * Removes the directory if it is empty. A concurrent write that needs it creates it again. An error, such as missing
 * permissions, does not fail the listing.
 */
const removeEmpty = async (directory: string): Promise<boolean> =>
  rmdir(directory).then(
    () => true,
    () => false,
  )

/**
 * Lists the blobs below a directory, one directory entry at a time. Concurrent changes may be missed. Empty directories,
 * which a crash can leave, are removed. `prefix` is the path of the directory followed by a slash, or empty. Returns whether
 * the directory was removed.
 */
export async function* listBlobs(
  directory: string,
  prefix: string,
): AsyncGenerator<BlobEntry, boolean, undefined> {
  const entries: Dir | null = await nullIfAbsent(opendir(directory, { bufferSize: 128 }))
  if (entries === null) return false
  let isEmpty = true
  for await (const entry of entries) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) {
      const segment = segmentOfDirectory(entry.name)
      const removed = segment !== null && (yield* listBlobs(path, `${prefix}${segment}/`))
      isEmpty &&= removed
      continue
    }
    isEmpty = false
    if (entry.isFile()) {
      const segment = segmentOfFile(entry.name)
      const found = segment === null ? null : await nullIfAbsent(stat(path))
      if (found !== null)
        yield { key: `${prefix}${segment}`, bytes: found.size, written: Math.trunc(found.mtimeMs) }
    }
  }
  return isEmpty && prefix !== '' && removeEmpty(directory)
}

// The store.

/** Bytes of a chunk of a read. Large chunks are faster, but many of them would fill the memory. */
const maxChunkBytes = 1024 * 1024
const minChunkBytes = 256 * 1024
/** The memory for the chunks of all reads, unless the smallest chunks need more. */
const maxReadBytes = 64 * 1024 * 1024

/** The chunks of an open file. Not a generator, which would not close the file if cancelled before its first chunk. */
const chunksOf = (body: ReadStream): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => {
    const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]()
    return {
      next: () =>
        chunks.next().catch((error: unknown) => {
          throw fileFailure(error)
        }),
      return: async () => {
        body.destroy()
        return { done: true, value: undefined }
      },
    }
  },
})

const closed = portFailure(part, 'closed')

/** Only the owner may use a file. */
const fileMode = 0o600

export type FilesystemBlobStoreOptions = {
  /**
   * Created if it is missing. Several processes can use it. It must be in one file system with `fsync` and `rename`.
   */
  readonly directory: string
  /** Bytes of disk space that writes leave free. Default 0. */
  readonly reservedBytes?: number
}

const reserveReached = (keepFree: number): Error =>
  Object.assign(new Error(`ENOSPC: only the reserve of ${keepFree} bytes is free`), {
    code: 'ENOSPC',
    syscall: 'write',
  })

type Folders = {
  /** The folder of the blobs. */
  readonly root: string
  /** A new unique path of a temporary file of this process. */
  readonly temporaryPath: () => string
  /** Throws if a write would leave too little disk space free. */
  readonly checkFreeSpace: () => Promise<void>
}

const openFolders = async (options: FilesystemBlobStoreOptions): Promise<Folders> => {
  const directory = resolve(options.directory)
  const root = join(directory, 'blobs')
  const incoming = join(directory, 'incoming')
  await makeDurableDirectory(directory)
  await mkdir(root, { recursive: true, mode: directoryMode })
  await mkdir(incoming, { recursive: true, mode: directoryMode })
  await syncDirectory(directory)
  const self = await thisProcess()
  await removeAbandoned(incoming, self)
  const prefix = join(incoming, temporaryPrefix(self))
  const temporaryPath = (): string => `${prefix}${randomBytes(8).toString('hex')}`
  const reserve = options.reservedBytes ?? 0
  const checkFreeSpace = async (): Promise<void> => {
    if (reserve === 0) return
    const { bavail, bsize } = await statfs(directory)
    if (bavail * bsize <= reserve) throw reserveReached(reserve)
  }
  return { root, temporaryPath, checkFreeSpace }
}

/** Returns null for a missing blob. A missing root, such as a disk that is not mounted, is a failure. */
const nullIfNoBlob = async <A>({ root }: Folders, reading: Promise<A>): Promise<A | null> => {
  const found = await nullIfAbsent(reading)
  if (found === null) await stat(root)
  return found
}

const writeBlob = async (
  { root, temporaryPath, checkFreeSpace }: Folders,
  path: string,
  body: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Either<BlobTooLarge | BodyInterrupted, BlobReceipt>> => {
  const temporary = temporaryPath()
  const file = await open(temporary, 'wx', fileMode)
  let moved = false
  try {
    const received = await receiveBody(file, body, limit, checkFreeSpace)
    if (E.isLeft(received)) return received
    await file.sync()
    await moveIntoPlace(root, temporary, path)
    moved = true
    return received
  } finally {
    await file.close()
    if (!moved) await rm(temporary, { force: true })
  }
}

const removeBlobs = async (folders: Folders, path: string): Promise<void> => {
  const { root, temporaryPath } = folders
  const blobDirectory = directoryOf(root, path)
  // The directory is renamed first, so that its blobs disappear at once and a concurrent write creates a new one.
  const movedAway = temporaryPath()
  const blobRemoved = (await nullIfNoBlob(folders, unlink(fileOf(root, path)))) !== null
  const directoryRemoved = (await nullIfNoBlob(folders, rename(blobDirectory, movedAway))) !== null
  if (blobRemoved || directoryRemoved) await pruneEmpty(root, dirname(blobDirectory))
  if (directoryRemoved) await rm(movedAway, { recursive: true, force: true })
}

const probeFolders = async ({ root, temporaryPath, checkFreeSpace }: Folders): Promise<void> => {
  const probe = temporaryPath()
  await stat(root)
  await checkFreeSpace()
  const file = await open(probe, 'wx', fileMode)
  try {
    await file.write('.')
  } finally {
    await file.close()
    await rm(probe, { force: true })
  }
}

/**
 * Opens the store and removes the temporary files of processes that have ended. Blobs are in the folder `blobs`,
 * temporary files in `incoming`. Rejects with the error of the system if the directory cannot be used.
 */
export const filesystemBlobStore = async (options: FilesystemBlobStoreOptions): Promise<BlobStore> => {
  const folders = await openFolders(options)
  const { root } = folders
  const { use, isClosed, close } = countedUses(closed, fileFailure)
  let openReads = 0

  return {
    write: (key, body, limit) =>
      use(async () => {
        checkBlobKey(key)
        return writeBlob(folders, fileOf(root, key), body, limit)
      }),
    read: (key, range) =>
      use(async () => {
        checkBlobKey(key)
        const file = await nullIfNoBlob(folders, open(fileOf(root, key), 'r'))
        if (file === null) return E.left({ _tag: 'BlobNotFound' } as const)
        const { size: bytes } = await file.stat().catch(async (error: unknown) => {
          await file.close()
          throw error
        })
        openReads += 1
        const highWaterMark = Math.max(
          minChunkBytes,
          Math.min(maxChunkBytes, Math.floor(maxReadBytes / openReads)),
        )
        const body = file.createReadStream({ ...range, highWaterMark })
        body.once('close', () => {
          openReads -= 1
        })
        return E.right({ bytes, chunks: chunksOf(body) })
      }),
    size: (key) =>
      use(async () => {
        checkBlobKey(key)
        const found = await nullIfNoBlob(folders, stat(fileOf(root, key)))
        return E.right(found === null ? null : found.size)
      }),
    remove: (path) =>
      use(async () => {
        checkBlobPath(path)
        return E.right(await removeBlobs(folders, path))
      }),
    async *list(path) {
      if (path !== '') checkBlobPath(path)
      if (isClosed()) throw closed
      try {
        await stat(root)
        yield* listBlobs(directoryOf(root, path), path === '' ? '' : `${path}/`)
      } catch (error) {
        throw fileFailure(error)
      }
    },
    check: () => use(async () => E.right(await probeFolders(folders))),
    close,
  }
}
