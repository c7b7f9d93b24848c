/** Exchanges counts of requests with other processes in the background. */
import { exchangeSeconds, type SharedRates } from '@publishing-service/application'
import type { Log } from '@publishing-service/ports'

/** The function that it returns ends the exchanges, and takes this process off the others' list. */
export const startRateExchange = (
  { exchange, leave }: Pick<SharedRates, 'exchange' | 'leave'>,
  log: Log,
): (() => Promise<void>) => {
  const quietly = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      // A defect here is no reason to stop serving.
      log.write('error', 'defect', { reason: error instanceof Error ? error.stack : String(error) })
    }
  }
  let running: Promise<void> | null = null
  const exchangeOnce = (): void => {
    running ??= quietly(exchange).finally(() => (running = null))
  }
  exchangeOnce()
  const timer = setInterval(exchangeOnce, exchangeSeconds * 1000)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
    await quietly(leave)
  }
}
