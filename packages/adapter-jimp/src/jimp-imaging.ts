/**
 * The imaging port on Jimp: JavaScript and a little WebAssembly, in worker threads. JPEG, PNG, GIF, WebP (of both the
 * first frame) and BMP.
 */
import { E, type ImageFormat, type JobLimits } from '@publishing-service/domain'
import { isCmyk, readImage, scalableHeader } from '@publishing-service/image-header'
import { checkedScaling, imageUnreadable, wholeOf, type Imaging } from '@publishing-service/ports'
import { jobMemoryMb } from './job-memory.js'
import { scalingPool } from './scaling-pool.js'

/** Raised whenever the same picture would come out differently: another filter, quality or orientation. */
const version = 'jimp-3'

// TIFF is missing on purpose: utif2 inflates without a bound, decodes every page and knows no CMYK, and no browser
// would show the result.
const formats: readonly ImageFormat[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/bmp']

// jpeg-js mixes the inks without a profile, which gives wrong colours.
const cmykReason =
  'The image is a CMYK JPEG, which this service does not scale: convert it to RGB, or run the service with IMAGING=sharp.'

export type JimpImagingOptions = {
  /** Worker threads. */
  readonly parallel: number
  readonly job: JobLimits
}

/** Opens the port; no thread runs until the first image is scaled. docs/behaviour/files.md#scaling */
export const jimpImaging = ({ parallel, job }: JimpImagingOptions): Imaging => {
  const pool = scalingPool({ parallel, job })
  return {
    version,
    formats,
    cmyk: false,
    parallel,
    readHeader: readImage,
    ...checkedScaling(job, {
      scale: (original, size) => async () => {
        const read = await wholeOf(original)()
        if (E.isLeft(read)) return read
        const data = read.right
        const header = scalableHeader(data, job, (each) => jobMemoryMb(each, data.length, size))
        if (E.isLeft(header)) return E.left(imageUnreadable(header.left))
        return isCmyk(header.right)
          ? E.left(imageUnreadable(cmykReason))
          : pool.run({ data, header: header.right, size, maxMemoryMb: job.mebibytes })
      },
      close: pool.close,
    }),
  }
}
