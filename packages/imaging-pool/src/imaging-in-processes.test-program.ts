/** A program for the tests of the pool. The requested width selects the behaviour. */
import { serveJobs, type Scaled } from './serve-jobs.js'

export const behaviour = {
  respond: 1,
  hang: 2,
  fillHeap: 3,
  outOfMemory: 4,
  fail: 5,
  exit: 6,
  crash: 7,
  partialResult: 8,
} as const

const fillHeap = (): never => {
  const arrays: (readonly number[])[] = []
  for (;;) arrays.push(Array.from({ length: 100_000 }, () => arrays.length))
}

/** Blocks its thread without using the processor. */
const hang = (): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

const behave = (width: number, data: Uint8Array): Scaled => {
  if (width === behaviour.hang) hang()
  if (width === behaviour.fillHeap) fillHeap()
  if (width === behaviour.fail) throw new Error('a defect')
  if (width === behaviour.exit) process.exit(3)
  if (width === behaviour.crash) process.kill(process.pid, 'SIGSEGV')
  if (width === behaviour.outOfMemory) return { _tag: 'OutOfMemory', reason: 'Too much memory.' }
  if (width !== behaviour.partialResult) return data
  setImmediate(() => process.kill(process.pid, 'SIGKILL'))
  return new Uint8Array(2 ** 23)
}

// The tests import `behaviour`; jobs are served only if this file is run as a program.
if (process.argv[1]?.endsWith('imaging-in-processes.test-program.js') === true)
  serveJobs({
    reads: () => true,
    writes: (format): format is 'image/gif' => format === 'image/gif',
    memoryMb: () => 1,
    scale: async ({ rendering, data }) => behave(rendering.size.width, data),
    summarise: async () => null,
  })
