/** Counts in another thread, which is started for the first count. */
import { Worker } from 'node:worker_threads'
import { E } from '@publishing-service/domain/fp'
import { portFailure } from '@publishing-service/ports'
import type { Call, Counted, Counts, CounterSettings, FromCounter, ToCounter } from './counter-messages.js'
import { part } from './sqlite-failure.js'

export const counterThread = (
  settings: CounterSettings,
  onStatement: (sql: string) => void,
): Counts & { readonly close: () => Promise<void> } => {
  const waiting = new Map<number, (counted: Counted | string) => void>()
  let worker: Worker | null = null
  let last = 0

  const settle = (id: number, counted: Counted | string): void => {
    waiting.get(id)?.(counted)
    waiting.delete(id)
    // An idle thread does not keep the process alive.
    if (waiting.size === 0) worker?.unref()
  }

  const start = (): Worker => {
    const started = new Worker(new URL('./sqlite-counter.js', import.meta.url), {
      workerData: settings,
      name: 'sqlite-counter',
    })
    let reason = 'the counter has ended'
    started.on('message', (message: FromCounter) =>
      'statement' in message ? onStatement(message.statement) : settle(message.id, message),
    )
    started.on('error', (error) => {
      reason = `the counter has died: ${error.message}`
    })
    started.on('exit', () => {
      if (worker === started) worker = null
      for (const id of waiting.keys()) settle(id, reason)
    })
    return started
  }

  const ask = (call: Call): Promise<Counted | string> =>
    new Promise((resolve) => {
      const current = (worker ??= start())
      current.ref()
      last += 1
      waiting.set(last, resolve)
      current.postMessage({ id: last, ...call } satisfies ToCounter)
    })

  const unanswered = (counted: Counted | string) =>
    E.left(portFailure(part, typeof counted === 'string' ? counted : 'the counter returned another count'))

  return {
    count:
      (...parameters) =>
      async () => {
        const counted = await ask({ name: 'count', parameters })
        return typeof counted !== 'string' && counted.name === 'count' ? counted.outcome : unanswered(counted)
      },
    countTexts:
      (...parameters) =>
      async () => {
        const counted = await ask({ name: 'countTexts', parameters })
        return typeof counted !== 'string' && counted.name === 'countTexts'
          ? counted.outcome
          : unanswered(counted)
      },
    close: async () => {
      await worker?.terminate()
    },
  }
}
