/**
 * The header of image data. Each format has a reader in a separate file, which rejects variants of the format that no
 * browser displays.
 */
import type { Size } from '@publishing-service/domain/images'

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

/** What is read of an image in a format that is not scaled: its size as it is displayed. */
export type SizeHeader = Size & { readonly mimetype: null }

export type ImageHeader = JpegHeader | PngHeader | PlainHeader
