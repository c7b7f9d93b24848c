/**
 * The calling thread's end of the writer: writes wait here while one batch commits, and go together in the next.
 * The queue is bounded; a writer that dies fails what waits for it, and the next write starts another.
 */
import type { Worker } from 'node:worker_threads'
import type { FromWriter, Outcome, ToWriter, Write } from './writer-messages.js'

export type WriterQueueLimits = {
  /** Writes that may wait beside the batch that is committing. */
  readonly waiting: number
  /** Bytes of documents, roughly, that may wait. */
  readonly waitingBytes: number
  /** Writes in one transaction. */
  readonly batch: number
  /** Bytes of documents, roughly, in one transaction. */
  readonly batchBytes: number
}

export const writerQueueLimits: WriterQueueLimits = {
  waiting: 10_000,
  waitingBytes: 256 * 1024 * 1024,
  batch: 256,
  batchBytes: 8 * 1024 * 1024,
}

export type WriterQueue = {
  /** Resolves behind the commit. Never rejects. */
  readonly submit: (write: Write) => Promise<Outcome>
  /** Asks for fresh statistics, when nothing else is to do. */
  readonly refreshStatistics: () => void
  /** Resolves when every write has answered and the writer's connection is closed. */
  readonly close: () => Promise<void>
}

type Waiting = { readonly write: Write; readonly bytes: number; readonly answer: (outcome: Outcome) => void }

const sizeOf = (write: Write): number =>
  write.kind === 'insert' || write.kind === 'replace' ? write.light.length + (write.heavy?.length ?? 0) : 0

/** `start` makes a worker from `sqlite-writer`; the first is started at once, so that it is there for the first write. */
export const writerQueue = (
  start: () => Worker,
  limits: WriterQueueLimits = writerQueueLimits,
): WriterQueue => {
  let worker: Worker | null = null
  let waiting: Waiting[] = []
  let waitingBytes = 0
  let underWay: readonly Waiting[] = []
  let isSendDue = false
  let closing: Promise<void> | null = null
  let whenDrained: (() => void) | null = null

  const post = (to: Worker, message: ToWriter): void => to.postMessage(message)

  const takeBatch = (): readonly Waiting[] => {
    let bytes = 0
    const end = waiting.findIndex((each, i) => (bytes += each.bytes) > limits.batchBytes && i > 0)
    const batch = waiting.splice(0, Math.min(limits.batch, end === -1 ? waiting.length : end))
    for (const each of batch) waitingBytes -= each.bytes
    return batch
  }

  const send = (): void => {
    isSendDue = false
    if (underWay.length > 0) return
    underWay = takeBatch()
    if (underWay.length === 0) {
      worker?.unref()
      whenDrained?.()
      return
    }
    try {
      const current = worker ?? started()
      // An idle writer doesn't keep the process alive; one that has writes does.
      current.ref()
      post(current, { kind: 'batch', writes: underWay.map(({ write }) => write) })
    } catch (error) {
      failAll(`the writer can't be started: ${String(error)}`)
    }
  }

  const answer = ({ outcomes }: FromWriter): void => {
    const batch = underWay
    underWay = []
    for (const [i, each] of batch.entries())
      each.answer(outcomes[i] ?? { failure: 'the writer gave no answer' })
    send()
  }

  const failAll = (reason: string): void => {
    const all = [...underWay, ...waiting]
    underWay = []
    waiting = []
    waitingBytes = 0
    for (const each of all) each.answer({ failure: reason })
    whenDrained?.()
  }

  const started = (): Worker => {
    const fresh = start()
    let reason = 'the writer has ended'
    fresh.on('message', answer)
    fresh.on('error', (error) => {
      reason = `the writer has died: ${error.message}`
    })
    fresh.on('exit', () => {
      if (worker !== fresh) return
      worker = null
      failAll(reason)
    })
    fresh.unref()
    worker = fresh
    return fresh
  }

  const drained = (): Promise<void> =>
    new Promise((resolve) => {
      whenDrained = resolve
      if (underWay.length === 0 && waiting.length === 0) resolve()
    })

  const end = async (): Promise<void> => {
    await drained()
    const last = worker
    if (last === null) return
    last.ref()
    await new Promise<void>((resolve) => {
      last.once('exit', () => resolve())
      post(last, { kind: 'close' })
    })
  }

  started()
  return {
    submit: (write) => {
      if (closing !== null) return Promise.resolve({ failure: 'it is closed' })
      const bytes = sizeOf(write)
      if (waiting.length >= limits.waiting || waitingBytes + bytes > limits.waitingBytes) {
        return Promise.resolve({ failure: `${waiting.length} writes wait already` })
      }
      return new Promise((resolve) => {
        waiting.push({ write, bytes, answer: resolve })
        waitingBytes += bytes
        if (isSendDue || underWay.length > 0) return
        isSendDue = true
        // Behind this turn of the event loop: all writes that it brings go together.
        setImmediate(send)
      })
    },
    refreshStatistics: () => {
      if (worker !== null && closing === null) post(worker, { kind: 'refresh statistics' })
    },
    close: () => (closing ??= end()),
  }
}
