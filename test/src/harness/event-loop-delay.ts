/**
 * Measures how long work blocks the event loop, in units of a reference work and of processor time, because the
 * speed of machines differs by a factor of three and varies over time.
 */
import { existsSync, readFileSync } from 'node:fs'
import { setImmediate as nextIteration } from 'node:timers/promises'

const statistics = `/proc/self/task/${process.pid}/schedstat`

/** The processor time of the main thread in milliseconds; elapsed time if the system does not report it. */
const processorTime: () => number = existsSync(statistics)
  ? () => Number(readFileSync(statistics, 'utf8').split(' ', 1)[0]) / 1e6
  : () => performance.now()

/** About two megabytes of JSON, as a client might send. */
const rows = JSON.stringify(
  Array.from({ length: 20_000 }, (_, index) => ({
    id: String(index),
    text: `<p>A <em>word</em> and ${index}</p>`,
    numbers: [index, index + 0.5, -index],
    isEven: index % 2 === 0,
  })),
)

/** The processor time of the reference work, parsing and serializing JSON, in milliseconds. */
const referenceTime = (): number => {
  const start = processorTime()
  JSON.stringify(JSON.parse(rows))
  return processorTime() - start
}

/**
 * The longest event loop delay during the work, in units of the reference work. The smallest of at most three attempts,
 * of which one below the limit is the last.
 */
export const longestEventLoopDelay = async (work: () => Promise<unknown>, limit: number): Promise<number> => {
  let smallest = Infinity
  for (let attempt = 0; attempt < 3 && smallest >= limit; attempt += 1) {
    const progress = { done: false, longest: 0 }
    const finished = work().finally(() => {
      progress.done = true
    })
    for (let last = processorTime(); !progress.done;) {
      await nextIteration()
      const now = processorTime()
      progress.longest = Math.max(progress.longest, now - last)
      last = now
    }
    await finished
    smallest = Math.min(smallest, progress.longest / referenceTime())
  }
  return smallest
}
