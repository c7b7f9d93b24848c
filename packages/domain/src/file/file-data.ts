import type { Box } from '../image/scaled-size.js'
import { stored } from '../resource/attribute.js'
import { listOf, record } from '../value/record.js'
import { integer, boolean, oneOf } from '../value/scalar.js'
import { imageMimetypes, maxImageSide, type RecordedImage } from '../image/image-format.js'
import { filename, text } from '../value/text.js'
import { maxCharset } from './mimetype.js'
import type { JsonObject } from '../json.js'
import { partOf } from '../resource/table-entries.js'

const natural = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

const formerUpload = record({
  upload: stored(natural, 'Number of the upload.', { required: true }),
  replaced: stored(natural, 'When its data was replaced, in milliseconds since 1970.', { required: true }),
})

/** The most former uploads of a file whose addresses are known. */
export const mostFormerUploads = 20

/** Milliseconds for which the address of replaced data leads to the data that replaced it. */
export const redirectedFor = 86_400_000

const formerUploads = stored(
  listOf(formerUpload, mostFormerUploads),
  'Uploads whose data was replaced in the last day, the newest first.',
  { internal: true, initial: [] },
)

type Uploads = {
  readonly former_uploads: readonly { readonly upload: number; readonly replaced: number }[] | null
}

/** Whether an upload was replaced less than a day before a moment (docs/behaviour/files.md#download-address). */
export const isFormerUpload = ({ former_uploads: former }: Uploads, upload: number, at: number): boolean =>
  (former ?? []).some((each) => each.upload === upload && at - each.replaced < redirectedFor)

/** Data that was replaced lately: the upload that replaced it, and the requested box. */
export type Replaced = { readonly _tag: 'Replaced'; readonly upload: number; readonly box: Box | null }

const readOnly = true
const internal = true
const sparse = true

/** Where attributes are that say which data a file has (docs/behaviour/files.md#metadata). */
export const untilData = 'Before the first upload a file does not have it, and a row has null.'

/** The attributes that clients write, before or after the upload. */
export const fileTextAttributes = {
  title: stored(text({ max: 255, min: 1 }), 'Title.', { required: true, searched: 'title' }),
  filename: stored(filename, 'File name that downloads are offered under.', {
    required: true,
    searched: 'body',
  }),
  description: stored(text({ max: 10_000 }), 'Description.', { searched: 'description' }),
  credits: stored(text({ max: 1000 }), 'Who made it.', { searched: 'body' }),
} as const

/** The attributes that an upload sets: facts about the data, and about the image in it. */
export const fileDataAttributes = {
  mimetype: stored(text({ max: 255 }), `MIME type, from the Content-Type of the upload. ${untilData}`, {
    readOnly,
    sparse,
  }),
  byte_size: stored(
    integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    `Size of the data in bytes. ${untilData}`,
    { readOnly, sparse },
  ),
  width: stored(
    integer({ min: 1, max: maxImageSide }),
    'Width of an image in pixels, upright; null for others.',
    { readOnly },
  ),
  height: stored(
    integer({ min: 1, max: maxImageSide }),
    'Height of an image in pixels, upright; null for others.',
    { readOnly },
  ),
  upload: stored(
    integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    'Number of the upload, as in the download path.',
    { internal },
  ),
  former_uploads: formerUploads,
  image_format: stored(oneOf(imageMimetypes), 'Format of an image by its own header, as a MIME type.', {
    internal,
  }),
  image_cmyk: stored(boolean, 'Whether the pixels of the image are in CMYK.', { internal }),
  charset: stored(text({ max: maxCharset }), 'Charset of a text, from the Content-Type of the upload.', {
    internal,
  }),
  sha256: stored(text({ max: 64 }), 'SHA-256 of the data.', { internal }),
  blob: stored(text({ max: 200 }), 'Path of the data in the blob store.', { internal }),
} as const

/**
 * The recorded image, so that it can be scaled without reading its header again; null for data that was stored when less
 * was recorded, and for data that is no image.
 */
export const recordedImage = (file: JsonObject): RecordedImage | null => {
  const { width, height, image_format: format, image_cmyk: cmyk } = partOf(fileDataAttributes, file)
  return width === null || height === null || format === null
    ? null
    : { width, height, format, isCmyk: cmyk === true }
}
