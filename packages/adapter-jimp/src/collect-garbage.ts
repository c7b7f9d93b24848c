/**
 * Gives the memory of a job back before the next one. Pixels lie outside of V8's heap, which sees no reason to look
 * for garbage while the heap itself is small: without this a worker may keep hundreds of megabytes.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

/**
 * In bytes, on the heap and outside of it. A photograph of twelve megapixels leaves less: the heap grows anew, and
 * slowly, behind each collection.
 */
const most = { heap: 64 * 2 ** 20, outside: 128 * 2 ** 20 }

/** Does nothing where what this thread holds, used or not, isn't worth the time of looking through it. */
export const collectGarbage = (): void => {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  const isFull = heapUsed > most.heap || arrayBuffers > most.outside
  if (isFull && typeof collect === 'function') collect()
}
