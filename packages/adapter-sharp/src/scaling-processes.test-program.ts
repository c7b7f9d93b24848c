/** A program for the tests of the processes. The width of a job selects the behaviour. */
import { readOriginal } from './read-original.js'
import type { ScaleJob, ScaleResult } from './scaling-process.js'

export const behaviour = { respond: 1, hang: 2, fillMemory: 3, exit: 4, crash: 5, partialResult: 6 } as const

const send = (result: ScaleResult): void => void process.send?.(result)

const behave = (width: number, data: Uint8Array): void => {
  if (width === behaviour.hang) for (;;);
  if (width === behaviour.exit) process.exit(3)
  if (width === behaviour.crash) process.kill(process.pid, 'SIGSEGV')
  else if (width === behaviour.fillMemory) send({ _tag: 'OutOfMemory', reason: 'Too much memory.' })
  else if (width === behaviour.partialResult) {
    send({ _tag: 'Scaled', data: new Uint8Array(2 ** 26) })
    process.kill(process.pid, 'SIGKILL')
  } else send({ _tag: 'Scaled', data })
}

// The tests import `behaviour`; jobs are served only if this file is run as a program.
if (process.argv[1]?.endsWith('scaling-processes.test-program.js') === true) {
  process.on('message', (message) => {
    const { bytes, size } = message as ScaleJob
    behave(size.width, readOriginal(bytes))
  })
  process.on('disconnect', () => process.exit())
}
