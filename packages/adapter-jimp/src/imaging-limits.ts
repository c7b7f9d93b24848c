/**
 * What scaling may take of the machine. Each limit that isn't given follows from the cores and the memory at hand,
 * so that one picture never takes a small machine down.
 */
import { availableParallelism, totalmem } from 'node:os'

export type JimpImagingOptions = {
  /** Worker threads; by default one fewer than the cores, at least one, and no more than memory allows. */
  readonly workers?: number
  /** Jobs that may wait for a worker; past it they answer PortFailure at once. Default 32. */
  readonly queue?: number
  /** Milliseconds that one job may take in its worker. Default 30 000. */
  readonly jobTimeoutMs?: number
  /** Mebibytes that one job may take; by default the workers share half of the memory, from 256 to 2 048 each. */
  readonly jobMemoryMb?: number
  /** Pixels of the largest image that is read. Default 100 000 000. */
  readonly maxPixels?: number
  /** Milliseconds after which a worker without a job ends and gives its memory back. Default 10 000. */
  readonly idleMs?: number
}

export type ImagingLimits = Readonly<Required<JimpImagingOptions>>

export type Machine = { readonly cores: number; readonly memoryMb: number }

const mostMemoryMb = 2048
/** Below this not even a small photograph fits beside the decoders. */
const leastMemoryMb = 256
const comfortableMemoryMb = 1024
const mebibyte = 2 ** 20

/** The cores and mebibytes that this process may use; a container's limit counts, not the host's memory. */
export const thisMachine = (): Machine => {
  const constrained = process.constrainedMemory()
  const memory = constrained > 0 ? Math.min(totalmem(), constrained) : totalmem()
  return { cores: availableParallelism(), memoryMb: Math.floor(memory / mebibyte) }
}

export const imagingLimits = (options: JimpImagingOptions, machine: Machine): ImagingLimits => {
  const share = Math.floor(machine.memoryMb / 2)
  const workers =
    options.workers ?? Math.max(1, Math.min(machine.cores - 1, Math.floor(share / comfortableMemoryMb)))
  return {
    workers,
    queue: options.queue ?? 32,
    jobTimeoutMs: options.jobTimeoutMs ?? 30_000,
    jobMemoryMb:
      options.jobMemoryMb ?? Math.max(leastMemoryMb, Math.min(mostMemoryMb, Math.floor(share / workers))),
    maxPixels: options.maxPixels ?? 100_000_000,
    idleMs: options.idleMs ?? 10_000,
  }
}
