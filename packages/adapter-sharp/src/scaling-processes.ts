/**
 * The processes that scale. The first job starts the first one, idle ones end, and one that passes its time or its
 * memory, or that a fault of libvips takes down, is replaced while its caller gets an answer.
 */
import { E, tookTooLong, type Either, type JobLimits, type Size } from '@publishing-service/domain'
import {
  chunksOf,
  isPortFailure,
  portFailure,
  type ImageUnreadable,
  type PortFailure,
  type SizedBody,
} from '@publishing-service/ports'
import PQueue from 'p-queue'
import { startScalingProcess, type ScaleAnswer, type ScalingProcess } from './scaling-process.js'

export type ScalingOptions = {
  /** The most processes. */
  readonly parallel: number
  readonly job: JobLimits
  /** Milliseconds after which a process without a job ends and gives its memory back. Default 30 000. */
  readonly idleMs?: number
  /** Milliseconds after which a file that a process reads an original from is given up. Default 60 000. */
  readonly readMs?: number
}

export type Scaled<F> = Either<F | PortFailure | ImageUnreadable, Uint8Array>

export type ScalingProcesses = {
  /** More jobs than there are processes wait for one, without a bound: whoever calls keeps the queue. */
  readonly run: <F>(original: SizedBody<F>, size: Size) => Promise<Scaled<F>>
  /** Those that live now. */
  readonly pids: () => readonly number[]
  readonly close: () => Promise<void>
}

const part = 'imaging'
const text = new TextDecoder()

export const unreadable = (reason: string): ImageUnreadable => ({ _tag: 'ImageUnreadable', reason })

const scalingProgram = new URL('./scaling-program.js', import.meta.url)

/** `program` is what the processes run. */
export const scalingProcesses = (
  { parallel, job: limits, idleMs = 30_000, readMs = 60_000 }: ScalingOptions,
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

  const rest = (process: ScalingProcess): void => {
    if (process.gone.aborted) return
    idle.set(process, setTimeout(() => void process.end(), idleMs).unref())
  }

  const done = async (process: ScalingProcess, { outcome, bytes }: ScaleAnswer): Promise<Scaled<never>> => {
    if (outcome === 'out of memory') await process.end()
    else rest(process)
    return outcome === 'scaled' ? E.right(bytes) : E.left(unreadable(text.decode(bytes)))
  }

  const runNow = async <F>({ bytes, open, file }: SizedBody<F>, size: Size): Promise<Scaled<F>> => {
    if (closed) return E.left(portFailure(part, 'closed'))
    const process = take()
    const begin = (from: string): void =>
      process.begin({ bytes, file: from, size, mebibytes: limits.mebibytes })
    const reads = async (from: string): Promise<boolean> => {
      begin(from)
      // The process may hang with its disk, which is no fault of the picture's.
      const timer = setTimeout(() => void process.end(), readMs)
      const { outcome } = await process.answer().finally(() => clearTimeout(timer))
      return outcome === 'read'
    }
    let isLate = false
    /** The time of a job is its process's alone: it stands still while the original is waited for. */
    const inTime = async <A>(step: Promise<A>): Promise<A> => {
      const timer = setTimeout(() => {
        isLate = true
        void process.end()
      }, limits.milliseconds)
      return step.finally(() => clearTimeout(timer))
    }
    try {
      if (file === undefined || !(await reads(file))) {
        const opened = await open()
        if (E.isLeft(opened)) {
          rest(process)
          return opened
        }
        begin('')
        for await (const chunk of chunksOf(bytes, opened.right)) await inTime(process.hand(chunk))
      }
      return await done(process, await inTime(process.answer()))
    } catch (error) {
      const isStruck = process.gone.aborted
      // It may still wait for the rest of its original.
      await process.end()
      if (isLate) return E.left(unreadable(tookTooLong(limits)))
      if (isPortFailure(error)) return E.left(error)
      if (!isStruck) throw error
      return E.left(portFailure(part, closed ? 'closed' : error))
    }
  }

  return {
    run: (original, size) => queue.add(() => runNow(original, size)),
    pids: () => [...alive].flatMap(({ pid }) => pid ?? []),
    close: async () => {
      closed = true
      await Promise.all([...alive].map((process) => process.end()))
    },
  }
}
