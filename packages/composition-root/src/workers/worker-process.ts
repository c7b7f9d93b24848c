/** A worker's side: what it tells the primary, and what the primary tells it. */
import type { MetricsServer } from '@publishing-service/adapter-prometheus'
import {
  messageToWorker,
  type StopReason,
  type ToPrimary,
  type WorkerSettings,
  type Written,
} from './worker-messages.js'
import { type WorkerName, workerVariable } from './worker-count.js'

/** What the primary asks a worker for. */
type Asked = {
  readonly stop: (reason: StopReason) => void
  readonly hurry: () => void
}

/** The primary, as a worker sees it. */
export type WorkerProcess = WorkerName & {
  /** Tells the primary that this worker serves requests. */
  readonly started: (settings: WorkerSettings) => void
  /** Calls these functions from now on, and for what was asked for before. */
  readonly onAsked: (asked: Asked) => void
  /** Serves metrics in the primary, with those of the other workers. `read` returns those of this one. */
  readonly metricsServer: (read: () => Promise<unknown>) => MetricsServer
  /** Tells the other workers what this one has written. Resolves when they know it, or do not answer soon. */
  readonly tellOthers: (written: Written) => Promise<void>
  /** Calls a function with what other workers have written. */
  readonly onOthersWrote: (count: (written: Written) => void) => void
  /** Lets the process end when nothing is left to do: it will not serve. */
  readonly leave: () => void
  /** Resolves when each connection that the primary has passed until now has arrived. */
  readonly settle: () => Promise<void>
}

/** Milliseconds for which an answer of the primary is waited for at the end. */
const patience = 500

/** Milliseconds for which a write waits until workers know it: one that is busy for longer serves nothing meanwhile. */
const longestTelling = 200

/** That the primary cannot listen, as the system would say it here. */
class MetricsNotServed extends Error {
  readonly syscall = 'listen'

  constructor(
    message: string,
    readonly code: string | null,
  ) {
    super(message)
  }
}

/** Hears the primary from now on. */
export const workerProcess = (name: WorkerName): WorkerProcess => {
  // It is for this process, and not for those that it starts.
  delete process.env[workerVariable]
  // The end of a terminal is one for the primary.
  process.on('SIGHUP', () => undefined)

  const send = (message: ToPrimary): void => {
    // If the primary has ended, this process ends.
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
  }

  const before: ((asked: Asked) => void)[] = []
  let asked: Asked | null = null
  const ask = (call: (asked: Asked) => void): void => {
    if (asked === null) before.push(call)
    else call(asked)
  }

  let countOthers = (_written: Written): void => undefined
  let told = 0
  const telling = new Map<number, () => void>()
  let settled = (): void => undefined
  let read: () => Promise<unknown> = async () => []
  let served = (_port: number): void => undefined
  let notServed = (_error: Error): void => undefined

  const sendMetrics = async (id: number | null): Promise<void> => {
    send({ kind: 'metrics', id, metrics: await read() })
  }

  process.on('message', (value) => {
    const message = messageToWorker(value)
    switch (message?.kind) {
      case 'stop': {
        const { reason } = message
        return ask(({ stop }) => stop(reason))
      }
      case 'hurry':
        return ask(({ hurry }) => hurry())
      case 'metrics served':
        return served(message.port)
      case 'metrics not served':
        return notServed(new MetricsNotServed(message.message, message.code))
      case 'read metrics':
        // Without an answer, the primary has the previous ones.
        return void sendMetrics(message.id).catch(() => undefined)
      case 'others wrote':
        countOthers(message.written)
        return send({ kind: 'counted', id: message.id })
      case 'told':
        return telling.get(message.id)?.()
      case 'settled':
        return settled()
      case undefined:
        return undefined
    }
  })

  send({ kind: 'hears' })
  return {
    ...name,
    started: (settings) => send({ kind: 'started', ...settings }),
    onAsked: (functions) => {
      asked = functions
      for (const call of before.splice(0)) call(functions)
    },
    metricsServer: (readOwn) => ({
      listen: (port, host) =>
        new Promise((resolve, reject) => {
          read = readOwn
          served = resolve
          notServed = reject
          send({ kind: 'serve metrics', port, host })
        }),
      close: () => sendMetrics(null),
    }),
    tellOthers: (written) => {
      told += 1
      const id = told
      return new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer)
          telling.delete(id)
          resolve()
        }
        const timer = setTimeout(end, longestTelling)
        telling.set(id, end)
        send({ kind: 'wrote', id, written })
      })
    },
    onOthersWrote: (count) => {
      countOthers = count
    },
    leave: () => process.channel?.unref(),
    settle: () =>
      new Promise((resolve) => {
        settled = resolve
        setTimeout(resolve, patience)
        send({ kind: 'settle' })
      }),
  }
}
