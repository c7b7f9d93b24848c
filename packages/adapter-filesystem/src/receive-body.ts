/**
 * Takes a body into an open file, counting and digesting on the way. Two buffers take turns: one fills while the
 * other is written, and the source is asked for more only when one is free.
 */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { E, type Either } from '@publishing-service/domain'
import type { BlobReceipt, BlobTooLarge, BodyInterrupted } from '@publishing-service/ports'

/** Bytes of one buffer: larger ones write no faster. */
const bufferBytes = 256 * 1024

const interrupted: BodyInterrupted = { _tag: 'BodyInterrupted' }

const writeWhole = async (file: FileHandle, bytes: Uint8Array, position: number): Promise<void> => {
  let written = 0
  while (written < bytes.length) {
    const step = await file.write(bytes, written, bytes.length - written, position + written)
    written += step.bytesWritten
  }
}

type Written = { readonly failed: false } | { readonly failed: true; readonly error: unknown }

/** A file that is written behind the caller's back, one buffer at a time. */
const bufferedFile = (file: FileHandle) => {
  let filling: Uint8Array = Buffer.allocUnsafeSlow(bufferBytes)
  let spare: Uint8Array | null = null
  let filled = 0
  let position = 0
  // Kept as a value, so that a failure while the source is slow isn't taken for an unhandled one.
  let writing: Promise<Written> = Promise.resolve({ failed: false })

  const settled = async (): Promise<void> => {
    const outcome = await writing
    if (outcome.failed) throw outcome.error
  }

  const turn = async (): Promise<void> => {
    await settled()
    const full = filling
    const length = filled
    writing = writeWhole(file, full.subarray(0, length), position).then(
      () => ({ failed: false }),
      (error: unknown) => ({ failed: true, error }),
    )
    position += length
    filling = spare ?? Buffer.allocUnsafeSlow(bufferBytes)
    spare = full
    filled = 0
  }

  return {
    append: async (chunk: Uint8Array): Promise<void> => {
      for (let taken = 0; taken < chunk.length;) {
        const part = chunk.subarray(taken, taken + bufferBytes - filled)
        filling.set(part, filled)
        filled += part.length
        taken += part.length
        if (filled === bufferBytes) await turn()
      }
    },
    finish: async (): Promise<void> => {
      if (filled > 0) await turn()
      await settled()
    },
    /** Resolves when nothing is being written any more, whatever came of it. */
    rest: async (): Promise<void> => {
      await writing
    },
  }
}

/** Tells the source that no more is wanted; what it says to that changes nothing. */
const letGo = async (source: AsyncIterator<Uint8Array>): Promise<void> => {
  try {
    await source.return?.()
  } catch {
    return
  }
}

/** Bytes between two looks at the room on the disk. */
const bytesBetweenLooks = 4 * 1024 * 1024

/** The receipt when the whole body is in the file; errors of the file, and of the look at the room, are thrown. */
export const receiveBody = async (
  file: FileHandle,
  body: AsyncIterable<Uint8Array>,
  limit: number,
  checkRoom: () => Promise<void>,
): Promise<Either<BlobTooLarge | BodyInterrupted, BlobReceipt>> => {
  const source = body[Symbol.asyncIterator]()
  const sink = bufferedFile(file)
  const digest = createHash('sha256')
  let bytes = 0
  let nextLook = 0
  let ended = false
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
      if (bytes >= nextLook) {
        await checkRoom()
        nextLook = bytes + bytesBetweenLooks
      }
      bytes += next.value.length
      if (bytes > limit) return E.left({ _tag: 'BlobTooLarge', limit })
      digest.update(next.value)
      await sink.append(next.value)
    }
    await sink.finish()
    return E.right({ bytes, sha256: digest.digest('hex') })
  } finally {
    await sink.rest()
    if (!ended) await letGo(source)
  }
}
