/** Small blobs of ASCII text. */
import { E } from '@publishing-service/domain/fp'
import type { BlobKey, BlobStore } from '@publishing-service/ports'
import { textOf } from '../files/file-blobs.js'

/** A function takes a limited number of arguments. */
const sliceBytes = 8192

/** The text of a blob; null if there is none. Throws a PortFailure. */
export const textOfBlob = async (store: Pick<BlobStore, 'read'>, key: BlobKey): Promise<string | null> => {
  const opened = await store.read(key)()
  if (E.isLeft(opened)) {
    if (opened.left._tag === 'BlobNotFound') return null
    throw opened.left
  }
  const texts: string[] = []
  for await (const chunk of opened.right.chunks)
    for (let at = 0; at < chunk.length; at += sliceBytes)
      texts.push(textOf(chunk.subarray(at, at + sliceBytes)))
  return texts.join('')
}
