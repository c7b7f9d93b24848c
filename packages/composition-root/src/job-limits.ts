/**
 * The resources that scaling may use. Defaults depend on the cores and the available memory, so that
 * one picture never takes a small machine down.
 */
import { availableParallelism, totalmem } from 'node:os'
import type { JobLimits } from '@publishing-service/domain/images'
import type { Configuration } from './configuration.js'

type Machine = { readonly cores: number; readonly memoryMb: number }

export type ScalingLimits = { readonly parallel: number; readonly job: JobLimits }

const mostMemoryMb = 2048
/** Below this not even a small photograph fits next to the decoders. */
const leastMemoryMb = 256
const comfortableMemoryMb = 512
const mebibyte = 2 ** 20

/** The cores and mebibytes that this process may use; a container's limit counts, not the host's memory. */
export const thisMachine = (): Machine => {
  const constrained = process.constrainedMemory()
  const memory = constrained > 0 ? Math.min(totalmem(), constrained) : totalmem()
  return { cores: availableParallelism(), memoryMb: Math.floor(memory / mebibyte) }
}

/** The part of a worker in what all workers may use together: an equal one, but not less than it needs. */
export const partOf = (all: number, { WORKERS }: Pick<Configuration, 'WORKERS'>, least = 0): number =>
  Math.max(least, Math.floor(all / WORKERS))

/** Jobs share half of the memory; one runs per core if the memory suffices for each. Workers have equal parts of both. */
export const scalingLimits = (
  configuration: Pick<Configuration, 'SCALING_JOBS' | 'SCALING_MEMORY' | 'SCALING_SECONDS' | 'WORKERS'>,
  machine: Machine,
): ScalingLimits => {
  const share = partOf(Math.floor(machine.memoryMb / 2), configuration)
  const enough = configuration.SCALING_MEMORY ?? comfortableMemoryMb
  const { SCALING_JOBS: jobs } = configuration
  const parallel =
    jobs === null
      ? Math.max(1, Math.min(partOf(machine.cores, configuration), Math.floor(share / enough)))
      : partOf(jobs, configuration, 1)
  return {
    parallel,
    job: {
      milliseconds: configuration.SCALING_SECONDS * 1000,
      mebibytes:
        configuration.SCALING_MEMORY ??
        Math.max(leastMemoryMb, Math.min(mostMemoryMb, Math.floor(share / parallel))),
    },
  }
}
