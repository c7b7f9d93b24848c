/**
 * The queue of the writer's thread. Writes are sent to the thread in small batches while others are still prepared, and
 * the thread commits what it has received in one transaction. The queue is bounded. When the thread dies, all queued
 * writes fail, and the next write starts another thread.
 */
import type { Worker } from 'node:worker_threads'
import type { DocumentTexts } from '@publishing-service/sql-kit'
import type { FromWriter, Outcome, ToWriter, Write } from './writer-messages.js'

export type WriterQueueLimits = {
  /** Writes that may wait, in addition to those in flight. */
  readonly waiting: number
  /** Approximate bytes of documents that may wait. */
  readonly waitingBytes: number
  /** Writes that the thread has at a time, and so the most writes of a transaction. */
  readonly inFlight: number
  /** Approximate bytes of documents that the thread has at a time. A larger document is sent alone. */
  readonly inFlightBytes: number
  /** Waiting writes that are sent before the turn of the event loop ends, so that both threads work. */
  readonly batch: number
}

export const writerQueueLimits: WriterQueueLimits = {
  waiting: 10_000,
  waitingBytes: 256 * 1024 * 1024,
  inFlight: 256,
  inFlightBytes: 8 * 1024 * 1024,
  batch: 8,
}

export type WriterQueue = {
  /** Resolves after the commit. Never rejects. */
  readonly submit: (write: Write) => Promise<Outcome>
  /** Has statistics refreshed where they are out of date, when no write waits. */
  readonly refreshStatistics: () => void
  /** Resolves when every write has its outcome and the writer's connection is closed. */
  readonly close: () => Promise<void>
}

type QueuedWrite = {
  readonly write: Write
  readonly bytes: number
  readonly resolve: (outcome: Outcome) => void
}

const sizeOfTexts = ({ light, heavy }: DocumentTexts): number => light.length + (heavy?.length ?? 0)

const sizeOf = (write: Write): number => {
  if (write.kind !== 'write') return 0
  const { change, appended } = write.write
  const own = change.kind === 'remove' ? 0 : sizeOfTexts(change.document)
  return appended.reduce((sum, { document }) => sum + sizeOfTexts(document), own)
}

/** Writes that wait, and writes in flight: sent to the thread, without an outcome yet. */
const writeBuffer = (limits: WriterQueueLimits) => {
  let waiting: QueuedWrite[] = []
  let waitingBytes = 0
  let inFlight: QueuedWrite[] = []
  let inFlightBytes = 0
  return {
    waiting: (): number => waiting.length,
    inFlight: (): number => inFlight.length,
    isEmpty: (): boolean => inFlight.length === 0 && waiting.length === 0,
    isFullFor: (bytes: number): boolean =>
      waiting.length >= limits.waiting || waitingBytes + bytes > limits.waitingBytes,
    add: (queued: QueuedWrite): void => {
      waiting.push(queued)
      waitingBytes += queued.bytes
    },
    /** Moves as many writes as the limits allow from waiting to in flight. */
    takeBatch: (): readonly Write[] => {
      const space = limits.inFlight - inFlight.length
      let count = 0
      for (const { bytes } of waiting) {
        if (count === space) break
        if (inFlightBytes + bytes > limits.inFlightBytes && inFlight.length + count > 0) break
        inFlightBytes += bytes
        waitingBytes -= bytes
        count += 1
      }
      const batch = waiting.splice(0, count)
      inFlight.push(...batch)
      return batch.map(({ write }) => write)
    },
    /** Removes the first writes in flight. */
    complete: (count: number): readonly QueuedWrite[] => {
      const completed = inFlight.splice(0, count)
      for (const { bytes } of completed) inFlightBytes -= bytes
      return completed
    },
    removeAll: (): readonly QueuedWrite[] => {
      const all = [...inFlight, ...waiting]
      inFlight = []
      waiting = []
      waitingBytes = 0
      inFlightBytes = 0
      return all
    },
  }
}

/**
 * `startWorker` makes a worker that runs `sqlite-writer`. The first worker is started at once, so that it is ready for
 * the first write.
 */
export const writerQueue = (
  startWorker: () => Worker,
  limits: WriterQueueLimits = writerQueueLimits,
): WriterQueue => {
  const buffer = writeBuffer(limits)
  let worker: Worker | null = null
  let isSendScheduled = false
  let closing: Promise<void> | null = null
  let onDrained: (() => void) | null = null

  const post = (to: Worker, message: ToWriter): void => to.postMessage(message)

  const failAll = (reason: string): void => {
    for (const { resolve } of buffer.removeAll()) resolve({ failure: reason })
    onDrained?.()
  }

  const send = (): void => {
    try {
      const current = worker ?? start()
      const writes = buffer.takeBatch()
      // An idle worker does not keep the process alive; one with writes in flight does.
      if (buffer.inFlight() > 0) current.ref()
      if (writes.length > 0) post(current, { kind: 'writes', writes })
    } catch (error) {
      failAll(`the writer can't be started: ${String(error)}`)
    }
  }

  const sendWaiting = (): void => {
    isSendScheduled = false
    if (buffer.waiting() > 0) send()
  }

  const onIdle = (): void => {
    worker?.unref()
    onDrained?.()
  }

  const onOutcomes = ({ outcomes }: FromWriter): void => {
    for (const [i, { resolve }] of buffer.complete(outcomes.length).entries())
      resolve(outcomes[i] ?? { failure: 'the writer returned no outcome' })
    if (buffer.waiting() > 0) send()
    else if (buffer.inFlight() === 0) onIdle()
  }

  const start = (): Worker => {
    const started = startWorker()
    let reason = 'the writer has ended'
    started.on('message', onOutcomes)
    started.on('error', (error) => {
      reason = `the writer has died: ${error.message}`
    })
    started.on('exit', () => {
      if (worker !== started) return
      worker = null
      failAll(reason)
    })
    started.unref()
    worker = started
    return started
  }

  const drained = (): Promise<void> =>
    new Promise((resolve) => {
      onDrained = resolve
      if (buffer.isEmpty()) resolve()
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

  start()
  return {
    submit: (write) => {
      if (closing !== null) return Promise.resolve({ failure: 'it is closed' })
      const bytes = sizeOf(write)
      if (buffer.isFullFor(bytes))
        return Promise.resolve({ failure: `${buffer.waiting()} writes wait already` })
      return new Promise((resolve) => {
        buffer.add({ write, bytes, resolve })
        if (buffer.waiting() >= limits.batch) return send()
        if (isSendScheduled) return
        isSendScheduled = true
        // After this turn of the event loop, so that its other writes are sent with this one.
        setImmediate(sendWaiting)
      })
    },
    refreshStatistics: () => {
      if (worker !== null && closing === null) post(worker, { kind: 'refresh statistics' })
    },
    close: () => (closing ??= end()),
  }
}
