import type { TaskEither } from '@publishing-service/domain'
import type { PortFailure } from './port-failure.js'

export type ImageInfo = {
  /** The format of the data itself, as a MIME type: `image/jpeg`. */
  readonly mimetype: string
  /** Pixels as a person sees the image, that is after the EXIF orientation was applied. */
  readonly width: number
  readonly height: number
}

/** The data isn't an image that this adapter can read; `reason` is for the client, without anything of the inside. */
export type ImageUnreadable = { readonly _tag: 'ImageUnreadable'; readonly reason: string }

export type ImageFormat = {
  readonly mimetype: string
}

/**
 * Reads and scales images. Each sentence here is a test of the conformance suite.
 *
 * - Size and format are read from the data's own header, never by decoding it.
 * - A scaled image has exactly the size asked for and the format of the original.
 * - The EXIF orientation is applied, and sizes mean the upright image.
 * - Data that is broken, cut short or of an unknown format answers ImageUnreadable, in bounded time and memory.
 * - Scaling never holds up the event loop: it runs outside the calling thread.
 * - More jobs than can run wait in a bounded queue; past its bound they answer PortFailure at once.
 */
export type Imaging = {
  /** Names the adapter and the version of its pictures; derivatives of another version are made anew. */
  readonly version: string
  readonly formats: readonly ImageFormat[]
  readonly probe: (data: Uint8Array) => TaskEither<PortFailure | ImageUnreadable, ImageInfo>
  readonly scale: (
    data: Uint8Array,
    size: { readonly width: number; readonly height: number },
  ) => TaskEither<PortFailure | ImageUnreadable, Uint8Array>
  readonly close: () => Promise<void>
}
