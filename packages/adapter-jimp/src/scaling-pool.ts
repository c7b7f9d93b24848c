/**
 * The worker threads that scale. The first job starts the first one, idle ones end, and one that passes its time or
 * its memory is stopped and replaced while its caller gets an answer.
 */
import { E, tookTooLong, tookTooMuch, type Either, type JobLimits } from '@publishing-service/domain'
import {
  type ImageUnreadable,
  imageUnreadable,
  type PortFailure,
  portFailure,
} from '@publishing-service/ports'
// Pinned to 5.3.2, the newest release that isn't a candidate and supports Node 20.19.
import { Piscina } from 'piscina'
import type { ScaleJob, ScaleOutcome } from './scale-image.js'

export type PoolOptions = {
  /** The most threads. */
  readonly parallel: number
  readonly job: JobLimits
  /** Milliseconds after which a thread without a job ends and gives its memory back. Default 10 000. */
  readonly idleMs?: number
}

export type ScalingPool = {
  /** More jobs than there are threads wait for one, without a bound: whoever calls keeps the queue. */
  readonly run: (job: ScaleJob) => Promise<Either<PortFailure | ImageUnreadable, Uint8Array>>
  /** The threads that live now. */
  readonly threads: () => Piscina['threads']
  readonly close: () => Promise<void>
}

const part = 'imaging'
const outOfMemory = 'ERR_WORKER_OUT_OF_MEMORY'

type Stop = { readonly _tag: 'OutOfTime' } | { readonly _tag: 'WorkerFailed'; readonly error: unknown }

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === outOfMemory

/** The bytes on their way to the worker, handed over rather than copied, unless they are a window of something larger. */
const handedOver = (
  data: Uint8Array,
): { readonly data: Uint8Array; readonly transferList: ArrayBuffer[] } => {
  const { buffer } = data
  if (!(buffer instanceof ArrayBuffer)) return { data, transferList: [] }
  const own = data.byteLength === buffer.byteLength ? data : new Uint8Array(data)
  return { data: own, transferList: [own.buffer as ArrayBuffer] }
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
      // Neither the service's flags nor its secrets are a worker's business.
      execArgv: [],
      env: {},
      recordTiming: false,
    })
    // A worker that dies before it takes a job leaves that job waiting for ever; the pool only tells it here.
    started.on('error', (error: unknown) => {
      for (const stop of running) stop({ _tag: 'WorkerFailed', error })
    })
    return started
  }
  const running = new Set<(stop: Stop) => void>()
  let pool = startPool()
  /** With those that were replaced and whose last jobs still run. */
  const pools = new Set([pool])
  let closed = false

  /**
   * Node.js keeps a failed `import()` for the life of a thread, so threads in which something was thrown are replaced:
   * they take no more jobs, and end with those that they have.
   */
  const replace = (failing: typeof pool): void => {
    if (failing !== pool || closed) return
    pool = startPool()
    pools.add(pool)
    void failing.close().finally(() => pools.delete(failing))
  }

  const failed = (stop: Stop | undefined, error: unknown): PortFailure | ImageUnreadable => {
    if (stop?._tag === 'OutOfTime') return imageUnreadable(tookTooLong(limits))
    if (isOutOfMemory(error)) return imageUnreadable(tookTooMuch(limits.mebibytes))
    return portFailure(part, stop === undefined ? error : stop.error)
  }

  return {
    run: async (job) => {
      const abort = new AbortController()
      let stopped: Stop | undefined
      const stop = (why: Stop): void => {
        stopped ??= why
        abort.abort()
      }
      const timer = setTimeout(stop, limits.milliseconds, { _tag: 'OutOfTime' })
      running.add(stop)
      const { data, transferList } = handedOver(job.data)
      const current = pool
      try {
        const outcome = await current.run({ ...job, data }, { transferList, signal: abort.signal })
        return outcome instanceof Uint8Array ? E.right(outcome) : E.left(imageUnreadable(outcome.reason))
      } catch (error) {
        const failure = failed(stopped, error)
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
