/**
 * The imaging port with Jimp, which is JavaScript and WebAssembly, in worker threads. It scales JPEG, PNG, BMP, and the
 * first frame of GIF and WebP.
 */
import { E, type ImageFormat, type JobLimits } from '@publishing-service/domain'
import { isCmyk, readImage, scalableHeader } from '@publishing-service/image-header'
import { checkedScaling, imageUnreadable, readWhole, type Imaging } from '@publishing-service/ports'
import { jobMemoryMb } from './job-memory.js'
import { scalingPool } from './scaling-pool.js'

/** Changed whenever the result for the same image changes, such as with another filter or quality. */
const version = 'jimp-3'

// TIFF is excluded: utif2 inflates without a limit, decodes every page and does not support CMYK, and most browsers do
// not display TIFF.
const formats: readonly ImageFormat[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/bmp']

// jpeg-js converts CMYK without a profile, with wrong colours.
const cmykReason =
  'The image is a CMYK JPEG, which this service does not scale: convert it to RGB, or run the service with IMAGING=sharp.'

export type JimpImagingOptions = {
  /** Worker threads. */
  readonly parallel: number
  readonly job: JobLimits
}

/** Opens the port. No thread runs until the first image is scaled. docs/behaviour/files.md#scaling */
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
        const read = await readWhole(original)()
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
