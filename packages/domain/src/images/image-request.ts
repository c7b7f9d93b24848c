/** What a download requests of an image, and how that is made (docs/behaviour/files.md#scaling). */
import { fault, type Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import { centre, cropped, roundedCrop, type FocalPoint, type Region } from './crop.js'
import {
  formatNamed,
  formatNames,
  nameOfFormat,
  type FormatName,
  type ImageFormat,
  type MadeFormat,
  type RecordedImage,
} from './image-format.js'
import { maxBoxSide, roundedBox, scaledSize, type Box, type Size } from './scaled-size.js'

/** How an image is fitted into a box: scaled until it is within it, or cropped to its proportions. */
export const fits = ['inside', 'cover'] as const
export type Fit = (typeof fits)[number]

/** The formats that can be requested; `auto` leaves the choice to the service. */
export const requestedFormats = ['auto', ...formatNames] as const
export type RequestedFormat = 'auto' | FormatName

/** The steps of quality, from the fewest bytes to the most. */
export const qualities = ['low', 'medium', 'high', 'best'] as const
export type Quality = (typeof qualities)[number]

/** The quality of images that are requested without one. */
export const defaultQuality: Quality = 'high'

/** The quality of the encoder for each step, in the formats that have one. The steps of formats look about the same. */
const encoderQualities = {
  'image/jpeg': { low: 50, medium: 68, high: 82, best: 92 },
  'image/webp': { low: 50, medium: 68, high: 82, best: 92 },
  'image/avif': { low: 35, medium: 48, high: 60, best: 75 },
} as const satisfies Partial<Record<ImageFormat | MadeFormat, Readonly<Record<Quality, number>>>>

type LossyFormat = keyof typeof encoderQualities

export const encoderQuality = (format: LossyFormat, quality: Quality): number =>
  encoderQualities[format][quality]

const isLossy = (format: ImageFormat | MadeFormat): format is LossyFormat =>
  Object.hasOwn(encoderQualities, format)

/** The longest side that a format can have, in pixels. */
const longestSides: Readonly<Record<MadeFormat, number>> = {
  'image/avif': 16_384,
  'image/webp': 16_383,
  'image/jpeg': 65_535,
  'image/png': 1_000_000,
}

/** The most pixels of an AVIF: more take seconds and hundreds of megabytes. */
export const mostAvifPixels = 5_000_000

/** Why an image of this size is not made in a format; null where it is. */
const tooLargeFor = (format: MadeFormat, { width, height }: Size): string | null => {
  const longest = longestSides[format]
  const message = (most: string): string =>
    `must be another format, or w or h smaller: the picture would have ${width} × ${height} pixels, and ${nameOfFormat(format)} is made up to ${most}`
  if (Math.max(width, height) > longest) return message(`${longest} pixels a side`)
  return format === 'image/avif' && width * height > mostAvifPixels
    ? message(`${mostAvifPixels / 1_000_000} megapixels`)
    : null
}

/** The parameters of a download, null for those that were not sent. */
export type ImageRequest = Box & {
  readonly fit: Fit | null
  readonly focal_point: FocalPoint | null
  readonly format: RequestedFormat | null
  readonly q: Quality | null
}

export const imageParameters = ['w', 'h', 'fit', 'focal_point', 'format', 'q'] as const
type ImageParameter = (typeof imageParameters)[number]

/** The parameters as they are sent. */
export type SentImageRequest = Readonly<Record<ImageParameter, string | undefined>>

const focalPointText = ({ x, y }: FocalPoint): string => `${x},${y}`

/** The query of a request, as an address has it, with its parameters in their order. Pages have a hundred of them. */
export const imageQuery = (request: Partial<ImageRequest>): string => {
  let query = ''
  for (const name of imageParameters) {
    const value = request[name] ?? null
    if (value === null) continue
    query += `${query === '' ? '' : '&'}${name}=${typeof value === 'object' ? focalPointText(value) : value}`
  }
  return query
}

/** How a parameter is read: null for what it may not be, and what it must be. */
type ParameterForm<A> = { readonly parse: (text: string) => A | null; readonly expected: string }

const sideForm: ParameterForm<number> = {
  parse: (text) => {
    const pixels = /^\d{1,5}$/.test(text) ? Number(text) : 0
    return pixels >= 1 && pixels <= maxBoxSide ? pixels : null
  },
  expected: `must be a whole number from 1 to ${maxBoxSide}`,
}

const pointForm: ParameterForm<FocalPoint> = {
  parse: (text) => {
    const [, x, y] = /^(\d(?:\.\d{1,25})?(?:e-\d{1,3})?),(\d(?:\.\d{1,25})?(?:e-\d{1,3})?)$/.exec(text) ?? []
    const at = { x: Number(x), y: Number(y) }
    return at.x <= 1 && at.y <= 1 ? at : null
  },
  expected: 'must be two numbers from 0 to 1, such as 0.5,0.33',
}

const wordOf = <W extends string>(words: readonly W[]): ParameterForm<W> => ({
  parse: (text) => words.find((each) => each === text) ?? null,
  expected: `must be one of ${words.join(', ')}`,
})

const forms = {
  w: sideForm,
  h: sideForm,
  fit: wordOf(fits),
  focal_point: pointForm,
  format: wordOf(requestedFormats),
  q: wordOf(qualities),
} as const

/**
 * The parameters of a download (docs/behaviour/files.md#scaling); null if none was sent. Collects the faults of all that were
 * sent.
 */
export const parseImageRequest = (sent: SentImageRequest): Either<readonly Fault[], ImageRequest | null> => {
  if (imageParameters.every((name) => sent[name] === undefined)) return E.right(null)
  const faults: Fault[] = []
  const read = <A>(name: ImageParameter, { parse, expected }: ParameterForm<A>): A | null => {
    const text = sent[name]
    if (text === undefined) return null
    const value = parse(text)
    if (value === null) faults.push(fault(name, 'parameter', expected))
    return value
  }
  const request: ImageRequest = {
    w: read('w', forms.w),
    h: read('h', forms.h),
    fit: read('fit', forms.fit),
    focal_point: read('focal_point', forms.focal_point),
    format: read('format', forms.format),
    q: read('q', forms.q),
  }
  if (request.fit === 'cover') {
    for (const name of ['w', 'h'] as const)
      if (sent[name] === undefined) faults.push(fault(name, 'required', 'must be sent with fit=cover'))
  } else if (request.focal_point !== null)
    faults.push(fault('focal_point', 'parameter', 'must be sent with fit=cover only'))
  return faults.length > 0 ? E.left(faults) : E.right(request)
}

/** The same message for each parameter that asks for a derivative of an image. */
export const requestFaults = (request: ImageRequest, message: string): readonly Fault[] =>
  imageParameters.flatMap((name) => (request[name] === null ? [] : [fault(name, 'rule', message)]))

/** How a derivative is made from its original. */
export type Rendering = {
  readonly size: Size
  /** The part of the upright original that it shows; null for all of it. */
  readonly region: Region | null
  /** Null for the format of the original. */
  readonly format: MadeFormat | null
  /** Without effect in formats that have none. */
  readonly quality: Quality
}

/** The name of a derivative, stored with its original: requests that are rendered the same share it. */
export const derivativeName = (
  { size, region, format, quality }: Rendering,
  imagingVersion: string,
): string =>
  [
    `${size.width}x${size.height}`,
    ...(region === null ? [] : [`of${region.width}x${region.height}at${region.left}x${region.top}`]),
    ...(format === null ? [] : [nameOfFormat(format)]),
    ...(quality === defaultQuality ? [] : [quality]),
    imagingVersion,
  ].join('-')

/** An image, and whether its pixels are known to be opaque. */
export type OriginalImage = RecordedImage & { readonly isOpaque: boolean }

/** The formats that the deployment can scale, and those that it can make of them. */
export type Renderable = {
  readonly formats: readonly ImageFormat[]
  readonly makes: readonly MadeFormat[]
  /** Whether it can scale JPEGs in CMYK. */
  readonly cmyk: boolean
}

const isSameSize = (one: Size, other: Size): boolean =>
  one.width === other.width && one.height === other.height

/** The size of the derivative of a request, and the part of the original that it shows. */
const shapeOf = (
  { width, height }: Size,
  { w, h, fit }: ImageRequest,
  focalPoint: FocalPoint | null,
  isRounded: boolean,
): Pick<Rendering, 'size' | 'region'> => {
  const image = { width, height }
  if (fit !== 'cover' || w === null || h === null)
    return { size: scaledSize(image, isRounded ? roundedBox({ w, h }) : { w, h }) ?? image, region: null }
  const { region, size } = cropped(image, isRounded ? roundedCrop({ w, h }) : { w, h }, focalPoint ?? centre)
  return { size, region: isSameSize(region, image) ? null : region }
}

/** What a request is answered from, besides the image. */
type Circumstances = Renderable & {
  readonly focalPoint: FocalPoint | null
  /** The formats that the client names in the header Accept. */
  readonly accepted: readonly MadeFormat[]
  /** Whether sizes are rounded, as in requests without a token. */
  readonly isRounded: boolean
}

/** The formats that `auto` prefers, those with the fewest bytes first; only for clients that name them. */
export const preferredFormats: readonly MadeFormat[] = ['image/avif', 'image/webp']

/** The best format of an image for a client: the one with the fewest bytes, which preserves transparency. */
const chosenFormat = (
  { format, isOpaque }: OriginalImage,
  size: Size,
  { accepted, makes }: Circumstances,
): MadeFormat => {
  const fallback = format === 'image/jpeg' || isOpaque ? 'image/jpeg' : 'image/png'
  const candidates: readonly MadeFormat[] = [
    ...preferredFormats.filter((each) => accepted.includes(each)),
    fallback,
  ]
  return candidates.find((each) => makes.includes(each) && tooLargeFor(each, size) === null) ?? 'image/png'
}

/**
 * How the derivative of a request is made; null if the original is sent, and on the left what can be requested instead.
 * `image` is null if it is in a format that is never scaled.
 */
export const renderingOf = (
  image: OriginalImage | null,
  request: ImageRequest,
  circumstances: Circumstances,
): Either<readonly Fault[], Rendering | null> => {
  const named = request.format === null || request.format === 'auto' ? null : formatNamed(request.format)
  if (named !== null && !circumstances.makes.includes(named)) {
    const made = circumstances.makes.map(nameOfFormat).join(', ')
    return E.left([fault('format', 'rule', `must be auto, or one that this service makes: ${made}`)])
  }
  if (image === null || !circumstances.formats.includes(image.format))
    return named === null
      ? E.right(null)
      : E.left([
          fault('format', 'rule', 'must be auto or left out: this image is sent as it is, in its own format'),
        ])
  const { size, region } = shapeOf(image, request, circumstances.focalPoint, circumstances.isRounded)
  const fitsAsItIs = region === null && isSameSize(size, image)
  const quality = request.q ?? defaultQuality
  if (request.format === null) {
    const isLossyOriginal = isLossy(image.format)
    return E.right(
      fitsAsItIs && (request.q === null || !isLossyOriginal)
        ? null
        : { size, region, format: null, quality: isLossyOriginal ? quality : defaultQuality },
    )
  }
  if (named === null) {
    // A page shows it in any browser; an address that names a size or a format has the fault.
    if (image.isCmyk && !circumstances.cmyk) return E.right(null)
    // It may be animated, and a derivative is a still image.
    if (image.format === 'image/gif' && fitsAsItIs) return E.right(null)
  }
  const format = named ?? chosenFormat(image, size, circumstances)
  const excess = tooLargeFor(format, size)
  if (excess !== null) return E.left([fault('format', 'rule', excess)])
  return E.right({
    size,
    region,
    format: format === image.format ? null : format,
    quality: isLossy(format) ? quality : defaultQuality,
  })
}
