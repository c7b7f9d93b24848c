import type { ImageFormat } from '@publishing-service/domain/images'

/** The formats that this adapter scales. */
export const scaledFormats = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
] as const satisfies readonly ImageFormat[]

export type ScaledFormat = (typeof scaledFormats)[number]

export const isScaled = (format: ImageFormat): format is ScaledFormat =>
  scaledFormats.some((each) => each === format)
