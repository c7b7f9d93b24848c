/** A worker, as the primary starts and sees it. */
import cluster, { type Worker } from 'node:cluster'
import {
  messageToPrimary,
  type StopReason,
  type ToWorker,
  type WorkerSettings,
  type Written,
} from './worker-messages.js'
import { workerNameText, workerVariable, type WorkerName } from './worker-count.js'

/** How a process has ended: its exit code, or the signal that has killed it. */
export type Ending = { readonly code: number | null; readonly signal: string | null }

/** What a worker tells the primary while it runs. */
type Told = {
  readonly serveMetrics: (worker: WorkerHandle, port: number, host: string) => void
  readonly metrics: (worker: WorkerHandle, id: number | null, metrics: unknown) => void
  readonly wrote: (worker: WorkerHandle, id: number, written: Written) => void
  readonly counted: (worker: WorkerHandle, id: number) => void
}

const isClosable = (value: unknown): value is { readonly close: () => void } =>
  typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function'

/**
 * Closes the connection that was passed to a worker and which it has not accepted when it dies: node:cluster forgets it, and its
 * client would wait for ever. One at a time is passed, so it is the last one; to close one again that was accepted changes nothing.
 */
const closeLostConnection = ({ process: child }: Worker): void => {
  const send = child.send.bind(child)
  let passed: unknown = null
  child.send = (message: unknown, ...others: readonly unknown[]): boolean => {
    if (isClosable(others[0])) passed = others[0]
    const isSent: unknown = Reflect.apply(send, child, [message, ...others])
    return isSent === true
  }
  child.once('exit', () => {
    if (isClosable(passed)) passed.close()
  })
}

export class WorkerHandle {
  readonly number: number
  readonly pid: number | undefined
  /** Resolves when it serves requests; never, if it ends before. */
  readonly started: Promise<WorkerSettings>
  readonly ended: Promise<Ending>
  readonly #worker: Worker
  /** What was sent to it before it heard; null since then. */
  #unheard: ToWorker[] | null = []
  #servesSince: number | null = null
  #isStopping = false
  #hasEnded = false

  /** Starts the process. The parameters of its program are those of the primary, or none. */
  constructor(name: WorkerName, args: readonly string[], told: Told) {
    cluster.schedulingPolicy = cluster.SCHED_RR
    cluster.setupPrimary({ args: [...args] })
    const worker = cluster.fork({ [workerVariable]: workerNameText(name) })
    closeLostConnection(worker)
    // What cannot be sent to it any more is told by its end.
    worker.on('error', () => undefined)
    this.#worker = worker
    this.number = name.number
    this.pid = worker.process.pid
    this.ended = new Promise((resolve) => {
      worker.once('exit', (code: number | null, signal: string | null) => {
        this.#hasEnded = true
        resolve({ code, signal })
      })
    })
    this.started = new Promise((resolve) => {
      worker.on('message', (value: unknown) => {
        const message = messageToPrimary(value)
        switch (message?.kind) {
          case 'started': {
            const { logLevel, delay } = message
            this.#servesSince ??= performance.now()
            return resolve({ logLevel, delay })
          }
          case 'hears':
            return this.#onHears()
          case 'serve metrics':
            return told.serveMetrics(this, message.port, message.host)
          case 'metrics':
            return told.metrics(this, message.id, message.metrics)
          case 'wrote':
            return told.wrote(this, message.id, message.written)
          case 'counted':
            return told.counted(this, message.id)
          case 'settle':
            return this.send({ kind: 'settled' })
          case undefined:
            return undefined
        }
      })
    })
  }

  /** Whether it answers messages. */
  get hears(): boolean {
    return this.#unheard === null && !this.#hasEnded
  }

  /** Whether it serves requests, and is to go on. */
  get isServing(): boolean {
    return this.#servesSince !== null && !this.#isStopping && !this.#hasEnded
  }

  /** For how long it has served, in milliseconds; null if it never has. */
  get served(): number | null {
    return this.#servesSince === null ? null : performance.now() - this.#servesSince
  }

  /** What it does not hear yet is sent when it does. */
  send(message: ToWorker): void {
    if (this.#unheard !== null) this.#unheard.push(message)
    else if (this.#worker.isConnected()) this.#worker.send(message, () => undefined)
  }

  #onHears(): void {
    const unheard = this.#unheard ?? []
    this.#unheard = null
    for (const message of unheard) this.send(message)
  }

  /** Has it stop gently, unless it does already. It is killed if it has not ended after `limit` milliseconds. */
  stop(reason: StopReason, limit: number | null): void {
    if (this.#isStopping) return
    this.#isStopping = true
    this.send({ kind: 'stop', reason })
    if (limit !== null) this.#killAfter(limit)
  }

  /** Ends the waiting of its stop. */
  hurry(limit: number): void {
    this.send({ kind: 'hurry' })
    this.#killAfter(limit)
  }

  #killAfter(milliseconds: number): void {
    setTimeout(() => {
      if (!this.#hasEnded) this.#worker.process.kill('SIGKILL')
    }, milliseconds).unref()
  }
}
