/** Walks the blobs below a directory, one directory entry at a time; what appears or goes meanwhile may be missed. */
import type { Dir } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobEntry } from '@publishing-service/ports'
import { segmentOfDirectory, segmentOfFile } from './blob-path.js'
import { isAbsent } from './file-failure.js'

const orAbsent = async <A>(asking: Promise<A>): Promise<A | null> => {
  try {
    return await asking
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

/** `prefix` is the path of the directory with a slash behind, or empty. */
export async function* listBlobs(
  directory: string,
  prefix: string,
): AsyncGenerator<BlobEntry, void, undefined> {
  const entries: Dir | null = await orAbsent(opendir(directory, { bufferSize: 128 }))
  if (entries === null) return
  for await (const entry of entries) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) {
      const segment = segmentOfDirectory(entry.name)
      if (segment !== null) yield* listBlobs(path, `${prefix}${segment}/`)
    } else if (entry.isFile()) {
      const segment = segmentOfFile(entry.name)
      const found = segment === null ? null : await orAbsent(stat(path))
      if (found !== null)
        yield { key: `${prefix}${segment}`, bytes: found.size, written: Math.trunc(found.mtimeMs) }
    }
  }
}
