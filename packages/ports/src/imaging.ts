import type { ImageFormat, Size, TaskEither } from '@publishing-service/domain'
import type { PortFailure } from './port-failure.js'
import type { SizedBody } from './sized-body.js'

/** The data isn't an image that this adapter can scale; `reason` is for the client, without anything of the inside. */
export type ImageUnreadable = { readonly _tag: 'ImageUnreadable'; readonly reason: string }

/**
 * Scales images. Each sentence here is a test of the conformance suite.
 *
 * - A scaled image has exactly the size asked for and the format of the original.
 * - The EXIF orientation is applied, and sizes mean the upright image.
 * - Of an animated image the first frame is scaled, as a still image.
 * - Colours come out as sRGB: an embedded profile is applied; one that is broken or of other colours counts as none.
 * - A scaled image carries pixels alone: no place, no time, no camera.
 * - Data that is broken, cut short or of an unknown format answers ImageUnreadable, in bounded time and memory.
 * - A job that would pass its memory, or passes its time, answers ImageUnreadable and harms no other.
 * - Scaling never holds up the event loop: it runs outside the calling thread.
 * - An original that fails to open or half way, or has another length than it says, ends its job alone.
 * - An original that lies in a file as well gives the same picture, and where it has gone from there it is opened.
 * - As many jobs as it says run side by side; the caller keeps those that wait.
 * - Once closed it answers PortFailure.
 */
export type Imaging = {
  /** Names the adapter and the version of its pictures; derivatives of another version are made anew. */
  readonly version: string
  readonly formats: readonly ImageFormat[]
  /** Jobs that it runs side by side. */
  readonly parallel: number
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
