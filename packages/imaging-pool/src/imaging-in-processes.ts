/**
 * The pool of scaling processes. The first job starts the first process, and idle ones end. A process that exceeds its
 * time or memory, or that crashes, is replaced, and its job is rejected. docs/decisions/0075-one-pool-for-imaging.md
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { E, type Either } from '@publishing-service/domain/fp'
import type { PixelSummary } from '@publishing-service/domain/files'
import {
  isSize,
  tookTooLong,
  tookTooMuch,
  tooManyBytes,
  type JobLimits,
  type Rendering,
} from '@publishing-service/domain/images'
import { readImage } from '@publishing-service/image-header'
import {
  chunksOf,
  imageUnreadable,
  isPortFailure,
  portFailure,
  type ImageUnreadable,
  type Imaging,
  type PortFailure,
  type SizedBody,
} from '@publishing-service/ports'
import PQueue from 'p-queue'

// A child process scales one image at a time. The original arrives on its standard input; the job and its result are IPC
// messages.

export type ScaleJob = {
  /** Length of the original, which follows on standard input. */
  readonly bytes: number
  /** How the image is made; null for a summary of the pixels. */
  readonly rendering: Rendering | null
  /** The deployment's memory limit for a job; how much of it this job may use depends on its original. */
  readonly mebibytes: number
}

/** What a job returns. */
type JobOutput =
  | { readonly _tag: 'Scaled'; readonly data: Uint8Array }
  | { readonly _tag: 'Summarised'; readonly summary: PixelSummary }

/** The output, or why there is none: for the client, and for the log if the program has a defect. */
export type ScaleResult =
  JobOutput | { readonly _tag: 'Unreadable' | 'OutOfMemory' | 'Defect'; readonly reason: string }

