/** A picture while it is worked on. */
import type { Size } from '@publishing-service/domain'

/** Red, green, blue and alpha of each pixel, row by row. */
export type Bitmap = Size & { readonly data: Buffer }

export type PictureCodec = {
  /** `undefined`, or anything thrown, means that the data can't be decoded. `size` is what the header tells. */
  readonly decode: (
    data: Buffer,
    size: Size,
    maxMemoryMb: number,
  ) => Bitmap | undefined | Promise<Bitmap | undefined>
  /** `keepsColour` makes an image in colour even where all of its pixels are grey. */
  readonly encode: (bitmap: Bitmap, keepsColour?: boolean) => Promise<Buffer>
}
