/** A program for the tests of the processes: a job's width says how it behaves. */
import { readOriginal } from './read-original.js'
import type { ScaleJob, ScaleResult } from './scaling-process.js'

export const behaviour = { answer: 1, hang: 2, fillMemory: 3, leave: 4, fault: 5, halfAnAnswer: 6 } as const

const send = (result: ScaleResult): void => void process.send?.(result)

const behave = (width: number, data: Uint8Array): void => {
  if (width === behaviour.hang) for (;;);
  if (width === behaviour.leave) process.exit(3)
  if (width === behaviour.fault) process.kill(process.pid, 'SIGSEGV')
  else if (width === behaviour.fillMemory) send({ _tag: 'OutOfMemory', reason: 'That was too much.' })
  else if (width === behaviour.halfAnAnswer) {
    send({ _tag: 'Scaled', data: new Uint8Array(2 ** 26) })
    process.kill(process.pid, 'SIGKILL')
  } else send({ _tag: 'Scaled', data })
}

// The tests import the table above; only as a program does this answer.
if (process.argv[1]?.endsWith('scaling-processes.test-program.js') === true) {
  process.on('message', (message) => {
    const { bytes, size } = message as ScaleJob
    behave(size.width, readOriginal(bytes))
  })
  process.on('disconnect', () => process.exit())
}
