import type { JobLimits } from '@publishing-service/domain/images'
import { readImage } from '@publishing-service/image-header'
import { checkedScaling, type Imaging } from '@publishing-service/ports'
import { scalingPool, type ScalingProgram } from './scaling-pool.js'

/** What an adapter states about itself, and the program that its processes run. */
export type ImagingAdapter = Pick<Imaging, 'version' | 'formats' | 'cmyk'> & ScalingProgram

export type ImagingOptions = {
  /** Processes, each with one job at a time. */
  readonly parallel: number
  readonly job: JobLimits
}

/** Opens the port. No process runs until the first image is scaled. docs/behaviour/files.md#scaling */
export const imagingInProcesses = (
  { version, formats, cmyk, ...program }: ImagingAdapter,
  { parallel, job }: ImagingOptions,
): Imaging => {
  const pool = scalingPool({ parallel, job }, program)
  return {
    version,
    formats,
    cmyk,
    parallel,
    readHeader: readImage,
    ...checkedScaling(job, { scale: (original, size) => () => pool.run(original, size), close: pool.close }),
  }
}
