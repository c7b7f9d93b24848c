/**
 * A child process that scales one image at a time. The original arrives on its standard input; the job and its result
 * are IPC messages.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { PixelSummary } from '@publishing-service/domain/files'
import type { Rendering } from '@publishing-service/domain/images'

export type ScaleJob = {
  /** Length of the original, which follows on standard input. */
  readonly bytes: number
  /** How the image is made; null for a summary of the pixels. */
  readonly rendering: Rendering | null
  /** The deployment's memory limit for a job; how much of it this job may use depends on its original. */
  readonly mebibytes: number
}

/** What a job returns. */
export type JobOutput =
  | { readonly _tag: 'Scaled'; readonly data: Uint8Array }
  | { readonly _tag: 'Summarised'; readonly summary: PixelSummary }

/** The output, or why there is none: for the client, and for the log if the program has a defect. */
export type ScaleResult =
  JobOutput | { readonly _tag: 'Unreadable' | 'OutOfMemory' | 'Defect'; readonly reason: string }

/** If the process ends, `run` and `write` reject with a `ProcessEnded`. */
export type ScalingProcess = {
  readonly pid: number | undefined
  /** Sends a job and resolves with its result. The original is then sent with `write`. */
  readonly run: (job: ScaleJob) => Promise<ScaleResult>
  /** Resolves when the process accepts more. */
  readonly write: (chunk: Uint8Array) => Promise<void>
  /** Aborted when the process has ended. */
  readonly ended: AbortSignal
  /** Kills the process at once. Resolves when it has ended. */
  readonly kill: () => Promise<void>
}

export class ProcessEnded extends Error {
  constructor(readonly how: string) {
    super(`the scaling process ended with ${how}`)
    this.name = 'Error'
  }
}

/** Requests are served before images are scaled. */
const priority = 2

/** `flags` are those of Node. */
export const startScalingProcess = (program: URL, flags: readonly string[]): ScalingProcess => {
  const child = fork(fileURLToPath(program), {
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    // The service's flags and secrets are not passed on. With one arena, glibc frees the memory of an image after its
    // job.
    env: { MALLOC_ARENA_MAX: '1' },
    execArgv: [...flags],
  })
  const ended = new AbortController()
  child.once('error', (error) => ended.abort(error))
  child.once('exit', (code, signal) => ended.abort(new ProcessEnded(signal ?? String(code))))
  // The end of the process is reported instead.
  child.stdin?.on('error', () => undefined)
  if (child.pid !== undefined) setPriority(child.pid, priority)

  const next = async (emitter: NodeJS.EventEmitter, event: string): Promise<unknown> => {
    ended.signal.throwIfAborted()
    try {
      const [value] = (await once(emitter, event, { signal: ended.signal })) as [unknown]
      return value
    } catch {
      // The stream fails because the process is about to end, and its end is the better error.
      if (!ended.signal.aborted) await once(ended.signal, 'abort')
      throw ended.signal.reason
    }
  }

  return {
    pid: child.pid,
    ended: ended.signal,
    run: (job) => {
      const result = next(child, 'message') as Promise<ScaleResult>
      child.send(job, () => undefined)
      return result
    },
    write: async (chunk) => {
      ended.signal.throwIfAborted()
      if (child.stdin?.write(chunk) === false) await next(child.stdin, 'drain')
    },
    kill: async () => {
      child.kill('SIGKILL')
      if (!ended.signal.aborted && child.pid !== undefined) await once(ended.signal, 'abort')
    },
  }
}
