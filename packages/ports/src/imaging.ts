import {
  E,
  isSize,
  tooManyBytes,
  type ImageFormat,
  type Either,
  type JobLimits,
  type RecordedImage,
  type Size,
  type TaskEither,
} from '@publishing-service/domain'
import { portFailure, type PortFailure } from './port-failure.js'
import type { SizedBody } from './sized-body.js'

/** The data isn't an image that this adapter can scale; `reason` is for the client, without anything of the inside. */
export type ImageUnreadable = { readonly _tag: 'ImageUnreadable'; readonly reason: string }

/** Reads the header of an image while its data streams by, in constant memory. */
export type ImageReading = {
  /** Reads the next bytes of the data. */
  readonly push: (chunk: Uint8Array) => void
  /** Whether more bytes would change nothing. */
  readonly isDone: () => boolean
  /** The image, where the data has so many bytes in total; on the left, for a client, why the data is no image. */
  readonly end: (bytes: number) => Either<string, RecordedImage>
}

/**
 * Scales images. Each sentence here is a test of the conformance suite.
 *
 * - A header is read from the data as it streams by, whatever its chunks; the size is that of the upright image.
 * - A scaled image has exactly the size asked for and the format of the original.
 * - The EXIF orientation is applied, and sizes mean the upright image.
 * - Of an animated image the first frame is scaled, as a still image.
 * - Colours are preserved: a scaled image is in sRGB, or has the colour profile of its original; a broken profile counts as none.
 * - A JPEG in CMYK is scaled in its colours where the adapter says so; else it answers ImageUnreadable.
 * - A scaled image carries pixels and at most a colour profile: no place, no time, no camera.
 * - Data that is broken, cut short or of an unknown format answers ImageUnreadable, in bounded time and memory.
 * - A job that would pass its memory, or passes its time, answers ImageUnreadable and harms no other.
 * - Scaling never holds up the event loop: it runs outside the calling thread.
 * - An original that fails to open or half way, or has another length than it says, ends its job alone.
 * - As many jobs as it says run side by side; the caller keeps those that wait.
 * - Once closed it answers PortFailure.
 */
export type Imaging = {
  /** Names the adapter and the version of its pictures; derivatives of another version are made anew. */
  readonly version: string
  readonly formats: readonly ImageFormat[]
  /** Whether it scales JPEGs in CMYK; they are ImageUnreadable else. */
  readonly cmyk: boolean
  /** Jobs that it runs side by side. */
  readonly parallel: number
  readonly readHeader: () => ImageReading
  /**
   * Opens the original when its turn has come; what keeps it from being opened is the answer. The chunks are the
   * adapter's from then on. A size that isn't two positive integers rejects with RangeError.
   */
  readonly scale: <F>(
    original: SizedBody<F>,
    size: Size,
  ) => TaskEither<F | PortFailure | ImageUnreadable, Uint8Array>
  readonly close: () => Promise<void>
}

export const imageUnreadable = (reason: string): ImageUnreadable => ({ _tag: 'ImageUnreadable', reason })

type Scaling = Pick<Imaging, 'scale' | 'close'>

/** Scaling behind the checks that all adapters have in common: the size, whether it is closed, and the original's bytes. */
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
