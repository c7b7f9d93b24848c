/**
 * What runs in a worker thread: one job at a time, its result handed over rather than copied. Nothing that a decoder
 * prints reaches the service's own output.
 */
import { setPriority } from 'node:os'
import { move } from 'piscina'
import { collectGarbage } from './collect-garbage.js'
import { scaleImage, type ScaleJob } from './scale-image.js'

// omggif and the resizer write to the console about odd pictures; the service's output carries its log alone.
const silent = (): void => undefined
Object.assign(console, { log: silent, error: silent })

// Whoever is to be answered goes first. Linux alone has priorities for threads; elsewhere it would be the process's.
if (process.platform === 'linux') setPriority(2)

/** A buffer that is a window of a larger one can't be handed over without the rest. */
const alone = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)

/** Answers a ScaleOutcome; `move` wraps its bytes for the way back only. */
export const scale = async (job: ScaleJob): Promise<unknown> => {
  const outcome = await scaleImage(job)
  // Behind the answer, and before the next job.
  setImmediate(collectGarbage)
  return outcome instanceof Uint8Array ? move(alone(outcome)) : outcome
}
