import type { ImageFormat, MadeFormat } from '@publishing-service/domain/images'

/** The formats that this adapter scales. */
export const scaledFormats = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
] as const satisfies readonly ImageFormat[]

type ScaledFormat = (typeof scaledFormats)[number]

/** The formats that it makes of each of these. */
export const madeFormats: readonly MadeFormat[] = ['image/avif', 'image/webp', 'image/jpeg', 'image/png']

/** The formats that it writes. */
export type WrittenFormat = ScaledFormat | MadeFormat

export const isScaled = (format: ImageFormat | MadeFormat): format is ScaledFormat =>
  scaledFormats.some((each) => each === format)

export const isWritten = (format: ImageFormat | MadeFormat): format is WrittenFormat =>
  format === 'image/avif' || isScaled(format)