/** If the process ends, `run` and `write` reject with a `ProcessEnded`. */
type ScalingProcess = {
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

class ProcessEnded extends Error {
  constructor(readonly how: string) {
    super(`the scaling process ended with ${how}`)
    this.name = 'Error'
  }
}

/** Requests are served before images are scaled. */
const priority = 2

/** `flags` are those of Node. */
const startScalingProcess = (program: URL, flags: readonly string[]): ScalingProcess => {
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

// The pool.

/** What the processes run: a module that calls `serveJobs`. */
export type ScalingProgram = {
  readonly program: URL
  /** Whether jobs use the heap of V8, which ends a process at once if it exceeds the limit of a job. */
  readonly limitsHeap: boolean
}

/** What an adapter states about itself, and the program that its processes run. */
export type ImagingAdapter = Pick<Imaging, 'version' | 'formats' | 'makes' | 'cmyk'> & ScalingProgram

export type ImagingOptions = {
  /** The most processes, each with one job at a time. */
  readonly parallel: number
  readonly job: JobLimits
}

export type ScalingOptions = ImagingOptions & {
  /** Milliseconds after which an idle process ends. Default 30 000. */
  readonly idleMs?: number
}

type Ran<F> = Either<F | PortFailure | ImageUnreadable, JobOutput>

export type ScalingPool = {
  /**
   * Makes an image, or a summary of the pixels for null. Jobs beyond `parallel` wait in a queue without a limit; the
   * caller limits it. An original with more bytes than a job may have is not opened.
   */
  readonly run: <F>(original: SizedBody<F>, rendering: Rendering | null) => Promise<Ran<F>>
  /** Process ids of the running processes. */
  readonly pids: () => readonly number[]
  readonly close: () => Promise<void>
}

const part = 'imaging'

/** With much less, Node does not start. */
const leastHeapMb = 64

/** How V8 ends a process whose heap is full. */
const heapIsFull = 'SIGABRT'

export const scalingPool = (
  { parallel, job: limits, idleMs = 30_000 }: ScalingOptions,
  { program, limitsHeap }: ScalingProgram,
): ScalingPool => {
  const heapMb = Math.max(limits.mebibytes, leastHeapMb)
  const flags = limitsHeap ? ['--expose-gc', `--max-old-space-size=${heapMb}`] : []
  const queue = new PQueue({ concurrency: parallel })
  const running = new Set<ScalingProcess>()
  /** The idle processes with the timers that end them. The last used is used next, so that the others can end. */
  const idle = new Map<ScalingProcess, NodeJS.Timeout>()
  let closed = false

  const start = (): ScalingProcess => {
    const started = startScalingProcess(program, flags)
    running.add(started)
    started.ended.addEventListener('abort', () => {
      running.delete(started)
      clearTimeout(idle.get(started))
      idle.delete(started)
    })
    return started
  }

  const runNow = async <F>({ bytes, open }: SizedBody<F>, rendering: Rendering | null): Promise<Ran<F>> => {
    if (closed) return E.left(portFailure(part, 'closed'))
    const opened = await open()
    if (E.isLeft(opened)) return opened
    const [found, ending] = [...idle].at(-1) ?? []
    clearTimeout(ending)
    const process = found ?? start()
    idle.delete(process)
    let isLate = false
    /** Limits the time of the process; the time that the original takes to arrive does not count. */
    const withinLimit = async <A>(step: Promise<A>): Promise<A> => {
      const timer = setTimeout(() => {
        isLate = true
        void process.kill()
      }, limits.milliseconds)
      try {
        return await step
      } finally {
        clearTimeout(timer)
      }
    }
    try {
      const scaling = process.run({ bytes, rendering, mebibytes: limits.mebibytes })
      // If the process ends, `write` fails as well and reports it.
      scaling.catch(() => undefined)
      for await (const chunk of chunksOf(bytes, opened.right)) await withinLimit(process.write(chunk))
      const result = await withinLimit(scaling)
      const isOutput = result._tag === 'Scaled' || result._tag === 'Summarised'
      if (!isOutput && result._tag !== 'Unreadable') await process.kill()
      else if (!process.ended.aborted)
        idle.set(process, setTimeout(() => void process.kill(), idleMs).unref())
      if (isOutput) return E.right(result)
      return E.left(
        result._tag === 'Defect' ? portFailure(part, result.reason) : imageUnreadable(result.reason),
      )
    } catch (error) {
      const hasCrashed = process.ended.aborted
      // It may still be waiting for the rest of the original.
      await process.kill()
      if (isLate) return E.left(imageUnreadable(tookTooLong(limits)))
      if (isPortFailure(error)) return E.left(error)
      if (!hasCrashed) throw error
      if (limitsHeap && error instanceof ProcessEnded && error.how === heapIsFull)
        return E.left(imageUnreadable(tookTooMuch(limits.mebibytes)))
      return E.left(portFailure(part, closed ? 'closed' : error))
    }
  }

  return {
    run: async (original, rendering) => {
      if (rendering !== null && !isSize(rendering.size))
        throw new RangeError(`not a size: ${rendering.size.width} × ${rendering.size.height}`)
      const excess = tooManyBytes(original.bytes, limits)
      return excess === null ? queue.add(() => runNow(original, rendering)) : E.left(imageUnreadable(excess))
    },
    pids: () => [...running].flatMap(({ pid }) => pid ?? []),
    close: async () => {
      closed = true
      await Promise.all([...running].map((process) => process.kill()))
    },
  }
}

const otherOutput = portFailure(part, 'a job has returned the output of another kind')

/** Opens the port. No process runs until the first image is scaled. docs/behaviour/files.md#scaling */
export const imagingInProcesses = (
  { version, formats, makes, cmyk, ...program }: ImagingAdapter,
  { parallel, job }: ImagingOptions,
): Imaging => {
  const pool = scalingPool({ parallel, job }, program)
  return {
    version,
    formats,
    makes,
    cmyk,
    parallel,
    readHeader: readImage,
    scale: (original, rendering) => async () => {
      const ran = await pool.run(original, rendering)
      if (E.isLeft(ran)) return ran
      return ran.right._tag === 'Scaled' ? E.right(ran.right.data) : E.left(otherOutput)
    },
    summarise: (original) => async () => {
      const ran = await pool.run(original, null)
      if (E.isLeft(ran)) return ran
      return ran.right._tag === 'Summarised' ? E.right(ran.right.summary) : E.left(otherOutput)
    },
    close: pool.close,
  }
}
