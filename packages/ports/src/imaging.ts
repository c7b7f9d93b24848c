import type { Either, TaskEither } from '@publishing-service/domain/fp'
import type {
  ImageFormat,
  MadeFormat,
  RecordedImage,
  Renderable,
  Rendering,
  UnscaledImage,
} from '@publishing-service/domain/images'
import type { PixelSummary } from '@publishing-service/domain/files'
import type { PortFailure } from './port-failure.js'
import type { SizedBody } from './blob-store.js'

/** The data is no image that this adapter can scale. `reason` is for the client and contains no internals. */
export type ImageUnreadable = { readonly _tag: 'ImageUnreadable'; readonly reason: string }

/** Reads the header of an image from streamed data, in constant memory. */
export type ImageReading = {
  /** Reads the next bytes of the data. */
  readonly push: (chunk: Uint8Array) => void
  /** Whether the result no longer depends on further bytes. */
  readonly isDone: () => boolean
  /** The image, given the total number of bytes; on the left the reason for the client why the data is no image. */
  readonly end: (bytes: number) => Either<string, RecordedImage | UnscaledImage>
}

/**
 * Scales images. The conformance suite tests each sentence.
 *
 * - A header is read from streamed data, however it is split into chunks; the size is that of the upright image.
 * - A scaled image has exactly the requested size, and the requested format or that of the original.
 * - A scaled image shows the requested region of the upright original.
 * - Each format that the adapter makes has fewer bytes at a lower quality, unless it has no quality.
 * - Transparency is preserved, except in JPEG, where what was transparent is white.
 * - The EXIF orientation is applied, and sizes are those of the upright image.
 * - Of an animated image the first frame is scaled, as a still image.
 * - Colours are preserved: a scaled image is in sRGB, or has the colour profile of its original; a broken profile counts as none.
 * - A JPEG in CMYK is scaled in its colours if the adapter declares it; otherwise ImageUnreadable is returned.
 * - A scaled image contains pixels and at most a colour profile: no location, time or camera.
 * - Data that is damaged, truncated or of an unknown format returns ImageUnreadable, in bounded time and memory.
 * - An image that has all pixels is scaled, even if its end marker is missing or replaced by zeros.
 * - A job that would exceed its memory limit, or exceeds its time limit, returns ImageUnreadable and affects no other.
 * - A summary has the average colour of the visible pixels, whether all are opaque, and a WebP of at most 16 × 16 pixels.
 * - Scaling never blocks the event loop: it runs outside the calling thread.
 * - An original that cannot be opened or read, or has another length than declared, fails only its own job.
 * - At most `parallel` jobs run concurrently; the caller queues the others.
 * - After it is closed it returns PortFailure.
 */
export type Imaging = Renderable & {
  /** The adapter and the version of its output. Derivatives of another version are created again. */
  readonly version: string
  /** The formats that it scales, each into itself. */
  readonly formats: readonly ImageFormat[]
  /** The formats that it makes of each of these. */
  readonly makes: readonly MadeFormat[]
  /** Whether it scales JPEGs in CMYK. If not, they are ImageUnreadable. */
  readonly cmyk: boolean
  /** The number of concurrent jobs. */
  readonly parallel: number
  readonly readHeader: () => ImageReading
  /**
   * Opens the original when the job starts, and returns the failure if it cannot be opened. The adapter owns the
   * chunks, and rejects with what they throw other than a PortFailure. Rejects with RangeError if the size is not two
   * positive integers.
   */
  readonly scale: <F>(
    original: SizedBody<F>,
    rendering: Rendering,
  ) => TaskEither<F | PortFailure | ImageUnreadable, Uint8Array>
  /** Opens the original as `scale` does. */
  readonly summarise: <F>(
    original: SizedBody<F>,
  ) => TaskEither<F | PortFailure | ImageUnreadable, PixelSummary>
  readonly close: () => Promise<void>
}

export const imageUnreadable = (reason: string): ImageUnreadable => ({ _tag: 'ImageUnreadable', reason })
