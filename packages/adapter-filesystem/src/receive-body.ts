/**
 * Writes a body to an open file, and computes its length and digest. Two buffers alternate: one is filled while the
 * other is written. The body is read only while a buffer is free.
 */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { E, type Either } from '@publishing-service/domain/fp'
import type { BlobReceipt, BlobTooLarge, BodyInterrupted } from '@publishing-service/ports'

/** Bytes of a buffer. Larger ones are not faster. */
const bufferBytes = 256 * 1024

const interrupted: BodyInterrupted = { _tag: 'BodyInterrupted' }

/** Ends the source early. Its errors are ignored. */
const closeSource = async (source: AsyncIterator<Uint8Array>): Promise<void> => {
  try {
    await source.return?.()
  } catch {
    return
  }
}

/** Bytes between two checks of the free disk space. */
const bytesBetweenChecks = 4 * 1024 * 1024

/** Returns the receipt of the complete body. Throws errors of the file and of `checkFreeSpace`. */
export const receiveBody = async (
  file: FileHandle,
  body: AsyncIterable<Uint8Array>,
  limit: number,
  checkFreeSpace: () => Promise<void>,
): Promise<Either<BlobTooLarge | BodyInterrupted, BlobReceipt>> => {
  const source = body[Symbol.asyncIterator]()
  const digest = createHash('sha256')
  let filling: Uint8Array = Buffer.allocUnsafeSlow(bufferBytes)
  let spare: Uint8Array | null = null
  let filled = 0
  let bytes = 0
  let nextCheck = 0
  let ended = false
  /** The write of the other buffer, which runs while this one is filled. */
  let writing: Promise<void> = Promise.resolve()

  const writeBuffer = async (): Promise<void> => {
    await writing
    const full = filling
    writing = file.writeFile(full.subarray(0, filled))
    // A failure is not reported as unhandled before the next buffer.
    writing.catch(() => undefined)
    filling = spare ?? Buffer.allocUnsafeSlow(bufferBytes)
    spare = full
    filled = 0
  }

  try {
    for (;;) {
      let next: IteratorResult<Uint8Array>
      try {
        next = await source.next()
      } catch {
        ended = true
        return E.left(interrupted)
      }
      if (next.done === true) {
        ended = true
        break
      }
      const chunk = next.value
      if (bytes >= nextCheck) {
        await checkFreeSpace()
        nextCheck = bytes + bytesBetweenChecks
      }
      bytes += chunk.length
      if (bytes > limit) return E.left({ _tag: 'BlobTooLarge', limit })
      digest.update(chunk)
      for (let at = 0; at < chunk.length;) {
        const part = chunk.subarray(at, at + bufferBytes - filled)
        filling.set(part, filled)
        filled += part.length
        at += part.length
        if (filled === bufferBytes) await writeBuffer()
      }
    }
    if (filled > 0) await writeBuffer()
    await writing
    return E.right({ bytes, sha256: digest.digest('hex') })
  } finally {
    // The caller closes the file afterwards.
    await writing.catch(() => undefined)
    if (!ended) await closeSource(source)
  }
}
