import type { JobLimits } from '@publishing-service/domain/images'
import { readImage } from '@publishing-service/image-header'
import { E } from '@publishing-service/domain/fp'
import { checkedScaling, portFailure, type Imaging } from '@publishing-service/ports'
import { scalingPool, type ScalingProgram } from './scaling-pool.js'

/** What an adapter states about itself, and the program that its processes run. */
export type ImagingAdapter = Pick<Imaging, 'version' | 'formats' | 'makes' | 'cmyk'> & ScalingProgram

export type ImagingOptions = {
  /** Processes, each with one job at a time. */
  readonly parallel: number
  readonly job: JobLimits
}

const otherOutput = portFailure('imaging', 'a job has returned the output of another kind')

/** Opens the port. No process runs until the first image is scaled. docs/behaviour/files.md#scaling */
export const imagingInProcesses = (
  { version, formats, makes, cmyk, ...program }: ImagingAdapter,
  { parallel, job }: ImagingOptions,
): Imaging => {
  const pool = scalingPool({ parallel, job }, program)
  return {
    version,
    formats,
    makes,
    cmyk,
    parallel,
    readHeader: readImage,
    ...checkedScaling(job, {
      scale: (original, rendering) => async () => {
        const ran = await pool.run(original, rendering)
        if (E.isLeft(ran)) return ran
        return ran.right._tag === 'Scaled' ? E.right(ran.right.data) : E.left(otherOutput)
      },
      summarise: (original) => async () => {
        const ran = await pool.run(original, null)
        if (E.isLeft(ran)) return ran
        return ran.right._tag === 'Summarised' ? E.right(ran.right.summary) : E.left(otherOutput)
      },
      close: pool.close,
    }),
  }
}
