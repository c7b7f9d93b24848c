/**
 * Gives the memory of a job back when the job is done. Pixels lie outside of V8's heap, which sees no reason to look
 * for garbage while the heap itself is small: without this a worker keeps hundreds of megabytes for the next job.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

export const collectGarbage = (): void => {
  if (typeof collect === 'function') collect()
}
