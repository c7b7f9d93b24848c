/** What the metadata of a file say of the image in its data (docs/behaviour/files.md#width-and-height). */
import { fileDataAttributes } from '../file/file-data.js'
import { E, type Either } from '../fp.js'
import type { JsonObject } from '../json.js'
import type { StateOf } from '../resource/attribute.js'
import { partOf } from '../resource/table-entries.js'
import { isCmyk, uprightSize, type ImageHeader, type RecordedImage } from './image-header.js'

type ImageMetadata = Pick<
  StateOf<typeof fileDataAttributes>,
  'width' | 'height' | 'image_format' | 'image_cmyk'
>

/** The attributes of a file whose data have this header; all null for data that are no image, or can't be one. */
export const recordImage = (header: Either<string, ImageHeader>, bytes: number): ImageMetadata =>
  E.isRight(header) && bytes >= header.right.leastBytes
    ? {
        ...uprightSize(header.right),
        image_format: header.right.mimetype,
        image_cmyk: isCmyk(header.right),
      }
    : { width: null, height: null, image_format: null, image_cmyk: null }

/** What was recorded; null for data that were stored when less was, and for what is no image. */
export const recordedImage = (file: JsonObject): RecordedImage | null => {
  const { width, height, image_format: format, image_cmyk: cmyk } = partOf(fileDataAttributes, file)
  return width === null || height === null || format === null
    ? null
    : { width, height, format, isCmyk: cmyk === true }
}
