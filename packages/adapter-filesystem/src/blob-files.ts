/**
 * The files of blobs: their paths, and the keys that these have. The name of a blob's file ends in `@`, so that `a/b` and
 * `a/b/c` can both be blobs. Capitals are written in lower case and recorded in a mask after the name, for case-insensitive
 * file systems.
 */
import type { Dir } from 'node:fs'
import { opendir, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobEntry } from '@publishing-service/ports'
import { nullIfAbsent } from './file-system.js'

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
  path === '' ? root : join(root, ...path.split('/').map(nameOf))

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
