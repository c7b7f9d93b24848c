/**
 * Where a key's blob lies on the disk, and back. A blob's file ends in `@`, so that `a/b` and `a/b/c` can both be
 * blobs; capitals are written small with a mask behind, so that a file system blind to case keeps keys apart.
 */
import { join } from 'node:path'

const fileMark = '@'
const maskMark = '+'
const namePattern = /^([A-Za-z0-9_.-]+)(?:\+([0-9a-f]+))?$/

/** One bit a character, the first one lowest, set for a capital; at most 50 digits, so that a name fits 255 bytes. */
const capitals = (segment: string): bigint =>
  [...segment].reduce((mask, letter, at) => (/[A-Z]/.test(letter) ? mask | (1n << BigInt(at)) : mask), 0n)

const nameOf = (segment: string): string => {
  const mask = capitals(segment)
  return mask === 0n ? segment : `${segment.toLowerCase()}${maskMark}${mask.toString(16)}`
}

/** The segment that the name of a directory stands for, or null for what isn't of this store. */
export const segmentOfDirectory = (name: string): string | null => {
  const parts = namePattern.exec(name)
  const small = parts?.[1]
  if (small === undefined) return null
  const digits = parts?.[2]
  if (digits === undefined) return small
  const mask = BigInt(`0x${digits}`)
  return [...small].map((letter, at) => ((mask >> BigInt(at)) & 1n ? letter.toUpperCase() : letter)).join('')
}

/** The directory of the blobs below this path; the root itself for the empty path. */
export const directoryOf = (root: string, path: string): string =>
  path === '' ? root : join(root, ...path.split('/').map(nameOf))

/** The file of the blob with this key. */
export const fileOf = (root: string, key: string): string => `${directoryOf(root, key)}${fileMark}`

/** The segment that the name of a file stands for, or null for what isn't of this store. */
export const segmentOfFile = (name: string): string | null =>
  name.endsWith(fileMark) ? segmentOfDirectory(name.slice(0, -fileMark.length)) : null
