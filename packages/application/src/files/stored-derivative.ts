/**
 * A scaled image as it is stored: a line with its size and checksum, then its bytes. The line makes it possible to
 * detect a blob that was cut short or changed; no document records scaled images.
 */
import { E } from '@publishing-service/domain/fp'
import type { BlobKey, BlobStore, Checksum } from '@publishing-service/ports'
import { bytesOf, textOf } from '../ascii.js'
import type { Digest } from './verified-data.js'

const pattern = /^derivative-1 ([0-9a-f]{64}) (\d{15})\n$/

const headerOf = ({ bytes, sha256 }: Digest): string =>
  `derivative-1 ${sha256} ${String(bytes).padStart(15, '0')}\n`

/** The size of the line before the image. */
export const derivativeHeaderBytes = headerOf({ bytes: 0, sha256: '0'.repeat(64) }).length

const digestFrom = (header: string): Digest | null => {
  const [, sha256, bytes] = pattern.exec(header) ?? []
  return sha256 === undefined ? null : { sha256, bytes: Number(bytes) }
}

/** The blob of an image, in chunks. */
export async function* derivativeBlob(image: Uint8Array, checksum: Checksum): AsyncGenerator<Uint8Array> {
  checksum.add(image)
  yield bytesOf(headerOf({ bytes: image.length, sha256: checksum.value() }))
  yield image
}

export type StoredDerivative = {
  /** From its line; null without one: an earlier version of the service wrote it, or it is damaged. */
  readonly digest: Digest | null
  /** Whether the blob has the size that follows from the line. */
  readonly isWhole: boolean
}

/** Reads the line of a stored image; null where there is no such blob. Throws a PortFailure. */
export const readDerivative = async (
  blobs: Pick<BlobStore, 'read'>,
  key: BlobKey,
): Promise<StoredDerivative | null> => {
  const opened = await blobs.read(key, { start: 0, end: derivativeHeaderBytes - 1 })()
  if (E.isLeft(opened)) {
    if (opened.left._tag === 'BlobNotFound') return null
    throw opened.left
  }
  let header = ''
  for await (const chunk of opened.right.chunks) header += textOf(chunk)
  const digest = digestFrom(header)
  return { digest, isWhole: digest?.bytes === opened.right.bytes - derivativeHeaderBytes }
}
