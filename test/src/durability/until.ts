/** Waits for something that comes by itself, and says what it was where it doesn't come. */
import { setTimeout } from 'node:timers/promises'

/** Asks again and again, and resolves with the first answer that isn't null; rejects after `patience` milliseconds. */
export const until = async <A>(what: string, ask: () => Promise<A | null>, patience = 60_000): Promise<A> => {
  const deadline = performance.now() + patience
  for (;;) {
    const answer = await ask()
    if (answer !== null) return answer
    if (performance.now() > deadline) throw new Error(`${what}: not within ${patience} ms`)
    await setTimeout(10)
  }
}
