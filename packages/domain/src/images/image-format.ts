/** The formats of images whose header can be read, of which an imaging adapter scales some; the default thumbnails. */
import type { Size } from './scaled-size.js'

const names = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/gif': 'GIF',
  'image/webp': 'WebP',
  'image/bmp': 'BMP',
} as const

/** A format as a MIME type. */
export type ImageFormat = keyof typeof names

export const imageMimetypes: readonly ImageFormat[] = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/bmp',
]

/** The names of the formats. */
export const imageFormats: readonly string[] = Object.values(names)

/** The formats that a download can request by name, by that name. */
const made = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpeg: 'image/jpeg',
  png: 'image/png',
} as const

export type FormatName = keyof typeof made

/** A format that a download can request, as a MIME type. An imaging adapter makes some of them. */
export type MadeFormat = (typeof made)[FormatName]

export const formatNames: readonly FormatName[] = ['avif', 'webp', 'jpeg', 'png']

export const formatNamed = (name: FormatName): MadeFormat => made[name]

/** The name of a format in a request; that of its MIME type for one that cannot be requested. */
export const nameOfFormat = (format: ImageFormat | MadeFormat): string =>
  formatNames.find((name) => made[name] === format) ?? format

/** The name of a file whose image was made in another format: with the extension of that. */
export const filenameIn = (filename: string, format: MadeFormat): string => {
  const name = nameOfFormat(format)
  return `${filename.replace(/\.[a-z0-9]{1,5}$/i, '')}.${name === 'jpeg' ? 'jpg' : name}`
}

/** Other images, which are stored and never scaled, by declared type. A download within a box has the original. */
const unscaled = {
  'image/heic': 'HEIC',
  'image/heif': 'HEIF',
  'image/avif': 'AVIF',
  'image/tiff': 'TIFF',
  'image/svg+xml': 'SVG',
  'image/jxl': 'JPEG XL',
  'image/x-icon': 'ICO',
  'image/vnd.microsoft.icon': 'ICO',
} as const

/** Whether a MIME type is that of an image which is never scaled. */
export const isUnscaledType = (mimetype: string): boolean => Object.hasOwn(unscaled, mimetype)

/** The names of their formats. */
export const unscaledFormats: readonly string[] = [...new Set(Object.values(unscaled))]

/** The longest side that is accepted, in pixels. */
export const maxImageSide = 1_000_000

/** Format and size of an image as it is displayed: the orientation is applied. */
export type RecordedImage = Size & { readonly format: ImageFormat; readonly isCmyk: boolean }

/** The size of an image in a format that no adapter scales, as it is displayed. */
export type UnscaledImage = Size & { readonly format: null; readonly isCmyk: false }

/** Why an image in such a format is not scaled, for a client. */
export const storedOnly = 'The image is of a format that can be stored but not scaled.'

/** The default thumbnails of media without an image (docs/behaviour/slots-and-media.md#thumbnails). */
export const thumbnailKinds = ['audio', 'video', 'embed', 'link', 'file'] as const

export type ThumbnailKind = (typeof thumbnailKinds)[number]

export const isThumbnailKind = (name: string): name is ThumbnailKind =>
  thumbnailKinds.some((kind) => kind === name)

export const defaultThumbnailMimetype = 'image/png'
