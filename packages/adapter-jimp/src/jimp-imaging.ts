/**
 * The imaging port on Jimp: JavaScript and a little WebAssembly, in worker threads. JPEG, PNG, GIF, WebP (of both the
 * first frame) and BMP.
 */
import {
  E,
  isSize,
  scalableHeader,
  tooManyBytes,
  type ImageFormat,
  type JobLimits,
} from '@publishing-service/domain'
import { portFailure, wholeOf, type Imaging } from '@publishing-service/ports'
import { jobMemoryMb } from './job-memory.js'
import { scalingPool, unreadable } from './scaling-pool.js'

/** Raised whenever the same picture would come out differently: another filter, quality or orientation. */
const version = 'jimp-2'

// TIFF is missing on purpose: utif2 inflates without a bound, decodes every page and knows no CMYK, and no browser
// would show the result.
const formats: readonly ImageFormat[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/bmp']

export type JimpImagingOptions = {
  /** Worker threads. */
  readonly parallel: number
  readonly job: JobLimits
}

/** Opens the port; no thread runs until the first image is scaled. API specification, files: `w` and `h` of a download. */
export const jimpImaging = ({ parallel, job }: JimpImagingOptions): Imaging => {
  const pool = scalingPool({ parallel, job })
  let closed = false
  return {
    version,
    formats,
    parallel,
    scale: (original, size) => async () => {
      if (!isSize(size)) throw new RangeError(`not a size: ${size.width} × ${size.height}`)
      if (closed) return E.left(portFailure('imaging', 'closed'))
      const excess = tooManyBytes(original.bytes, job)
      if (excess !== null) return E.left(unreadable(excess))
      const read = await wholeOf(original)()
      if (E.isLeft(read)) return read
      const data = read.right
      const header = scalableHeader(data, job, (each) => jobMemoryMb(each, data.length, size))
      return E.isLeft(header)
        ? E.left(unreadable(header.left))
        : pool.run({ data, header: header.right, size, maxMemoryMb: job.mebibytes })
    },
    close: async () => {
      closed = true
      await pool.close()
    },
  }
}
