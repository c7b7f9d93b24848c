import { E, file } from '@publishing-service/domain'
import type { Ports } from '../ports.js'
import { uploadBlobs } from './blob-paths.js'

/** How many files are looked up at a time. */
const batchSize = 500

type Upload = { readonly path: string; readonly instance: number; readonly fileId: string }

const uploadOf = (key: string): Upload | null => {
  const [instance = '', fileId = '', name = '', rest] = key.split('/')
  return rest === undefined || !/^\d+$/.test(instance)
    ? null
    : { path: uploadBlobs(Number(instance), fileId, name), instance: Number(instance), fileId }
}

/**
 * Removes the blobs that no file names: what a crash left between a blob and its metadata. Blobs written after
 * `writtenBefore` (milliseconds since 1970) are let be: their metadata may be on its way. Answers how many uploads
 * were removed. Throws a PortFailure when a store fails.
 */
export const createCollectLeftOvers = ({ documents, blobs }: Pick<Ports, 'documents' | 'blobs'>) => {
  const orphansAmong = async (uploads: readonly Upload[]): Promise<readonly Upload[]> => {
    const orphans: Upload[] = []
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

  return async (writtenBefore: number): Promise<number> => {
    let removed = 0
    let batch = new Map<string, Upload>()
    const settle = async () => {
      const orphans = await orphansAmong([...batch.values()])
      batch = new Map()
      for (const { path } of orphans) {
        const result = await blobs.remove(path)()
        if (E.isLeft(result)) throw result.left
        removed += 1
      }
    }
    for await (const { key, written } of blobs.list('')) {
      const upload = written < writtenBefore ? uploadOf(key) : null
      if (upload !== null) batch.set(upload.path, upload)
      if (batch.size >= batchSize) await settle()
    }
    await settle()
    return removed
  }
}
