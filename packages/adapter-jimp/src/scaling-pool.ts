/**
 * The worker threads that scale. The first job starts the first one, idle ones end, and one that passes its time or
 * its memory is stopped and replaced while its caller gets an answer.
 */
import { E, type Either } from '@publishing-service/domain'
import { type ImageUnreadable, type PortFailure, portFailure } from '@publishing-service/ports'
// Pinned to 5.3.2, the newest release that isn't a candidate and supports Node 20.19. Its own `maxQueue` counts no
// job that can be aborted, as ours all can: hence the queue before it.
import { Piscina } from 'piscina'
import { unreadable } from './image-header.js'
import type { ImagingLimits } from './imaging-limits.js'
import type { ScaleJob, ScaleOutcome } from './scale-image.js'

export type ScalingPool = {
  /** At most `workers` jobs at a time: whoever calls keeps the queue. */
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

/**
 * The bytes on their way to the worker. They are copied once, because the caller keeps its own, and that copy is
 * handed over; bytes in shared memory need neither.
 */
const handedOver = (
  data: Uint8Array,
): { readonly data: Uint8Array; readonly transferList: ArrayBuffer[] } => {
  if (data.buffer instanceof SharedArrayBuffer) return { data, transferList: [] }
  const copy = new Uint8Array(data)
  return { data: copy, transferList: [copy.buffer] }
}

const scalingWorker = new URL('./scaling-worker.js', import.meta.url)

/** `worker` is the module that the threads load. */
export const scalingPool = (limits: ImagingLimits, worker: URL = scalingWorker): ScalingPool => {
  const pool = new Piscina<ScaleJob, ScaleOutcome>({
    filename: worker.href,
    name: 'scale',
    minThreads: 0,
    maxThreads: limits.workers,
    idleTimeout: limits.idleMs,
    resourceLimits: { maxOldGenerationSizeMb: limits.jobMemoryMb },
    // Neither the service's flags nor its secrets are a worker's business.
    execArgv: [],
    env: {},
    recordTiming: false,
  })
  const running = new Set<(stop: Stop) => void>()
  // A worker that dies before it takes a job leaves that job waiting for ever; the pool only tells it here.
  pool.on('error', (error: unknown) => {
    for (const stop of running) stop({ _tag: 'WorkerFailed', error })
  })

  const failed = (stop: Stop | undefined, error: unknown): PortFailure | ImageUnreadable => {
    if (stop?._tag === 'OutOfTime')
      return unreadable(`Scaling the image took longer than ${limits.jobTimeoutMs / 1000} seconds.`)
    if (isOutOfMemory(error))
      return unreadable(`Scaling the image took more than ${limits.jobMemoryMb} MB of memory.`)
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
      const timer = setTimeout(stop, limits.jobTimeoutMs, { _tag: 'OutOfTime' })
      running.add(stop)
      const { data, transferList } = handedOver(job.data)
      try {
        const outcome = await pool.run({ ...job, data }, { transferList, signal: abort.signal })
        return outcome instanceof Uint8Array ? E.right(outcome) : E.left(unreadable(outcome.reason))
      } catch (error) {
        return E.left(failed(stopped, error))
      } finally {
        clearTimeout(timer)
        running.delete(stop)
      }
    },
    threads: () => pool.threads,
    close: () => pool.destroy(),
  }
}
