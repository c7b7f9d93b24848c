/** A process that scales one picture at a time, as the service holds it: its jobs end with it, and nothing else does. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import {
  answerHeadBytes,
  connection,
  jobHead,
  readAnswerHead,
  type ScaleJob,
  type ScaleOutcome,
} from './scale-job.js'

export type ScaleAnswer = { readonly outcome: ScaleOutcome; readonly bytes: Uint8Array }

export type ScalingProcess = {
  readonly pid: number | undefined
  /** One job at a time. Rejects with an Error that says how the process ended, where it does. */
  readonly run: (job: ScaleJob) => Promise<ScaleAnswer>
  /** Aborted once the process is gone. */
  readonly gone: AbortSignal
  /** At once, whatever it does. Resolves when it is gone. */
  readonly end: () => Promise<void>
}

/** Whoever is to be answered goes first. */
const priority = 2

export const startScalingProcess = (program: URL): ScalingProcess => {
  const child = spawn(process.execPath, [fileURLToPath(program)], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    // Neither the service's flags nor its secrets are this process's business. With more heaps than one, glibc keeps
    // twice the memory from picture to picture.
    env: { MALLOC_ARENA_MAX: '1' },
  })
  const gone = new AbortController()
  child.once('error', (error) => gone.abort(error))
  child.once('exit', (code, signal) =>
    gone.abort(new Error(`the process that scales ended with ${signal ?? code}`)),
  )
  // Before it has threads, which take after it.
  if (child.pid !== undefined) setPriority(child.pid, priority)
  const socket = child.pid === undefined ? null : (child.stdio[connection] as Socket)
  // Whoever waits for an answer is told by the end of the process, which says more.
  socket?.on('error', () => undefined)

  /** What comes next, however little. */
  const received = async (from: Socket): Promise<Buffer> => {
    for (;;) {
      gone.signal.throwIfAborted()
      const data: unknown = from.read()
      if (data instanceof Buffer) return data
      await once(from, 'readable', { signal: gone.signal }).catch(() => gone.signal.throwIfAborted())
    }
  }

  const answer = async (from: Socket): Promise<ScaleAnswer> => {
    const chunks = [await received(from)]
    const missing = (bytes: number): boolean => chunks.reduce((sum, { length }) => sum + length, 0) < bytes
    while (missing(answerHeadBytes)) chunks.push(await received(from))
    const { outcome, bytes } = readAnswerHead(Buffer.concat(chunks))
    while (missing(answerHeadBytes + bytes)) chunks.push(await received(from))
    return { outcome, bytes: Buffer.concat(chunks).subarray(answerHeadBytes) }
  }

  return {
    pid: child.pid,
    gone: gone.signal,
    run: async (job) => {
      gone.signal.throwIfAborted()
      if (socket === null) throw new Error('no process that scales could be started')
      socket.cork()
      socket.write(jobHead(job))
      socket.write(job.data)
      socket.uncork()
      return answer(socket)
    },
    end: async () => {
      child.kill('SIGKILL')
      if (!gone.signal.aborted) await once(gone.signal, 'abort')
    },
  }
}
