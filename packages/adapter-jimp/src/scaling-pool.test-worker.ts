/**
 * A worker for the tests of the pool. The width of a job selects the behaviour.
 */
import type { ScaleJob, ScaleOutcome } from './scale-image.js'

export const behaviour = { respond: 1, hang: 2, fillMemory: 3, fail: 4, exit: 5 } as const

const hang = (): never => {
  for (;;);
}

const fillMemory = (): never => {
  const objects: object[] = []
  for (;;) objects.push({ index: objects.length, more: [objects.length] })
}

let hasFailed = false

export const scale = async (job: ScaleJob): Promise<ScaleOutcome> => {
  if (job.size.width === behaviour.hang) return hang()
  if (job.size.width === behaviour.fillMemory) return fillMemory()
  if (job.size.width === behaviour.fail) hasFailed = true
  // Like a thread that could not load a module: Node caches the failure.
  if (hasFailed) throw new Error('a defect')
  if (job.size.width === behaviour.exit) process.exit(3)
  return Uint8Array.from(job.data)
}
