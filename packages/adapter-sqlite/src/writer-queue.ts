/**
 * The queue of the writer's thread. Writes are sent to the thread in small batches while others are still prepared, and
 * the thread commits what it has received in one transaction. The queue is bounded. When the thread dies, all queued
 * writes fail, and the next write starts another thread.
 */
import type { Worker } from 'node:worker_threads'
import type { FromWriter, Outcome, ToWriter, Write } from './writer-messages.js'

export type WriterQueueLimits = {
  /** Writes that may wait, in addition to those in flight. */
  readonly waiting: number
  /** Bytes of documents that may wait. */
  readonly waitingBytes: number
  /** Writes that the thread has at a time, and so the most writes of a transaction. */
  readonly inFlight: number
  /** Bytes of documents that the thread has at a time. A larger document is sent alone. */
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

/**
 * `startWorker` makes a worker that runs `sqlite-writer`. The first worker is started at once, so that it is ready for
 * the first write.
 */
export const writerQueue = (
  startWorker: () => Worker,
  limits: WriterQueueLimits = writerQueueLimits,
): WriterQueue => {
  /** Writes that wait, and those that the thread has, with their bytes. */
  const waiting: QueuedWrite[] = []
  const inFlight: QueuedWrite[] = []
  let waitingBytes = 0
  let inFlightBytes = 0
  let worker: Worker | null = null
  let isSendScheduled = false
  let closing: Promise<void> | null = null
  let onDrained: (() => void) | null = null

  const failAll = (reason: string): void => {
    const all = [...inFlight.splice(0), ...waiting.splice(0)]
    waitingBytes = 0
    inFlightBytes = 0
    for (const { resolve } of all) resolve({ failure: reason })
    onDrained?.()
  }

  /** Sends as many waiting writes as the limits allow. */
  const send = (): void => {
    isSendScheduled = false
    if (waiting.length === 0) return
    try {
      const current = worker ?? start()
      const writes: Write[] = []
      for (const { write, bytes } of waiting) {
        const taken = inFlight.length + writes.length
        if (taken === limits.inFlight) break
        if (taken > 0 && inFlightBytes + bytes > limits.inFlightBytes) break
        inFlightBytes += bytes
        waitingBytes -= bytes
        writes.push(write)
      }
      if (writes.length === 0) return
      inFlight.push(...waiting.splice(0, writes.length))
      // An idle worker does not keep the process alive; one with writes in flight does.
      current.ref()
      current.postMessage({ kind: 'writes', writes } satisfies ToWriter)
    } catch (error) {
      failAll(`the writer can't be started: ${String(error)}`)
    }
  }

  const onOutcomes = ({ outcomes }: FromWriter): void => {
    for (const [i, { bytes, resolve }] of inFlight.splice(0, outcomes.length).entries()) {
      inFlightBytes -= bytes
      resolve(outcomes[i] ?? { failure: 'the writer returned no outcome' })
    }
    send()
    if (inFlight.length > 0) return
    worker?.unref()
    onDrained?.()
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
      if (inFlight.length + waiting.length === 0) resolve()
    })

  const end = async (): Promise<void> => {
    await drained()
    const last = worker
    if (last === null) return
    last.ref()
    await new Promise<void>((resolve) => {
      last.once('exit', () => resolve())
      last.postMessage({ kind: 'close' } satisfies ToWriter)
    })
  }

  start()
  return {
    submit: (write) =>
      new Promise((resolve) => {
        if (closing !== null) return resolve({ failure: 'it is closed' })
        const bytes = write.kind === 'write' ? write.write.bytes : 0
        if (waiting.length >= limits.waiting || waitingBytes + bytes > limits.waitingBytes)
          return resolve({ failure: `${waiting.length} writes wait already` })
        waiting.push({ write, bytes, resolve })
        waitingBytes += bytes
        if (waiting.length >= limits.batch) return send()
        if (isSendScheduled) return
        isSendScheduled = true
        // After this turn of the event loop, so that its other writes are sent with this one.
        setImmediate(send)
      }),
    refreshStatistics: () => {
      if (closing === null) worker?.postMessage({ kind: 'refresh statistics' } satisfies ToWriter)
    },
    close: () => (closing ??= end()),
  }
}
