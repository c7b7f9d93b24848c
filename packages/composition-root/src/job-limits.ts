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

/** Jobs share half of the memory; one runs per core if the memory suffices for each. */
export const scalingLimits = (
  configuration: Pick<Configuration, 'SCALING_JOBS' | 'SCALING_MEMORY' | 'SCALING_SECONDS'>,
  machine: Machine,
): ScalingLimits => {
  const share = Math.floor(machine.memoryMb / 2)
  const enough = configuration.SCALING_MEMORY ?? comfortableMemoryMb
  const parallel =
    configuration.SCALING_JOBS ?? Math.max(1, Math.min(machine.cores, Math.floor(share / enough)))
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
