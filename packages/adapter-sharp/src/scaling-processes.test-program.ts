/** A program for the tests of the processes: a job's width says how it behaves. */
import { readSync, writeSync } from 'node:fs'
import { answerHead, connection, readJob } from './scale-job.js'

export const behaviour = { answer: 1, hang: 2, fillMemory: 3, leave: 4, fault: 5, halfAnAnswer: 6 } as const

const read = (length: number): Uint8Array => {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length;) {
    const came = readSync(connection, bytes, at, length - at, null)
    if (came === 0) process.exit(0)
    at += came
  }
  return bytes
}

const behave = (width: number, data: Uint8Array): void => {
  if (width === behaviour.hang) for (;;);
  if (width === behaviour.leave) process.exit(3)
  if (width === behaviour.fault) process.kill(process.pid, 'SIGSEGV')
  if (width === behaviour.fillMemory) {
    const reason = new TextEncoder().encode('That was too much.')
    writeSync(connection, answerHead('out of memory', reason.length))
    writeSync(connection, reason)
    return
  }
  writeSync(connection, answerHead('scaled', data.length))
  if (width === behaviour.halfAnAnswer) process.kill(process.pid, 'SIGKILL')
  for (const byte of data) writeSync(connection, Uint8Array.of(byte))
}

// The tests import the table above; only as a program does this answer.
if (process.argv[1]?.endsWith('scaling-processes.test-program.js') === true)
  for (;;) {
    const { bytes, size } = readJob(read) ?? process.exit(0)
    behave(size.width, read(bytes))
  }
