/** The metrics of all workers, which the primary serves as those of one service. */
import type { MetricsServer } from '@publishing-service/adapter-prometheus'
import { messageOf, systemCode } from '../thrown-errors.js'
import type { WorkerHandle } from './fork-worker.js'

/** How long the answer of a worker is waited for, in milliseconds. One that is busy for longer has its previous metrics. */
const patience = 1000

type Served = {
  readonly server: MetricsServer
  readonly port: number
}

export class WorkerMetrics {
  readonly #workers: () => ReadonlySet<WorkerHandle>
  #serving: Promise<Served> | null = null
  /** The last metrics of each worker that runs. */
  readonly #latest = new Map<WorkerHandle, unknown>()
  /** The last metrics of workers that have ended. */
  readonly #past: unknown[] = []
  #asked = 0
  readonly #waiting = new Map<number, (metrics: unknown) => void>()
  #replacements = (): void => undefined

  /** `workers` are those that run. */
  constructor(workers: () => ReadonlySet<WorkerHandle>) {
    this.#workers = workers
  }

  /** Serves the metrics, if it does not yet, and tells the worker that has asked for it. */
  async serve(worker: WorkerHandle, port: number, host: string): Promise<void> {
    try {
      this.#serving ??= this.#serve(port, host)
      worker.send({ kind: 'metrics served', port: (await this.#serving).port })
    } catch (error) {
      this.#serving = null
      worker.send({ kind: 'metrics not served', code: systemCode(error), message: messageOf(error) })
    }
  }

  /** The library is imported if metrics are read. */
  async #serve(port: number, host: string): Promise<Served> {
    const { countsTogether, metricsServer, prometheusMetrics, togetherAsText } =
      await import('@publishing-service/adapter-prometheus')
    const own = prometheusMetrics()
    own.level('workers', () => [...this.#workers()].filter(({ isServing }) => isServing).length)
    this.#replacements = () => own.count('workerReplacement', {})
    const text = async (): Promise<string> => {
      const [primary, ...workers] = await Promise.all([
        own.values(),
        ...[...this.#workers()].map((worker) => this.#read(worker)),
      ])
      const ended = [...this.#past]
      const past = await countsTogether(ended)
      // Unless another reader has done it.
      if (ended.length > 1 && this.#past[0] === ended[0]) this.#past.splice(0, ended.length, past)
      return togetherAsText(primary, [past, ...workers])
    }
    const server = metricsServer({ text, mediaType: own.mediaType })
    return { server, port: await server.listen(port, host) }
  }

  /** The metrics of a worker, or its latest ones if it does not answer in time. */
  #read(worker: WorkerHandle): Promise<unknown> {
    this.#asked += 1
    const id = this.#asked
    return new Promise((resolve) => {
      const answer = (metrics: unknown): void => {
        clearTimeout(timer)
        this.#waiting.delete(id)
        resolve(metrics)
      }
      const timer = setTimeout(() => answer(this.#latest.get(worker) ?? []), patience)
      this.#waiting.set(id, answer)
      worker.send({ kind: 'read metrics', id })
    })
  }

  /** Metrics have come from a worker; `id` is that of the question, null for the last ones. */
  received(worker: WorkerHandle, id: number | null, metrics: unknown): void {
    this.#latest.set(worker, metrics)
    if (id !== null) this.#waiting.get(id)?.(metrics)
  }

  /** Retains what a worker that has ended has counted: a counter that falls would be read as one that begins again. */
  ended(worker: WorkerHandle): void {
    if (this.#latest.has(worker)) this.#past.push(this.#latest.get(worker))
    this.#latest.delete(worker)
  }

  /** Counts a worker that is replaced because it has ended by itself. */
  countReplacement(): void {
    this.#replacements()
  }

  async close(): Promise<void> {
    await this.#serving?.then(({ server }) => server.close()).catch(() => undefined)
  }
}
