/**
 * A worker for the tests of the pool: the job's width says how it behaves.
 */
import type { ScaleJob, ScaleOutcome } from './scale-image.js'

export const behaviour = { answer: 1, hang: 2, fillMemory: 3, fail: 4, leave: 5 } as const

const hang = (): never => {
  for (;;);
}

const fillMemory = (): never => {
  const kept: object[] = []
  for (;;) kept.push({ next: kept.length, more: [kept.length] })
}

let isBroken = false

export const scale = async (job: ScaleJob): Promise<ScaleOutcome> => {
  if (job.size.width === behaviour.hang) return hang()
  if (job.size.width === behaviour.fillMemory) return fillMemory()
  if (job.size.width === behaviour.fail) isBroken = true
  // As a thread is that could not load a module: Node.js keeps the failure.
  if (isBroken) throw new Error('a defect')
  if (job.size.width === behaviour.leave) process.exit(3)
  return Uint8Array.from(job.data)
}
