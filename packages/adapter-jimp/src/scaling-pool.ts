/**
 * The pool of scaling worker threads. The first job starts the first thread, and idle ones end. A thread that exceeds
 * its time or memory is stopped and replaced, and its job is rejected.
 */
import { E, tookTooLong, tookTooMuch, type Either, type JobLimits } from '@publishing-service/domain'
import {
  type ImageUnreadable,
  imageUnreadable,
  type PortFailure,
  portFailure,
} from '@publishing-service/ports'
// Pinned to 5.3.2, the newest stable release that supports Node 20.19.
import { Piscina } from 'piscina'
import type { ScaleJob, ScaleOutcome } from './scale-image.js'

export type PoolOptions = {
  /** The most threads. */
  readonly parallel: number
  readonly job: JobLimits
  /** Milliseconds after which an idle thread ends. Default 10 000. */
  readonly idleMs?: number
}

export type ScalingPool = {
  /** Jobs beyond `parallel` wait in a queue without a limit; the caller limits it. */
  readonly run: (job: ScaleJob) => Promise<Either<PortFailure | ImageUnreadable, Uint8Array>>
  /** The running threads. */
  readonly threads: () => Piscina['threads']
  readonly close: () => Promise<void>
}

const part = 'imaging'
const outOfMemory = 'ERR_WORKER_OUT_OF_MEMORY'

type StopReason = { readonly _tag: 'OutOfTime' } | { readonly _tag: 'WorkerFailed'; readonly error: unknown }

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === outOfMemory

/**
 * Data that is transferred to the worker without a copy. A view of a larger buffer is copied, shared memory is shared.
 */
const transferable = (
  data: Uint8Array,
): { readonly data: Uint8Array; readonly transferList: ArrayBuffer[] } => {
  const { buffer } = data
  if (!(buffer instanceof ArrayBuffer)) return { data, transferList: [] }
  const whole = data.byteLength === buffer.byteLength ? data : new Uint8Array(data)
  return { data: whole, transferList: [whole.buffer as ArrayBuffer] }
}

const scalingWorker = new URL('./scaling-worker.js', import.meta.url)

/** `worker` is the module that the threads load. */
export const scalingPool = (
  { parallel, job: limits, idleMs = 10_000 }: PoolOptions,
  worker: URL = scalingWorker,
): ScalingPool => {
  const startPool = () => {
    const started = new Piscina<ScaleJob, ScaleOutcome>({
      filename: worker.href,
      name: 'scale',
      minThreads: 0,
      maxThreads: parallel,
      idleTimeout: idleMs,
      resourceLimits: { maxOldGenerationSizeMb: limits.mebibytes, maxYoungGenerationSizeMb: 48 },
      // The service's flags and secrets are not passed on.
      execArgv: [],
      env: {},
      recordTiming: false,
    })
    // A worker that dies before it accepts a job leaves that job pending; only this event reports it.
    started.on('error', (error: unknown) => {
      for (const stop of running) stop({ _tag: 'WorkerFailed', error })
    })
    return started
  }
  const running = new Set<(stop: StopReason) => void>()
  let pool = startPool()
  /** Includes replaced pools whose last jobs still run. */
  const pools = new Set([pool])
  let closed = false

  /**
   * Node caches a failed `import()` for the life of a thread, so threads in which something was thrown are replaced.
   * They accept no more jobs and end after those that they have.
   */
  const replace = (failing: typeof pool): void => {
    if (failing !== pool || closed) return
    pool = startPool()
    pools.add(pool)
    void failing.close().finally(() => pools.delete(failing))
  }

  const failureOf = (stop: StopReason | undefined, error: unknown): PortFailure | ImageUnreadable => {
    if (stop?._tag === 'OutOfTime') return imageUnreadable(tookTooLong(limits))
    if (isOutOfMemory(error)) return imageUnreadable(tookTooMuch(limits.mebibytes))
    return portFailure(part, stop === undefined ? error : stop.error)
  }

  return {
    run: async (job) => {
      const abort = new AbortController()
      let stopped: StopReason | undefined
      const stop = (why: StopReason): void => {
        stopped ??= why
        abort.abort()
      }
      const timer = setTimeout(stop, limits.milliseconds, { _tag: 'OutOfTime' })
      running.add(stop)
      const { data, transferList } = transferable(job.data)
      const current = pool
      try {
        const outcome = await current.run({ ...job, data }, { transferList, signal: abort.signal })
        return outcome instanceof Uint8Array ? E.right(outcome) : E.left(imageUnreadable(outcome.reason))
      } catch (error) {
        const failure = failureOf(stopped, error)
        if (failure._tag === 'PortFailure') replace(current)
        return E.left(failure)
      } finally {
        clearTimeout(timer)
        running.delete(stop)
      }
    },
    threads: () => pool.threads,
    close: async () => {
      closed = true
      await Promise.all([...pools].map((each) => each.destroy()))
    },
  }
}
