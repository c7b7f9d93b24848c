import { E, type Either, type TaskEither } from '@publishing-service/domain/fp'
import {
  isSize,
  tooManyBytes,
  type ImageFormat,
  type JobLimits,
  type RecordedImage,
  type Size,
} from '@publishing-service/domain/images'
import { portFailure, type PortFailure } from './port-failure.js'
import type { SizedBody } from './sized-body.js'

/** The data is no image that this adapter can scale. `reason` is for the client and contains no internals. */
export type ImageUnreadable = { readonly _tag: 'ImageUnreadable'; readonly reason: string }

/** Reads the header of an image from streamed data, in constant memory. */
export type ImageReading = {
  /** Reads the next bytes of the data. */
  readonly push: (chunk: Uint8Array) => void
  /** Whether the result no longer depends on further bytes. */
  readonly isDone: () => boolean
  /** The image, given the total number of bytes; on the left the reason for the client why the data is no image. */
  readonly end: (bytes: number) => Either<string, RecordedImage>
}

/**
 * Scales images. The conformance suite tests each sentence.
 *
 * - A header is read from streamed data, however it is split into chunks; the size is that of the upright image.
 * - A scaled image has exactly the requested size and the format of the original.
 * - The EXIF orientation is applied, and sizes are those of the upright image.
 * - Of an animated image the first frame is scaled, as a still image.
 * - Colours are preserved: a scaled image is in sRGB, or has the colour profile of its original; a broken profile counts as none.
 * - A JPEG in CMYK is scaled in its colours if the adapter declares it; otherwise ImageUnreadable is returned.
 * - A scaled image contains pixels and at most a colour profile: no location, time or camera.
 * - Data that is damaged, truncated or of an unknown format returns ImageUnreadable, in bounded time and memory.
 * - An image that has all pixels is scaled, even if its end marker is missing or replaced by zeros.
 * - A job that would exceed its memory limit, or exceeds its time limit, returns ImageUnreadable and affects no other.
 * - Scaling never blocks the event loop: it runs outside the calling thread.
 * - An original that cannot be opened or read, or has another length than declared, fails only its own job.
 * - At most `parallel` jobs run concurrently; the caller queues the others.
 * - After it is closed it returns PortFailure.
 */
export type Imaging = {
  /** The adapter and the version of its output. Derivatives of another version are created again. */
  readonly version: string
  readonly formats: readonly ImageFormat[]
  /** Whether it scales JPEGs in CMYK. If not, they are ImageUnreadable. */
  readonly cmyk: boolean
  /** The number of concurrent jobs. */
  readonly parallel: number
  readonly readHeader: () => ImageReading
  /**
   * Opens the original when the job starts, and returns the failure if it cannot be opened. The adapter owns the
   * chunks. Rejects with RangeError if the size is not two positive integers.
   */
  readonly scale: <F>(
    original: SizedBody<F>,
    size: Size,
  ) => TaskEither<F | PortFailure | ImageUnreadable, Uint8Array>
  readonly close: () => Promise<void>
}

export const imageUnreadable = (reason: string): ImageUnreadable => ({ _tag: 'ImageUnreadable', reason })

type Scaling = Pick<Imaging, 'scale' | 'close'>

/** Adds the checks that all adapters share: the size, whether it is closed, and the size of the original. */
export const checkedScaling = (limits: JobLimits, scaling: Scaling): Scaling => {
  let closed = false
  return {
    scale: (original, size) => async () => {
      if (!isSize(size)) throw new RangeError(`not a size: ${size.width} × ${size.height}`)
      if (closed) return E.left(portFailure('imaging', 'closed'))
      const excess = tooManyBytes(original.bytes, limits)
      return excess === null ? scaling.scale(original, size)() : E.left(imageUnreadable(excess))
    },
    close: () => {
      closed = true
      return scaling.close()
    },
  }
}
