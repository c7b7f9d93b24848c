/**
 * How long work holds the event loop: in units of a fixed piece of work, and of the processor's time, since machines
 * differ threefold, and one machine from hour to hour too.
 */
import { existsSync, readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'

const statistics = `/proc/self/task/${process.pid}/schedstat`

/** Milliseconds for which the main thread has had a processor; where that isn't told, milliseconds. */
const timeHad: () => number = existsSync(statistics)
  ? () => Number(readFileSync(statistics, 'utf8').split(' ', 1)[0]) / 1e6
  : () => performance.now()

/** Some two megabytes, as they might come from a client. */
const rows = JSON.stringify(
  Array.from({ length: 20_000 }, (_, index) => ({
    id: String(index),
    text: `<p>A <em>word</em> and ${index}</p>`,
    numbers: [index, index + 0.5, -index],
    isEven: index % 2 === 0,
  })),
)

/** Milliseconds of the processor for reading and writing JSON: machines differ threefold, one from hour to hour too. */
const yardstick = (): number => {
  const before_ = timeHad()
  JSON.stringify(JSON.parse(rows))
  return timeHad() - before_
}

/** How long a turn of the event loop takes at most while the work is done, in yardsticks, at the best of some attempts. */
export const longestTurn = async (work: () => Promise<unknown>, attempts = 3): Promise<number> => {
  const longest: number[] = []
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const progress = { done: false, longest: 0 }
    const finished = work().finally(() => {
      progress.done = true
    })
    for (let last = timeHad(); !progress.done;) {
      await nextTurn()
      const now = timeHad()
      progress.longest = Math.max(progress.longest, now - last)
      last = now
    }
    await finished
    longest.push(progress.longest / yardstick())
  }
  return Math.min(...longest)
}
