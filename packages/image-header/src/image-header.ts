/**
 * What image data say of themselves. Each format has a reader of its own beside this file: it takes a bounded number of
 * steps and refuses kinds that no browser shows.
 */
import { E, type Either, type Size } from '@publishing-service/domain'
import { take, type HeaderReader } from './header-reader.js'

/** The EXIF orientation: 1 is upright, 5 to 8 lie on their side. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

type Common = Size & {
  /** Width and height are pixels as they are stored, before this is applied. */
  readonly orientation: Orientation
  /** The fewest bytes that such a picture can be stored in; shorter data were cut, or lie about their size. */
  readonly leastBytes: number
}

export type JpegHeader = Common & {
  readonly mimetype: 'image/jpeg'
  readonly components: number
  /** Blocks of 8 × 8 samples over all components. */
  readonly blocks: number
  readonly progressive: boolean
  /** Whether there is more than one scan: the pixels are gone over again and again. */
  readonly multiScan: boolean
}

export type PngHeader = Common & {
  readonly mimetype: 'image/png'
  /** Bits a sample. */
  readonly depth: number
  /** Bytes of all rows before they are deflated, each with its filter byte. */
  readonly rowBytes: number
  readonly interlaced: boolean
}

type PlainHeader = Common & { readonly mimetype: 'image/gif' | 'image/webp' | 'image/bmp' }

export type ImageHeader = JpegHeader | PngHeader | PlainHeader

/** Whether the pixels are the four inks of a press. */
export const isCmyk = (header: ImageHeader): boolean =>
  header.mimetype === 'image/jpeg' && header.components === 4

export type ImageHeaderReader = HeaderReader<ImageHeader>

export const refused = (reason: string): Either<string, never> => E.left(reason)

export const brokenHeader = 'The image is broken or cut short: its header cannot be read.'

/** More steps than any camera or editor writes; data that need more only want to keep a reader busy. */
export const maxHeaderParts = 5000

/** The next bytes, behind `skip` others; should the data end before them, what was read is `enough`. */
export const bytes = (count: number, skip = 0, enough: ImageHeader | null = null) =>
  take<ImageHeader>(count, skip, enough)

/** The size as a person sees it. */
export const uprightSize = ({ orientation, width, height }: ImageHeader): Size =>
  orientation >= 5 ? { width: height, height: width } : { width, height }
