/**
 * The process that starts the workers, passes connections to them, replaces those that die, and serves their metrics. It loads
 * nothing of the service.
 */
import type { Log } from '@publishing-service/ports'
import { exitCodes, printError } from '../program-end.js'
import { latestClose, latestEnd, onTwoSignals } from '../stop-signals.js'
import { type Ending, WorkerHandle } from './fork-worker.js'
import { hasFailedSoon, restartDelay } from './restart-delay.js'
import type { StopReason, WorkerSettings } from './worker-messages.js'
import { WorkerMetrics } from './worker-metrics.js'
import { WriteRelay } from './write-relay.js'

/** Milliseconds after which a worker is killed that ends neither by itself nor at its own limit. */
const grace = 100

/** The place of a worker, with its number. */
type Place = {
  readonly number: number
  /** The worker that serves; null while it is replaced. */
  current: WorkerHandle | null
  /** The worker that is to take its place in a restart. */
  next: WorkerHandle | null
  /** How many have failed soon, one after the other. */
  failures: number
  /** Until the next one is started. */
  timer: NodeJS.Timeout | null
}

/** What the primary knows when the first worker serves. */
type Running = { readonly settings: WorkerSettings; readonly log: Log }

class Primary {
  readonly #places: readonly Place[]
  /** The workers whose processes have not ended. */
  readonly #alive = new Set<WorkerHandle>()
  readonly #metrics = new WorkerMetrics(() => this.#alive)
  readonly #writes = new WriteRelay()
  #running: Running | null = null
  #isStopping = false
  #isRestarting = false
  #isRestartAsked = false

