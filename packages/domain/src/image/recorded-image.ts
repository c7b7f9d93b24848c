/** What is stored of an image in the data of a file, so that it can be scaled without reading its header again. */
import { fileDataAttributes } from '../file/file-data.js'
import type { JsonObject } from '../json.js'
import { partOf } from '../resource/table-entries.js'
import type { RecordedImage } from './image-format.js'

/** The recorded image; null for data that was stored when less was recorded, and for data that is no image. */
export const recordedImage = (file: JsonObject): RecordedImage | null => {
  const { width, height, image_format: format, image_cmyk: cmyk } = partOf(fileDataAttributes, file)
  return width === null || height === null || format === null
    ? null
    : { width, height, format, isCmyk: cmyk === true }
}
