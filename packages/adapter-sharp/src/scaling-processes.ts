/**
 * The processes that scale. The first job starts the first one, idle ones end, and one that passes its time or its
 * memory, or that a fault of libvips takes down, is replaced while its caller gets an answer.
 */
import {
  brokenPixels,
  E,
  tookTooLong,
  tookTooMuch,
  type Either,
  type JobLimits,
} from '@publishing-service/domain'
import { portFailure, type ImageUnreadable, type PortFailure } from '@publishing-service/ports'
import PQueue from 'p-queue'
import type { ScaleJob } from './scale-job.js'
import { startScalingProcess, type ScalingProcess } from './scaling-process.js'

export type ScalingOptions = {
  /** The most processes. */
  readonly parallel: number
  readonly job: JobLimits
  /** Milliseconds after which a process without a job ends and gives its memory back. Default 30 000. */
  readonly idleMs?: number
}

export type Scaled = Either<PortFailure | ImageUnreadable, Uint8Array>

export type ScalingProcesses = {
  /** More jobs than there are processes wait for one, without a bound: whoever calls keeps the queue. */
  readonly run: (job: ScaleJob) => Promise<Scaled>
  /** Those that live now. */
  readonly pids: () => readonly number[]
  readonly close: () => Promise<void>
}

const part = 'imaging'

export const unreadable = (reason: string): ImageUnreadable => ({ _tag: 'ImageUnreadable', reason })

const scalingProgram = new URL('./scaling-program.js', import.meta.url)

/** `program` is what the processes run. */
export const scalingProcesses = (
  { parallel, job: limits, idleMs = 30_000 }: ScalingOptions,
  program: URL = scalingProgram,
): ScalingProcesses => {
  const queue = new PQueue({ concurrency: parallel })
  const alive = new Set<ScalingProcess>()
  /** With the timer that ends each. The one that rested last goes on first, so that others may end. */
  const idle = new Map<ScalingProcess, NodeJS.Timeout>()
  let closed = false

  const start = (): ScalingProcess => {
    const started = startScalingProcess(program)
    alive.add(started)
    started.gone.addEventListener('abort', () => {
      alive.delete(started)
      clearTimeout(idle.get(started))
      idle.delete(started)
    })
    return started
  }

  const take = (): ScalingProcess => {
    const rested = [...idle.keys()].at(-1)
    if (rested === undefined) return start()
    clearTimeout(idle.get(rested))
    idle.delete(rested)
    return rested
  }

  const rest = (process: ScalingProcess): void =>
    void idle.set(process, setTimeout(() => void process.end(), idleMs).unref())

  const done = async (process: ScalingProcess, job: ScaleJob): Promise<Scaled> => {
    const { outcome, bytes } = await process.run(job)
    if (outcome === 'out of memory') {
      await process.end()
      return E.left(unreadable(tookTooMuch(job.mebibytes)))
    }
    rest(process)
    return outcome === 'scaled' ? E.right(bytes) : E.left(unreadable(brokenPixels))
  }

  const runNow = async (job: ScaleJob): Promise<Scaled> => {
    if (closed) return E.left(portFailure(part, 'closed'))
    const process = take()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      void process.end()
    }, limits.milliseconds)
    try {
      return await done(process, job)
    } catch (error) {
      await process.end()
      if (isLate) return E.left(unreadable(tookTooLong(limits)))
      return E.left(portFailure(part, closed ? 'closed' : error))
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    run: (job) => queue.add(() => runNow(job)),
    pids: () => [...alive].flatMap(({ pid }) => pid ?? []),
    close: async () => {
      closed = true
      await Promise.all([...alive].map((process) => process.end()))
    },
  }
}