  constructor(count: number) {
    this.#places = Array.from({ length: count }, (_, index) => ({
      number: index + 1,
      current: null,
      next: null,
      failures: 0,
      timer: null,
    }))
  }

  /** Starts the first worker alone, and the others when it serves: a first start is made once. */
  async start(args: readonly string[]): Promise<void> {
    const [first, ...others] = this.#places
    if (first === undefined) return
    const worker = this.#fork(first.number, args)
    first.current = worker
    const started = await Promise.race([worker.started, worker.ended])
    if (!('logLevel' in started)) return this.#endWith(started)
    const { pinoLog } = await import('@publishing-service/adapter-system/pino-log')
    const log = pinoLog({ level: started.logLevel })
    this.#running = { settings: started, log }
    if (this.#alive.size === 0 && this.#isStopping) return this.#end(this.#running)
    void worker.ended.then((ending) => this.#onEnd(first, worker, ending))
    for (const place of others) this.#fill(place)
  }

  /** The first worker has not come to serve: it has printed why. */
  #endWith({ code, signal }: Ending): void {
    if (signal !== null && !this.#isStopping)
      printError('The service can’t start.', [`its first worker was ended by ${signal}`])
    process.exit(code ?? (this.#isStopping ? exitCodes.done : exitCodes.unavailable))
  }

  #fork(number: number, args: readonly string[] | null): WorkerHandle {
    const worker = new WorkerHandle({ number, isFirst: args !== null }, args ?? [], {
      serveMetrics: (asking, port, host) => void this.#metrics.serve(asking, port, host),
      metrics: (from, id, metrics) => this.#metrics.received(from, id, metrics),
      wrote: (by, id, written) => this.#writes.wrote(by, id, written, this.#alive),
      counted: (by, id) => this.#writes.counted(by, id),
    })
    this.#alive.add(worker)
    void worker.ended.then(() => this.#forget(worker))
    return worker
  }

  /** Its process has ended. The primary ends with the last one, if it is to. */
  #forget(worker: WorkerHandle): void {
    this.#alive.delete(worker)
    this.#metrics.ended(worker)
    this.#writes.ended(worker)
    if (this.#isStopping && this.#running !== null && this.#alive.size === 0) void this.#end(this.#running)
  }

  /** Starts a worker at a place that has none. */
  #fill(place: Place): void {
    place.timer = null
    if (this.#isStopping) return
    const worker = this.#fork(place.number, null)
    place.current = worker
    void worker.ended.then((ending) => this.#onEnd(place, worker, ending))
  }

  /** A worker has ended: it is replaced, unless it was to end. */
  #onEnd(place: Place, worker: WorkerHandle, ending: Ending): void {
    if (place.current !== worker || this.#isStopping) return
    place.current = null
    const { number, pid, served } = worker
    place.failures = hasFailedSoon(served) ? place.failures + 1 : 0
    const delay = restartDelay(place.failures)
    this.#running?.log.write('error', 'worker ended', { worker: number, pid, ...ending, replacedIn: delay })
    this.#metrics.countReplacement()
    // A restart puts its own one there.
    if (place.next === null) this.#fillAfter(place, delay)
  }

  #fillAfter(place: Place, delay: number): void {
    if (delay === 0) this.#fill(place)
    else place.timer = setTimeout(() => this.#fill(place), delay)
  }

  /** Replaces the workers one after the other, each when its replacement serves. */
  async restart(): Promise<void> {
    this.#isRestartAsked = true
    if (this.#isRestarting || this.#running === null) return
    this.#isRestarting = true
    const { log } = this.#running
    while (this.#isRestartAsked && !this.#isStopping) {
      this.#isRestartAsked = false
      log.write('info', 'restarting workers', { workers: this.#places.length })
      const failed = await this.#replaceAll()
      if (failed === null) log.write('info', 'workers restarted', { workers: this.#places.length })
      else if (!this.#isStopping)
        log.write('error', 'workers not restarted', { ...failed, advice: 'the others go on as they are' })
    }
    this.#isRestarting = false
  }

  /** The first replacement that has not come to serve, with its end; null if all have. */
  async #replaceAll(): Promise<({ readonly worker: number } & Ending) | null> {
    for (const place of this.#places) {
      // One that has died is replaced already.
      if (place.current === null) continue
      const ending = await this.#replace(place)
      if (ending !== null) return { worker: place.number, ...ending }
      if (this.#isStopping) return null
    }
    return null
  }

  /** How the replacement has ended, if it has not come to serve. */
  async #replace(place: Place): Promise<Ending | null> {
    const next = this.#fork(place.number, null)
    place.next = next
    const started = await Promise.race([next.started, next.ended])
    place.next = null
    if (!('logLevel' in started)) {
      if (place.current === null && !this.#isStopping) this.#fillAfter(place, restartDelay(place.failures))
      return started
    }
    const former = place.current
    place.current = next
    void next.ended.then((ending) => this.#onEnd(place, next, ending))
    if (this.#isStopping || former === null) return null
    former.stop('replaced', this.#limitOf('replaced'))
    await former.ended
    return null
  }

  /** Stops all workers. The process ends with the last one. */
  stop(reason: StopReason): void {
    this.#isStopping = true
    for (const { timer } of this.#places) if (timer !== null) clearTimeout(timer)
    for (const worker of this.#alive) worker.stop(reason, this.#limitOf(reason))
    if (this.#running !== null && this.#alive.size === 0) void this.#end(this.#running)
  }

  /** Milliseconds after which a worker that stops is killed; null while its delay is unknown, since it ends by itself. */
  #limitOf(reason: StopReason): number | null {
    if (this.#running === null) return null
    return (reason === 'SIGTERM' ? this.#running.settings.delay : 0) + latestEnd + grace
  }

  /** Ends the waiting of a stop. */
  hurry(): void {
    for (const worker of this.#alive) worker.hurry(latestClose + grace)
  }

  async #end({ log }: Running): Promise<void> {
    await this.#metrics.close()
    await log.close()
    process.exit(exitCodes.done)
  }
}

/** Runs the service on so many workers, from its start to its end. The first one reads the command line. */
export const runPrimary = async (count: number, args: readonly string[]): Promise<void> => {
  const primary = new Primary(count)
  const { hear } = onTwoSignals<StopReason>(
    (reason) => primary.stop(reason),
    () => primary.hurry(),
  )
  process.on('SIGTERM', () => hear('SIGTERM'))
  process.on('SIGINT', () => hear('SIGINT'))
  // That of a terminal is its end.
  process.on('SIGHUP', () => (process.stdin.isTTY ? hear('SIGTERM') : void primary.restart()))
  await primary.start(args)
}
