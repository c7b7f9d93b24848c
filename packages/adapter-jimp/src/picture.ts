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

/** Decoders throw strings, assertion errors, range errors and type errors over bad data: `undefined` then. */
export const unlessBroken = async <A>(read: () => A | Promise<A>): Promise<A | undefined> => {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Error || typeof error === 'string') return undefined
    throw error
  }
}
