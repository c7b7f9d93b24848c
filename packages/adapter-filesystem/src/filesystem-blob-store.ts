/**
 * Blobs as files: written aside, digested on the way, synchronized and then moved into place in one step, so that
 * a crash at any moment leaves every acknowledged blob whole and nothing else to be seen.
 */
import type { ReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat, statfs, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { E } from '@publishing-service/domain'
import {
  checkBlobKey,
  checkBlobPath,
  countedUses,
  portFailure,
  type BlobEntry,
  type BlobKey,
  type BlobStore,
} from '@publishing-service/ports'
import { directoryOf, fileOf } from './blob-path.js'
import {
  makeDurableDirectory,
  moveIntoPlace,
  ownDirectory,
  pruneEmpty,
  syncDirectory,
} from './durable-directory.js'
import { fileFailure, orAbsent, part } from './file-failure.js'
import { incomingPath, removeLeftovers } from './incoming.js'
import { listBlobs } from './list-blobs.js'
import { receiveBody } from './receive-body.js'
import { thisProcess } from './writing-process.js'

/** Bytes of one chunk of a read: large ones are quicker to read, many at once would fill the memory. */
const mostChunkBytes = 1024 * 1024
const leastChunkBytes = 256 * 1024
/** What the chunks of all reads may take together while they are larger than the least. */
const readingBytes = 64 * 1024 * 1024

const chunkBytes = (reads: number): number =>
  Math.max(leastChunkBytes, Math.min(mostChunkBytes, Math.floor(readingBytes / reads)))

/** The chunks of an open file. No generator: one that is ended before its first chunk would leave the file open. */
const failingAsPort = (body: ReadStream): AsyncIterable<Uint8Array> => ({
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

/** The rights of a file: its owner's alone. */
const ownFile = 0o600

export type FilesystemBlobStoreOptions = {
  /** Made where it isn't there. Processes may share it; it has to be one file system with `fsync` and `rename`. */
  readonly directory: string
  /** Bytes of the disk that writes leave free, for what else is on it; all can be used where not given. */
  readonly keepFree?: number
}

const noRoom = (keepFree: number): Error =>
  Object.assign(new Error(`ENOSPC: no more than the ${keepFree} bytes to be left free are free`), {
    code: 'ENOSPC',
    syscall: 'write',
  })

/**
 * Opens the store in its directory and removes what processes that have ended left half written. Blobs lie in
 * `blobs`, writes under way in `incoming`. Rejects with the system's error where the directory can't be used.
 */
export const filesystemBlobStore = async (options: FilesystemBlobStoreOptions): Promise<BlobStore> => {
  const { keepFree = 0 } = options
  const directory = resolve(options.directory)
  const root = join(directory, 'blobs')
  const incoming = join(directory, 'incoming')
  await makeDurableDirectory(directory)
  await mkdir(root, { recursive: true, mode: ownDirectory })
  await mkdir(incoming, { recursive: true, mode: ownDirectory })
  await syncDirectory(directory)
  const self = await thisProcess()
  await removeLeftovers(incoming, self)

  const { use, isClosed, close } = countedUses(closed, fileFailure)
  /** Reads whose file is open. */
  let reads = 0

  /** A missing blob is an answer, a missing root (a disk that isn't mounted) is a failure. */
  const orNoBlob = async <A>(reading: Promise<A>): Promise<A | null> => {
    const found = await orAbsent(reading)
    if (found === null) await stat(root)
    return found
  }

  /** Whether there was something to do it to. */
  const done = async (removing: Promise<void>): Promise<boolean> =>
    (await orNoBlob(removing.then(() => true))) ?? false

  const pathOf = (key: BlobKey): string => {
    checkBlobKey(key)
    return fileOf(root, key)
  }

  const checkRoom = async (): Promise<void> => {
    if (keepFree === 0) return
    const { bavail, bsize } = await statfs(directory)
    if (bavail * bsize <= keepFree) throw noRoom(keepFree)
  }

  const write: BlobStore['write'] = (key, body, limit) =>
    use(async () => {
      const path = pathOf(key)
      const temporary = incomingPath(incoming, self)
      const file = await open(temporary, 'wx', ownFile)
      let moved = false
      try {
        const received = await receiveBody(file, body, limit, checkRoom)
        if (E.isLeft(received)) return received
        await file.sync()
        await moveIntoPlace(root, temporary, path)
        moved = true
        return received
      } finally {
        await file.close()
        if (!moved) await rm(temporary, { force: true })
      }
    })

  const read: BlobStore['read'] = (key, range) =>
    use(async () => {
      const file = await orNoBlob(open(pathOf(key), 'r'))
      if (file === null) return E.left({ _tag: 'BlobNotFound' } as const)
      const { size: bytes } = await file.stat().catch(async (error: unknown) => {
        await file.close()
        throw error
      })
      reads += 1
      const body = file.createReadStream({ ...range, highWaterMark: chunkBytes(reads) })
      body.once('close', () => {
        reads -= 1
      })
      return E.right({ bytes, chunks: failingAsPort(body) })
    })

  const size: BlobStore['size'] = (key) =>
    use(async () => {
      const found = await orNoBlob(stat(pathOf(key)))
      return E.right(found === null ? null : found.size)
    })

  const remove: BlobStore['remove'] = (path) =>
    use(async () => {
      checkBlobPath(path)
      const below = directoryOf(root, path)
      // Moved away whole first, so that nobody finds half of it and a write below makes the path anew.
      const aside = incomingPath(incoming, self)
      const blobGone = await done(unlink(fileOf(root, path)))
      const belowGone = await done(rename(below, aside))
      if (blobGone || belowGone) await pruneEmpty(root, dirname(below))
      if (belowGone) await rm(aside, { recursive: true, force: true })
      return E.right(undefined)
    })

  async function* list(path: string): AsyncGenerator<BlobEntry, void, undefined> {
    if (path !== '') checkBlobPath(path)
    if (isClosed()) throw closed
    try {
      await stat(root)
      yield* listBlobs(directoryOf(root, path), path === '' ? '' : `${path}/`)
    } catch (error) {
      throw fileFailure(error)
    }
  }

  const check: BlobStore['check'] = () =>
    use(async () => {
      const probe = incomingPath(incoming, self)
      await stat(root)
      await checkRoom()
      const file = await open(probe, 'wx', ownFile)
      try {
        await file.write('.')
      } finally {
        await file.close()
        await rm(probe, { force: true })
      }
      return E.right(undefined)
    })

  return { write, read, size, remove, list, check, close }
}
