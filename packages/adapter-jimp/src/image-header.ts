/**
 * What a picture's own header says. Each format has a reader of its own beside this file: it walks a bounded number
 * of steps and refuses what the decoder behind it can't read or would read wrongly.
 */
import { E, type Either } from '@publishing-service/domain'
import type { ImageUnreadable } from '@publishing-service/ports'

/** The formats that are decoded and encoded. WebP, AVIF and HEIC are unknown to Jimp. */
export type PictureFormat = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/bmp'

/** The EXIF orientation: 1 is upright, 5 to 8 lie on their side. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

export type ImageHeader = {
  readonly mimetype: PictureFormat
  /** Pixels as they are stored, before the orientation is applied. */
  readonly width: number
  readonly height: number
  readonly orientation: Orientation
  /** Bytes that decoding takes at its peak, beside the pixels themselves: measured on the decoder, rounded up. */
  readonly decodingBytes: number
  /** The fewest bytes that such a picture can be stored in; shorter data was cut, or lies about its size. */
  readonly leastBytes: number
}

/** Reading past the end of `bytes` throws RangeError, which `readImageHeader` turns into ImageUnreadable. */
export type HeaderReader = (bytes: DataView) => Either<ImageUnreadable, ImageHeader>

export const unreadable = (reason: string): ImageUnreadable => ({ _tag: 'ImageUnreadable', reason })

export const refused = (reason: string): Either<ImageUnreadable, never> => E.left(unreadable(reason))

export const brokenHeader = 'The image is broken or cut short: its header cannot be read.'
export const brokenPixels = 'The image is broken or cut short: its pixels cannot be read.'

/** More steps than any camera or editor writes; data that needs more only wants to keep a reader busy. */
export const maxHeaderParts = 5000

/** The size as a person sees it. */
export const uprightSize = (header: ImageHeader): { readonly width: number; readonly height: number } =>
  header.orientation >= 5
    ? { width: header.height, height: header.width }
    : { width: header.width, height: header.height }
