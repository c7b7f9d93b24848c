/** What is stored of the data of a file, and the attributes of objects that show a file as an image. */
import type { ImageRequest, OriginalImage } from '../images/image-request.js'
import { stored, derived, prefixed } from '../resource/attribute.js'
import { listOf, record } from '../value/record.js'
import { integer, boolean, decimal, oneOf } from '../value/scalar.js'
import { imageMimetypes, maxImageSide, unscaledFormats } from '../images/image-format.js'
import { filename, text } from '../value/text.js'
import { maxCharset } from './mimetype.js'
import type { JsonObject } from '../json.js'
import { partOf, attributeIn } from '../resource/attribute-tables.js'
import { reference } from '../value/reference.js'
import type { ViewContext } from '../resource/view-context.js'

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

/**
 * Data that is elsewhere: that of an upload that was replaced lately, or an image cropped around the focal point of now.
 * The upload and the request of its address.
 */
export type Replaced = {
  readonly _tag: 'Replaced'
  readonly upload: number
  readonly image: ImageRequest | null
}

const readOnly = true
const internal = true
const sparse = true
const heavy = true

const fraction = decimal({ min: 0, max: 1 })

/** The focal point of an image (docs/behaviour/files.md#focal-point). */
const focalPoint = record({
  x: stored(fraction, 'From the left, as a fraction of the width.', { required: true }),
  y: stored(fraction, 'From the top, as a fraction of the height.', { required: true }),
})

/** The longest data URI of a placeholder, in characters. */
export const maxPlaceholderUri = 400

/** Bytes of the shortest data that gets a placeholder: shorter data is there as soon. */
export const leastForPlaceholder = 4096

/** What a page shows until an image is there (docs/behaviour/files.md#placeholder). */
const placeholderParts = {
  colour: stored(text({ max: 7 }), 'The average colour, such as `#8a7f6c`.', { required: true }),
  image: stored(
    text({ max: maxPlaceholderUri }),
    'The image in at most 16 × 16 pixels, as a data URI; null if it would be longer.',
  ),
} as const

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
  focal_point: stored(
    focalPoint,
    'What stays visible if an image is cropped; the centre without it. It is not changed by an upload.',
  ),
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
  placeholder: stored(
    record(placeholderParts),
    'Average colour and a tiny image, made during the upload of an image; null for others.',
    { readOnly, heavy },
  ),
  image_opaque: stored(boolean, 'Whether the pixels of the image are opaque; null if that is not known.', {
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
export const recordedImage = (file: JsonObject): OriginalImage | null => {
  const data = partOf(fileDataAttributes, file)
  const { width, height, image_format: format } = data
  return width === null || height === null || format === null
    ? null
    : { width, height, format, isCmyk: data.image_cmyk === true, isOpaque: data.image_opaque === true }
}

/** What was found in the pixels of an image. */
export type PixelSummary = {
  /** The average of the visible pixels: `#` and six hexadecimal digits. */
  readonly colour: string
  readonly isOpaque: boolean
  /** The image in a few pixels: a WebP in base64. */
  readonly picture: string
}

type FileId = string | null | undefined

const fileIn = ({ find }: Pick<ViewContext, 'find'>, id: FileId): JsonObject | undefined =>
  typeof id === 'string' ? find('files', id) : undefined

/** The download address of a file's data, or null if the file is deleted or has no data. */
export const downloadUrl = (
  view: Pick<ViewContext, 'find' | 'links'>,
  fileId: FileId,
  request?: Partial<ImageRequest>,
): string | null => {
  const upload = attributeIn(fileDataAttributes, 'upload', fileIn(view, fileId))
  return typeof fileId === 'string' && upload !== null ? view.links.download(fileId, upload, request) : null
}

/** The MIME type of a file's data, or null. */
export const mimetypeOf = (view: ViewContext, fileId: FileId): string | null =>
  attributeIn(fileDataAttributes, 'mimetype', fileIn(view, fileId))

/** The size of a file's data in bytes, or null. */
export const byteSizeOf = (view: ViewContext, fileId: FileId): number | null =>
  attributeIn(fileDataAttributes, 'byte_size', fileIn(view, fileId))

/** A state with the UUID of a file. */
type Holding<N extends string> = Readonly<Record<N, string | null>>

/** What the parameters of the address of an image do. */
const scaling = `\`w\` and \`h\` scale it down, except ${unscaledFormats.join(', ')}, which are sent as they are.`

type ImageOptions<V extends string> = { readonly only?: readonly V[]; readonly addon?: true }

/** The pair of attributes for an image of the file library: `X_uuid` is written, `X_url` is read-only (docs/behaviour/writing.md#image-attributes). */
export const image = <N extends string, V extends string = string>(
  name: N,
  what: string,
  options: ImageOptions<V> = {},
) => {
  const uuidName = `${name}_uuid` as const
  return prefixed(name, {
    uuid: stored<string, V>(
      reference('files', { media: 'image' }),
      `${what}: an image of the file library.`,
      options,
    ),
    url: derived(
      { type: 'string', format: 'uri' },
      `${what}: where to download it. ${scaling}`,
      (state: Holding<`${N}_uuid`>, view) => downloadUrl(view, state[uuidName]),
      { needs: [uuidName], nullable: true, ...options },
    ),
  })
}
