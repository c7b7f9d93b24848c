/**
 * The imaging port on sharp, which is libvips: JPEG, PNG, GIF and WebP, of the last two the first frame. It runs in
 * processes of its own and streams: the memory of a job hardly grows with its picture.
 */
import { E, isSize, tooManyBytes, type JobLimits } from '@publishing-service/domain'
import { portFailure, type Imaging } from '@publishing-service/ports'
// Loaded for its own sake: where it isn't installed, or has no build for this machine, the start says so.
import 'sharp'
import { scaledFormats } from './scaled-formats.js'
import { scalingProcesses, unreadable } from './scaling-processes.js'

/** Raised whenever the same picture would come out differently: another filter, quality or orientation. */
const version = 'sharp-1'

export type SharpImagingOptions = {
  /** Processes, each with one job at a time. */
  readonly parallel: number
  readonly job: JobLimits
}

/** Opens the port; no process runs until the first image is scaled. API specification, files: `w` and `h` of a download. */
export const sharpImaging = ({ parallel, job }: SharpImagingOptions): Imaging => {
  const processes = scalingProcesses({ parallel, job })
  let closed = false
  return {
    version,
    formats: scaledFormats,
    cmyk: true,
    parallel,
    scale: (original, size) => async () => {
      if (!isSize(size)) throw new RangeError(`not a size: ${size.width} × ${size.height}`)
      if (closed) return E.left(portFailure('imaging', 'closed'))
      const excess = tooManyBytes(original.bytes, job)
      return excess === null ? processes.run(original, size) : E.left(unreadable(excess))
    },
    close: async () => {
      closed = true
      await processes.close()
    },
  }
}
