/** Ends the process on SIGTERM and SIGINT: the service drains, and the process ends within ten seconds after the delay of SIGTERM. */
import type { ShutdownTimes } from '@publishing-service/adapter-koa'
import { exitCodes } from './program-end.js'
import { quickStop, type Service } from './service.js'
import { latestClose, latestEnd, onTwoSignals } from './stop-signals.js'
import type { StopReason } from './workers/worker-messages.js'
import type { WorkerProcess } from './workers/worker-process.js'

/**
 * A supervisor sends SIGTERM, and others still send requests: within this time a proxy learns that the port is closed, or
 * uses a connection that it has kept.
 */
const idleTime = 2000

/** `delay` is that of SIGTERM, in milliseconds. */
const timesOf = (reason: StopReason, delay: number): ShutdownTimes => {
  switch (reason) {
    case 'SIGTERM':
      return { ...quickStop, delay, idle: idleTime }
    case 'SIGINT':
      // A person waits.
      return quickStop
    case 'replaced':
      // The service stays ready.
      return { ...quickStop, idle: idleTime }
  }
}

/** Hears signals, and the primary of a worker, from now on, also while the service is starting. */
export const stopOnSignals = (
  starting: Promise<Pick<Service, 'stop'>>,
  delay: number,
  worker: Pick<WorkerProcess, 'onAsked' | 'settle'> | null = null,
): void => {
  const hurry = new AbortController()
  let isStopping = false
  const end = async (times: ShutdownTimes): Promise<void> => {
    // A failed start is reported by `runService`; there is nothing to stop.
    const service = await starting.catch(() => null)
    if (service === null) return
    await service.stop(times, hurry.signal)
    await worker?.settle()
    process.exit(exitCodes.done)
  }
  const endAfter = (milliseconds: number): void => {
    setTimeout(() => process.exit(exitCodes.done), milliseconds).unref()
  }
  const stop = (reason: StopReason): void => {
    if (isStopping) return
    isStopping = true
    const times = timesOf(reason, delay)
    endAfter(times.delay + latestEnd)
    void end(times)
  }
  const hasten = (): void => {
    endAfter(latestClose)
    hurry.abort()
  }
  const { hear } = onTwoSignals(stop, hasten)
  process.on('SIGTERM', () => hear('SIGTERM'))
  process.on('SIGINT', () => hear('SIGINT'))
  worker?.onAsked({ stop, hurry: hasten })
}
