import { imageMimetypes, maxImageSide } from '../image/image-format.js'
import { stored } from '../resource/attribute.js'
import { boolean, integer, oneOf } from '../value/scalar.js'
import { filename, text } from '../value/text.js'
import { formerUploads } from './former-uploads.js'
import { maxCharset } from './mimetype.js'

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
