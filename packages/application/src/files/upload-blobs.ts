/** The blobs of an upload: their keys, and their removal. */
import { stateIn, file } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { Document } from '@publishing-service/ports'
import type { Ports } from '../ports.js'

/**
 * Keys of file data in the blob store: `<instance>/<file>/<upload name>/original`, with derivatives in the same folder,
 * so that one removal deletes all blobs of an upload.
 */
export const uploadBlobs = (instance: number, fileId: string, name: string): string =>
  `${instance}/${fileId}/${name}`

const original = 'original'

export const originalBlob = (upload: string): string => `${upload}/${original}`

export const derivedBlob = (upload: string, name: string): string => `${upload}/${name}`

export const isDerived = (key: string): boolean => !key.endsWith(`/${original}`)

/** Removes all blobs of an upload. What fails is logged and left to garbage collection. */
export const removeUpload = async (
  { blobs, log }: Pick<Ports, 'blobs' | 'log'>,
  path: string,
): Promise<void> => {
  const removed = await blobs.remove(path)()
  if (E.isLeft(removed)) log.write('warn', 'blobs not removed', { path, reason: removed.left.reason })
}

/** Removes the data of a deleted file, and its scaled images. */
export const removeFileData = async (
  session: Pick<Ports, 'blobs' | 'log'>,
  { value }: Document,
): Promise<void> => {
  const { blob } = stateIn(file, value)
  if (blob !== null) await removeUpload(session, blob)
}
