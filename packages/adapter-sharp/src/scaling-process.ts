/** A process that scales one picture at a time, as the service holds it: its jobs end with it, and nothing else does. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import {
  answerHeadBytes,
  connection,
  jobMessage,
  readAnswerHead,
  type ScaleJob,
  type ScaleOutcome,
} from './scale-job.js'

export type ScaleAnswer = { readonly outcome: ScaleOutcome; readonly bytes: Uint8Array }

/**
 * One job at a time: it begins, its original is handed over to the last byte or read from a file, and it is answered.
 * Each step rejects with an Error that says how the process ended, where it does.
 */
export type ScalingProcess = {
  readonly pid: number | undefined
  readonly begin: (job: ScaleJob) => void
  /** Resolves when there is room for more. */
  readonly hand: (chunk: Uint8Array) => Promise<void>
  readonly answer: () => Promise<ScaleAnswer>
  /** Aborted once the process is gone. */
  readonly gone: AbortSignal
  /** At once, whatever it does. Resolves when it is gone. */
  readonly end: () => Promise<void>
}

/** Bytes of an original that may wait to be taken, so that the next are read meanwhile. */
const mostWaiting = 4 * 2 ** 20

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
  // Where none could be started there is nothing to write to, and whoever waits is told so all the same.
  const socket = child.pid === undefined ? new Socket() : (child.stdio[connection] as Socket)
  // Whoever waits for an answer is told by the end of the process, which says more.
  socket.on('error', () => undefined)

  const until = async (event: 'readable' | 'drain'): Promise<void> => {
    await once(socket, event, { signal: gone.signal }).catch(() => gone.signal.throwIfAborted())
  }

  /** What comes next, however little. */
  const receivedNext = async (): Promise<Buffer> => {
    for (;;) {
      gone.signal.throwIfAborted()
      const data: unknown = socket.read()
      if (data instanceof Buffer) return data
      await until('readable')
    }
  }

  const received = async (bytes: number): Promise<Buffer> => {
    const chunks: Buffer[] = []
    for (let missing = bytes; missing > 0;) {
      const chunk = await receivedNext()
      if (chunk.length > missing) socket.unshift(chunk.subarray(missing))
      chunks.push(chunk.subarray(0, missing))
      missing -= chunk.length
    }
    return Buffer.concat(chunks, bytes)
  }

  return {
    pid: child.pid,
    gone: gone.signal,
    begin: (job) => void socket.write(jobMessage(job)),
    hand: async (chunk) => {
      gone.signal.throwIfAborted()
      if (!socket.write(chunk) && socket.writableLength > mostWaiting) await until('drain')
    },
    answer: async () => {
      const { outcome, bytes } = readAnswerHead(await received(answerHeadBytes))
      return { outcome, bytes: await received(bytes) }
    },
    end: async () => {
      child.kill('SIGKILL')
      if (!gone.signal.aborted) await once(gone.signal, 'abort')
    },
  }
}
