/**
 * The imaging port on sharp, which is libvips: JPEG, PNG, GIF and WebP, of the last two the first frame. It runs in
 * threads of its own and streams: the memory of a job hardly grows with its picture.
 */
import {
  brokenPixels,
  E,
  isSize,
  scalableHeader,
  tookTooLong,
  type Either,
  type ImageFormat,
  type JobLimits,
  type Size,
} from '@publishing-service/domain'
import { portFailure, type ImageUnreadable, type Imaging } from '@publishing-service/ports'
import sharp, { type Sharp } from 'sharp'
import { jobMemoryMb } from './job-memory.js'

/** Raised whenever the same picture would come out differently: another filter, quality or orientation. */
const version = 'sharp-1'

const quality = 82

/** The writer of each format that is read; libvips knows more, which nobody asked for and which are open to attack. */
const writers = {
  'image/jpeg': (picture: Sharp) => picture.jpeg({ quality, chromaSubsampling: '4:4:4' }),
  'image/png': (picture: Sharp) => picture.png({ compressionLevel: 6 }),
  'image/gif': (picture: Sharp) => picture.gif(),
  'image/webp': (picture: Sharp) => picture.webp({ quality }),
} as const satisfies Partial<Record<ImageFormat, (picture: Sharp) => Sharp>>

type Known = keyof typeof writers
const formats = Object.keys(writers) as readonly Known[]
const isKnown = (format: ImageFormat): format is Known => formats.some((each) => each === format)

const readers = ['JpegBuffer', 'PngBuffer', 'NsgifBuffer', 'WebpBuffer'].map(
  (name) => `VipsForeignLoad${name}`,
)

/** One for the process: libvips has no settings of a smaller scope. */
const prepare = (): void => {
  // Jobs run side by side, so that none needs more threads than one; and no picture comes twice.
  sharp.concurrency(1)
  sharp.cache(false)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: readers })
}

export type SharpImagingOptions = {
  /** Jobs side by side, each in a thread of Node's own pool. */
  readonly parallel: number
  readonly job: JobLimits
}

const unknownFormat = 'The image is of a format that can be stored but not scaled.'

const unreadable = (reason: string): ImageUnreadable => ({ _tag: 'ImageUnreadable', reason })

const timedOut = /timeout/i

const scaled = async (
  data: Uint8Array,
  mimetype: Known,
  { width, height }: Size,
  job: JobLimits,
): Promise<Either<ImageUnreadable, Uint8Array>> => {
  const started = performance.now()
  const picture = sharp(data, { failOn: 'warning', limitInputPixels: false, sequentialRead: true, pages: 1 })
    .timeout({ seconds: Math.ceil(job.milliseconds / 1000) })
    .autoOrient()
    // The kernel that comes nearest to the mean of the area, which is how Jimp scales.
    .resize({ width, height, fit: 'fill', kernel: 'cubic' })
    .toColourspace('srgb')
  const isLate = (): boolean => performance.now() - started > job.milliseconds
  try {
    const bytes = await writers[mimetype](picture).toBuffer()
    return isLate() ? E.left(unreadable(tookTooLong(job))) : E.right(bytes)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const ranOut = isLate() || timedOut.test(error.message)
    return E.left(unreadable(ranOut ? tookTooLong(job) : brokenPixels))
  }
}

/** Opens the port. API specification, files: `w` and `h` of a download. */
export const sharpImaging = ({ parallel, job }: SharpImagingOptions): Imaging => {
  prepare()
  let closed = false
  return {
    version,
    formats,
    parallel,
    scale: (data, size) => async () => {
      if (!isSize(size)) throw new RangeError(`not a size: ${size.width} × ${size.height}`)
      if (closed) return E.left(portFailure('imaging', 'closed'))
      const header = scalableHeader(data, job, (each) => jobMemoryMb(each, data.length, size))
      if (E.isLeft(header)) return E.left(unreadable(header.left))
      const { mimetype } = header.right
      return isKnown(mimetype) ? scaled(data, mimetype, size, job) : E.left(unreadable(unknownFormat))
    },
    close: async () => {
      closed = true
    },
  }
}
