/** Waits for a condition. The error names what did not occur. */
import { setTimeout } from 'node:timers/promises'

/** Polls until the result is not null, and resolves with it. Rejects after `patience` milliseconds. */
export const waitFor = async <A>(
  what: string,
  poll: () => Promise<A | null>,
  timeout = 60_000,
): Promise<A> => {
  const deadline = performance.now() + timeout
  for (;;) {
    const response = await poll()
    if (response !== null) return response
    if (performance.now() > deadline) throw new Error(`${what}: not within ${timeout} ms`)
    await setTimeout(10)
  }
}
