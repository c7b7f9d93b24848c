import { E, file } from '@publishing-service/domain'
import type { Ports } from '../ports.js'
import { uploadBlobs } from './blob-paths.js'

/** How many files are looked up at a time. */
const batchSize = 500

/** The blobs of one upload. */
export type LeftOver = { readonly path: string; readonly instance: number; readonly fileId: string }

const uploadOf = (key: string): LeftOver | null => {
  const [instance = '', fileId = '', name = '', rest] = key.split('/')
  return rest === undefined || !/^\d+$/.test(instance)
    ? null
    : { path: uploadBlobs(Number(instance), fileId, name), instance: Number(instance), fileId }
}

/**
 * Finds and removes the blobs that no file names: what a crash left between a blob and its metadata. Blobs written
 * after `writtenBefore` (milliseconds since 1970) are let be. What was found is looked at again when it is removed, so
 * that an upload of another process has had its time to be named. Both throw a PortFailure when a store fails.
 */
export const createLeftOvers = ({ documents, blobs }: Pick<Ports, 'documents' | 'blobs'>) => {
  const orphansAmong = async (uploads: readonly LeftOver[]): Promise<readonly LeftOver[]> => {
    const orphans: LeftOver[] = []
    for (const instance of new Set(uploads.map((upload) => upload.instance))) {
      const here = uploads.filter((upload) => upload.instance === instance)
      const ids = [...new Set(here.map(({ fileId }) => fileId))]
      const loaded = await documents.getMany(file.collection, instance, ids, 'light')()
      if (E.isLeft(loaded)) throw loaded.left
      const named = new Set(loaded.right.map(({ value }) => value['blob']))
      orphans.push(...here.filter(({ path }) => !named.has(path)))
    }
    return orphans
  }

  return {
    find: async (writtenBefore: number): Promise<readonly LeftOver[]> => {
      const orphans: LeftOver[] = []
      let batch = new Map<string, LeftOver>()
      for await (const { key, written } of blobs.list('')) {
        const upload = written < writtenBefore ? uploadOf(key) : null
        if (upload !== null) batch.set(upload.path, upload)
        if (batch.size < batchSize) continue
        orphans.push(...(await orphansAmong([...batch.values()])))
        batch = new Map()
      }
      return [...orphans, ...(await orphansAmong([...batch.values()]))]
    },
    /** Answers how many uploads were removed. */
    remove: async (found: readonly LeftOver[]): Promise<number> => {
      let removed = 0
      for (let start = 0; start < found.length; start += batchSize) {
        for (const { path } of await orphansAmong(found.slice(start, start + batchSize))) {
          const result = await blobs.remove(path)()
          if (E.isLeft(result)) throw result.left
          removed += 1
        }
      }
      return removed
    },
  }
}
