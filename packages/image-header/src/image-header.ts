/**
 * The header of image data. Each format has a reader in a separate file. A reader ends after a bounded number of steps
 * and rejects variants of a format that no browser displays.
 */
import { E, type Either, type Size } from '@publishing-service/domain'
import { take, type HeaderReader } from './header-reader.js'

/** The EXIF orientation: 1 is upright; with 5 to 8, width and height are exchanged. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

type Common = Size & {
  /** Width and height are pixels as they are stored, before this is applied. */
  readonly orientation: Orientation
  /** The fewest bytes that such an image can be stored in. Shorter data is truncated, or states a wrong size. */
  readonly leastBytes: number
}

export type JpegHeader = Common & {
  readonly mimetype: 'image/jpeg'
  readonly components: number
  /** Blocks of 8 × 8 samples over all components. */
  readonly blocks: number
  readonly progressive: boolean
  /** Whether there is more than one scan: each scan decodes the pixels again. */
  readonly multiScan: boolean
}

export type PngHeader = Common & {
  readonly mimetype: 'image/png'
  /** Bits per sample. */
  readonly depth: number
  /** Bytes of all rows before they are deflated, each with its filter byte. */
  readonly rowBytes: number
  readonly interlaced: boolean
}

type PlainHeader = Common & { readonly mimetype: 'image/gif' | 'image/webp' | 'image/bmp' }

export type ImageHeader = JpegHeader | PngHeader | PlainHeader

/** Whether the pixels are in CMYK. */
export const isCmyk = (header: ImageHeader): boolean =>
  header.mimetype === 'image/jpeg' && header.components === 4

export type ImageHeaderReader = HeaderReader<ImageHeader>

export const refused = (reason: string): Either<string, never> => E.left(reason)

export const unreadableHeader = 'The image is broken or cut short: its header cannot be read.'

/** More parts than any camera or editor writes; data with more is made to use the time of a reader. */
export const maxHeaderParts = 5000

/** The next bytes, after `skip` others. If the data ends before them, the result is `enough`. */
export const bytes = (count: number, skip = 0, enough: ImageHeader | null = null) =>
  take<ImageHeader>(count, skip, enough)

/** The size of the displayed image. */
export const uprightSize = ({ orientation, width, height }: ImageHeader): Size =>
  orientation >= 5 ? { width: height, height: width } : { width, height }
