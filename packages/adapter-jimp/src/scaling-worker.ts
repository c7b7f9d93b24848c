/**
 * What runs in a worker thread: one job at a time. Nothing that a decoder prints reaches the service's own output.
 */
import { setPriority } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { scaleImage, type ScaleJob, type ScaleOutcome } from './scale-image.js'

// omggif and the resizer write to the console about odd pictures; the service's output carries its log alone.
const silent = (): void => undefined
Object.assign(console, { log: silent, error: silent })

// Whoever is to be answered goes first. Linux alone has priorities for threads; elsewhere it would be the process's.
if (process.platform === 'linux') setPriority(2)

// Pixels lie outside of V8's heap, which sees no reason to look for garbage while the heap itself is small: unless it is
// collected between two jobs, a worker may keep hundreds of megabytes.
setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

/**
 * In bytes, on the heap and outside of it. A photograph of twelve megapixels leaves less: the heap grows anew, and
 * slowly, behind each collection.
 */
const mostGarbage = { heap: 64 * 2 ** 20, outside: 128 * 2 ** 20 }

/** Does nothing where what this thread holds, used or not, isn't worth the time of looking through it. */
const collectGarbage = (): void => {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  const isFull = heapUsed > mostGarbage.heap || arrayBuffers > mostGarbage.outside
  if (isFull && typeof collect === 'function') collect()
}

/** A buffer that is a window of a larger one would go with the rest. */
const alone = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)

/**
 * The bytes go back as a copy: handing a buffer over takes it from this thread, and once that has happened V8 compiles
 * all code over buffers so that it minds it, which makes each job a tenth slower.
 */
export const scale = async (job: ScaleJob): Promise<ScaleOutcome> => {
  // Of the job before.
  collectGarbage()
  const outcome = await scaleImage(job)
  return outcome instanceof Uint8Array ? alone(outcome) : outcome
}
