/** A decoded image, and the codec of a format. */
import type { Quality, Size } from '@publishing-service/domain/images'

/** Pixels row by row: red, green, blue and alpha, a byte each. */
export type Bitmap = Size & { readonly data: Buffer }

export type Encoding = {
  /** Without effect in formats that have none. */
  readonly quality: Quality
  /** Whether an image is written in colour even if all of its pixels are grey. */
  readonly keepsColour: boolean
}

export type PictureCodec = {
  /** Returns `undefined` or throws if the data cannot be decoded. `size` is from the header. */
  readonly decode: (
    data: Buffer,
    size: Size,
    maxMemoryMb: number,
  ) => Bitmap | undefined | Promise<Bitmap | undefined>
  readonly encode: (bitmap: Bitmap, encoding: Encoding) => Promise<Buffer>
}

/** Returns `undefined` if a decoder throws. Decoders throw errors of any type, and strings, for damaged data. */
export const undefinedOnError = async <A>(read: () => A | Promise<A>): Promise<A | undefined> => {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Error || typeof error === 'string') return undefined
    throw error
  }
}
