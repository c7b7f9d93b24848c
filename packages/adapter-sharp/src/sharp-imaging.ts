/**
 * The imaging port with sharp, which uses libvips. It scales JPEG, PNG, and the first frame of GIF and WebP. It runs in
 * separate processes and streams, so the memory of a job hardly depends on the size of the image.
 */
import type { JobLimits } from '@publishing-service/domain'
import { readImage } from '@publishing-service/image-header'
import { checkedScaling, type Imaging } from '@publishing-service/ports'
// Imported only so that the start fails if sharp is not installed or has no build for this machine.
import 'sharp'
import { scaledFormats } from './scaled-formats.js'
import { scalingProcesses } from './scaling-processes.js'

/** Changed whenever the result for the same image changes, such as with another filter or quality. */
const version = 'sharp-1'

export type SharpImagingOptions = {
  /** Processes, each with one job at a time. */
  readonly parallel: number
  readonly job: JobLimits
}

/** Opens the port. No process runs until the first image is scaled. docs/behaviour/files.md#scaling */
export const sharpImaging = ({ parallel, job }: SharpImagingOptions): Imaging => {
  const processes = scalingProcesses({ parallel, job })
  return {
    version,
    formats: scaledFormats,
    cmyk: true,
    parallel,
    readHeader: readImage,
    ...checkedScaling(job, {
      scale: (original, size) => () => processes.run(original, size),
      close: processes.close,
    }),
  }
}
