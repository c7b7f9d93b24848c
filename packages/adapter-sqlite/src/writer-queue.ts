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

const sizeOf = (write: Write): number => {
  if (write.kind !== 'write') return 0
  const { change, appended } = write.write
  let size = 0
  for (const { document } of change.kind === 'remove' ? appended : [change, ...appended])
    size += document.light.length + (document.heavy?.length ?? 0)
  return size
}

/** The writes without an outcome, with their bytes. */
class WriteBuffer {
  /** Writes that wait. */
  readonly waiting: QueuedWrite[] = []
  /** Writes that the thread has. */
  readonly inFlight: QueuedWrite[] = []
  readonly #limits: WriterQueueLimits
  #waitingBytes = 0
  #inFlightBytes = 0

  constructor(limits: WriterQueueLimits) {
    this.#limits = limits
  }

  /** Whether the write waits now; otherwise the buffer is full. */
  add(queued: QueuedWrite): boolean {
    const { waiting, waitingBytes } = this.#limits
    if (this.waiting.length >= waiting || this.#waitingBytes + queued.bytes > waitingBytes) return false
    this.waiting.push(queued)
    this.#waitingBytes += queued.bytes
    return true
  }

  /** Moves as many writes as the limits allow from waiting to in flight. */
  takeBatch(): readonly Write[] {
    const batch: Write[] = []
    for (const { write, bytes } of this.waiting) {
      const taken = this.inFlight.length + batch.length
      if (taken === this.#limits.inFlight) break
      if (taken > 0 && this.#inFlightBytes + bytes > this.#limits.inFlightBytes) break
      this.#inFlightBytes += bytes
      this.#waitingBytes -= bytes
      batch.push(write)
    }
    this.inFlight.push(...this.waiting.splice(0, batch.length))
    return batch
  }

  /** Removes the first writes in flight. */
  complete(count: number): readonly QueuedWrite[] {
    const completed = this.inFlight.splice(0, count)
    for (const { bytes } of completed) this.#inFlightBytes -= bytes
    return completed
  }

  removeAll(): readonly QueuedWrite[] {
    const all = [...this.inFlight.splice(0), ...this.waiting.splice(0)]
    this.#waitingBytes = 0
    this.#inFlightBytes = 0
    return all
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
  const buffer = new WriteBuffer(limits)
  let worker: Worker | null = null
  let isSendScheduled = false
  let closing: Promise<void> | null = null
  let onDrained: (() => void) | null = null

  const failAll = (reason: string): void => {
    for (const { resolve } of buffer.removeAll()) resolve({ failure: reason })
    onDrained?.()
  }

  const send = (): void => {
    isSendScheduled = false
    if (buffer.waiting.length === 0) return
    try {
      const current = worker ?? start()
      const writes = buffer.takeBatch()
      // An idle worker does not keep the process alive; one with writes in flight does.
      if (buffer.inFlight.length > 0) current.ref()
      const message: ToWriter = { kind: 'writes', writes }
      if (writes.length > 0) current.postMessage(message)
    } catch (error) {
      failAll(`the writer can't be started: ${String(error)}`)
    }
  }

  const onOutcomes = ({ outcomes }: FromWriter): void => {
    for (const [i, { resolve }] of buffer.complete(outcomes.length).entries())
      resolve(outcomes[i] ?? { failure: 'the writer returned no outcome' })
    send()
    if (buffer.inFlight.length > 0) return
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
      if (buffer.inFlight.length + buffer.waiting.length === 0) resolve()
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
        if (!buffer.add({ write, bytes: sizeOf(write), resolve }))
          return resolve({ failure: `${buffer.waiting.length} writes wait already` })
        if (buffer.waiting.length >= limits.batch) return send()
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
