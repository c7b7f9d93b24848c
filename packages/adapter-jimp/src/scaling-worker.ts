/**
 * The program of a worker thread: one job at a time.
 */
import { setPriority } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { scaleImage, type ScaleJob, type ScaleOutcome } from './scale-image.js'

// omggif and the resizer print warnings; the output of the service must contain only its log.
const noOutput = (): void => undefined
Object.assign(console, { log: noOutput, error: noOutput })

// Requests are served before images are scaled. Only Linux has priorities for threads; elsewhere the call would change
// the whole process.
if (process.platform === 'linux') setPriority(2)

// Pixels are outside of V8's heap, so V8 does not collect them while the heap is small. Without a collection between
// jobs, a worker may retain hundreds of megabytes.
setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

/**
 * In bytes, on the heap and outside of it. A photograph of twelve megapixels leaves less, because the heap grows slowly
 * after each collection.
 */
const collectionThreshold = { heap: 64 * 2 ** 20, outside: 128 * 2 ** 20 }

/** Collects garbage only if this thread uses enough memory to make it worthwhile. */
const collectGarbage = (): void => {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  const isFull = heapUsed > collectionThreshold.heap || arrayBuffers > collectionThreshold.outside
  if (isFull && typeof collect === 'function') collect()
}

/** A view would be sent together with its whole buffer. */
const copyIfView = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)

/**
 * The result is copied to the main thread. After a transfer of a buffer, V8 compiles all code on buffers with checks
 * for detached ones, which makes each job a tenth slower.
 */
export const scale = async (job: ScaleJob): Promise<ScaleOutcome> => {
  // The garbage of the previous job.
  collectGarbage()
  const outcome = await scaleImage(job)
  return outcome instanceof Uint8Array ? copyIfView(outcome) : outcome
}
