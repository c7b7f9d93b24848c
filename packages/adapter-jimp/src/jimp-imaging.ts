/**
 * The imaging port on Jimp: pure JavaScript, in worker threads. JPEG, PNG, GIF (its first frame) and BMP; what comes
 * out carries pixels alone: no place, no time, no camera, and no colour profile, so that they count as sRGB.
 */
import { E, type Either } from '@publishing-service/domain'
import { type ImageUnreadable, type Imaging, type PortFailure, portFailure } from '@publishing-service/ports'
// Pinned to 9: 10 needs Node 22.
import PQueue from 'p-queue'
import {
  brokenPixels,
  type ImageHeader,
  type PictureFormat,
  refused,
  unreadable,
  uprightSize,
} from './image-header.js'
import { imagingLimits, type ImagingLimits, type JimpImagingOptions, thisMachine } from './imaging-limits.js'
import { jobMemoryMb } from './job-memory.js'
import { readImageHeader } from './read-image-header.js'
import type { ScaleJob } from './scale-image.js'
import { scalingPool } from './scaling-pool.js'

/** Raised whenever the same picture would come out differently: another filter, quality or orientation. */
const version = 'jimp-1'

// TIFF is missing on purpose: utif2 inflates without a bound, decodes every page and knows no CMYK, and no browser
// would show the result.
const formats: readonly PictureFormat[] = ['image/jpeg', 'image/png', 'image/gif', 'image/bmp']

const part = 'imaging'

type Size = { readonly width: number; readonly height: number }

const megapixels = (pixels: number): string => String(Math.round(pixels / 10_000) / 100)

const withinPixels = (limits: ImagingLimits, header: ImageHeader): Either<ImageUnreadable, ImageHeader> =>
  header.width * header.height > limits.maxPixels
    ? refused(
        `The image has ${header.width} × ${header.height} pixels; ` +
          `the limit is ${megapixels(limits.maxPixels)} megapixels.`,
      )
    : E.right(header)

const scalable = (
  limits: ImagingLimits,
  data: Uint8Array,
  header: ImageHeader,
  size: Size,
): Either<ImageUnreadable, ImageHeader> => {
  if (data.byteLength < header.leastBytes) return refused(brokenPixels)
  const needed = jobMemoryMb(header, size)
  return needed > limits.jobMemoryMb
    ? E.left(
        unreadable(
          `Scaling the image would take ${needed} MB of memory; the limit is ${limits.jobMemoryMb} MB.`,
        ),
      )
    : E.right(header)
}

const isSize = ({ width, height }: Size): boolean =>
  Number.isSafeInteger(width) && Number.isSafeInteger(height) && width > 0 && height > 0

/**
 * Opens the port; nothing runs until the first image is scaled. A size that isn't two positive integers is a
 * caller's defect and rejects with RangeError; after `close` every scaling answers PortFailure.
 * API specification, files: `w` and `h` of a download.
 */
export const jimpImaging = (options: JimpImagingOptions = {}): Imaging => {
  const limits = imagingLimits(options, thisMachine())
  const queue = new PQueue({ concurrency: limits.workers })
  const pool = scalingPool(limits)
  let closed = false

  const inspect = (data: Uint8Array): Either<ImageUnreadable, ImageHeader> =>
    E.chain((header: ImageHeader) => withinPixels(limits, header))(readImageHeader(data))

  const run = async (
    job: Omit<ScaleJob, 'maxMemoryMb'>,
  ): Promise<Either<PortFailure | ImageUnreadable, Uint8Array>> =>
    closed ? E.left(portFailure(part, 'closed')) : pool.run({ ...job, maxMemoryMb: limits.jobMemoryMb })

  return {
    version,
    formats: formats.map((mimetype) => ({ mimetype })),
    probe: (data) => async () =>
      E.map((header: ImageHeader) => ({ mimetype: header.mimetype, ...uprightSize(header) }))(inspect(data)),
    scale: (data, size) => async () => {
      if (!isSize(size)) throw new RangeError(`not a size: ${size.width} × ${size.height}`)
      const header = E.chain((each: ImageHeader) => scalable(limits, data, each, size))(inspect(data))
      if (E.isLeft(header)) return header
      if (queue.pending >= limits.workers && queue.size >= limits.queue)
        return E.left(portFailure(part, `all ${limits.workers} + ${limits.queue} places are taken`))
      return queue.add(() => run({ data, header: header.right, width: size.width, height: size.height }))
    },
    close: async () => {
      closed = true
      await pool.close()
    },
  }
}
