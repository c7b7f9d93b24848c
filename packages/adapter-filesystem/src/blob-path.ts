/**
 * Converts keys to paths on disk and back. The name of a blob's file ends in `@`, so that `a/b` and `a/b/c` can both be
 * blobs. Capitals are written in lower case and recorded in a mask after the name, for case-insensitive file systems.
 */
import { join } from 'node:path'

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
