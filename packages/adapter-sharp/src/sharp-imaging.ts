/**
 * The imaging port on sharp, which is libvips: JPEG, PNG, GIF and WebP, of the last two the first frame. It runs in
 * processes of its own and streams: the memory of a job hardly grows with its picture.
 */
import {
  E,
  isSize,
  memoryAllowance,
  scalableHeader,
  type ImageFormat,
  type JobLimits,
} from '@publishing-service/domain'
import { portFailure, type Imaging } from '@publishing-service/ports'
// Loaded for its own sake: where it isn't installed, or has no build for this machine, the start says so.
import 'sharp'
import { jobMemoryMb } from './job-memory.js'
import { scaledFormats, type ScaledFormat } from './scale-job.js'
import { scalingProcesses, unreadable } from './scaling-processes.js'

/** Raised whenever the same picture would come out differently: another filter, quality or orientation. */
const version = 'sharp-1'

const isScaled = (format: ImageFormat): format is ScaledFormat =>
  scaledFormats.some((each) => each === format)

export type SharpImagingOptions = {
  /** Processes, each with one job at a time. */
  readonly parallel: number
  readonly job: JobLimits
}

const unknownFormat = 'The image is of a format that can be stored but not scaled.'

/** Opens the port; no process runs until the first image is scaled. API specification, files: `w` and `h` of a download. */
export const sharpImaging = ({ parallel, job }: SharpImagingOptions): Imaging => {
  const processes = scalingProcesses({ parallel, job })
  let closed = false
  return {
    version,
    formats: scaledFormats,
    parallel,
    scale: (data, size) => async () => {
      if (!isSize(size)) throw new RangeError(`not a size: ${size.width} × ${size.height}`)
      if (closed) return E.left(portFailure('imaging', 'closed'))
      const header = scalableHeader(data, job, (each) => jobMemoryMb(each, data.length, size))
      if (E.isLeft(header)) return E.left(unreadable(header.left))
      const { mimetype } = header.right
      if (!isScaled(mimetype)) return E.left(unreadable(unknownFormat))
      return processes.run({ data, format: mimetype, size, mebibytes: memoryAllowance(job, data.length) })
    },
    close: async () => {
      closed = true
      await processes.close()
    },
  }
}
