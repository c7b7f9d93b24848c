/**
 * The calling thread's end of the writer: writes go to it in small pieces while others are still being prepared, and it
 * commits together what has come. The queue is bounded; a writer that dies fails what waits for it, and the next write
 * starts another.
 */
import type { Worker } from 'node:worker_threads'
import type { FromWriter, Outcome, ToWriter, Write } from './writer-messages.js'

export type WriterQueueLimits = {
  /** Writes that may wait beside those that the writer has. */
  readonly waiting: number
  /** Bytes of documents, roughly, that may wait. */
  readonly waitingBytes: number
  /** Writes that the writer has at a time, and so in one transaction. */
  readonly underWay: number
  /** Bytes of documents, roughly, that it has at a time; one larger document goes alone. */
  readonly underWayBytes: number
  /** Writes of one turn of the event loop that go to the writer before the turn ends, so that both threads work. */
  readonly piece: number
}

export const writerQueueLimits: WriterQueueLimits = {
  waiting: 10_000,
  waitingBytes: 256 * 1024 * 1024,
  underWay: 256,
  underWayBytes: 8 * 1024 * 1024,
  piece: 8,
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
  /** In the order in which the writer got them, and answers them. */
  let underWay: Waiting[] = []
  let underWayBytes = 0
  let isSendDue = false
  let closing: Promise<void> | null = null
  let whenDrained: (() => void) | null = null

  const post = (to: Worker, message: ToWriter): void => to.postMessage(message)

  /** What of the waiting writes the writer may have now, beside what it has. */
  const takePiece = (): readonly Waiting[] => {
    const room = limits.underWay - underWay.length
    let count = 0
    for (const { bytes } of waiting) {
      if (count === room) break
      if (underWayBytes + bytes > limits.underWayBytes && underWay.length + count > 0) break
      underWayBytes += bytes
      waitingBytes -= bytes
      count += 1
    }
    const piece = waiting.splice(0, count)
    underWay.push(...piece)
    return piece
  }

  const send = (): void => {
    try {
      const current = worker ?? started()
      const piece = takePiece()
      // An idle writer doesn't keep the process alive; one that has writes does.
      if (underWay.length > 0) current.ref()
      if (piece.length > 0) post(current, { kind: 'writes', writes: piece.map(({ write }) => write) })
    } catch (error) {
      failAll(`the writer can't be started: ${String(error)}`)
    }
  }

  const sendWhatHasCome = (): void => {
    isSendDue = false
    if (waiting.length > 0) send()
  }

  const rest = (): void => {
    worker?.unref()
    whenDrained?.()
  }

  const answer = ({ outcomes }: FromWriter): void => {
    const answered = underWay.splice(0, outcomes.length)
    for (const { bytes } of answered) underWayBytes -= bytes
    for (const [i, each] of answered.entries())
      each.answer(outcomes[i] ?? { failure: 'the writer gave no answer' })
    if (waiting.length > 0) send()
    else if (underWay.length === 0) rest()
  }

  const failAll = (reason: string): void => {
    const all = [...underWay, ...waiting]
    underWay = []
    waiting = []
    waitingBytes = 0
    underWayBytes = 0
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
        if (waiting.length >= limits.piece) return send()
        if (isSendDue) return
        isSendDue = true
        // Behind this turn of the event loop: what it still brings goes along.
        setImmediate(sendWhatHasCome)
      })
    },
    refreshStatistics: () => {
      if (worker !== null && closing === null) post(worker, { kind: 'refresh statistics' })
    },
    close: () => (closing ??= end()),
  }
}
