/**
 * Lists the blobs below a directory, one directory entry at a time. Concurrent changes may be missed. Empty
 * directories, which a crash can leave, are removed.
 */
import type { Dir } from 'node:fs'
import { opendir, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobEntry } from '@publishing-service/ports'
import { segmentOfDirectory, segmentOfFile } from './blob-path.js'
import { nullIfAbsent } from './file-failure.js'

/**
 * Removes the directory if it is empty. A concurrent write that needs it creates it again. An error, such as missing
 * permissions, does not fail the listing.
 */
const removeEmpty = async (directory: string): Promise<boolean> =>
  rmdir(directory).then(
    () => true,
    () => false,
  )

/** `prefix` is the path of the directory followed by a slash, or empty. Returns whether the directory was removed. */
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
