/** What a file's metadata keep of the image in its data (specification, File; decisions §10). */
import { E, type Either } from '../fp.js'
import type { Size } from '../file/scaled-size.js'
import type { JsonObject } from '../json.js'
import { isCmyk, uprightSize, type ImageFormat, type ImageHeader } from './image-header.js'

export type RecordedImage = Size & { readonly format: ImageFormat; readonly isCmyk: boolean }

/** The attributes of a file whose data have this header; all null for data that are no image, or can't be one. */
export const recordImage = (header: Either<string, ImageHeader>, bytes: number): JsonObject =>
  E.isRight(header) && bytes >= header.right.leastBytes
    ? {
        ...uprightSize(header.right),
        image_format: header.right.mimetype,
        image_cmyk: isCmyk(header.right),
      }
    : { width: null, height: null, image_format: null, image_cmyk: null }

/** What was recorded; null for data that were stored when less was, and for what is no image. */
export const recordedImage = ({
  width,
  height,
  image_format: format,
  image_cmyk: cmyk,
}: JsonObject): RecordedImage | null =>
  typeof width === 'number' && typeof height === 'number' && typeof format === 'string'
    ? { width, height, format: format as ImageFormat, isCmyk: cmyk === true }
    : null
