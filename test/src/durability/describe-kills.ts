/** Declares the tests of services that are killed under load, on one kind of stores. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { killsOf } from '@publishing-service/conformance'
import { findAfterKills, type Kills } from './kill-services.js'
import type { KillableStores } from './killable-stores.js'
import { seededRandom } from './random.js'

/** KILLS_SEED repeats the random choices of a run. */
export const seed = Number(process.env['KILLS_SEED'] ?? Date.now() % 1_000_000)

/** The number of kills between two lines of progress. */
const progressStep = 5

const progressSince =
  (began: number): NonNullable<Kills['onVerified']> =>
  (kills, { acknowledged, compared }) => {
    if (kills === 0 || kills % progressStep !== 0) return
    const seconds = Math.round((performance.now() - began) / 1000)
    process.stdout.write(
      `      ${kills} kills, ${acknowledged()} writes acknowledged, ${compared()} values compared, ${seconds} s\n`,
    )
  }

/**
 * Numbers of comments that are removed and restored together: more than one write contains, and fewer. A run of a few kills does
 * not take the time to make the longer ones.
 */
export const longThreads = process.env['KILLS'] === undefined ? [220] : [500, 150]

export const describeKills = (
  name: string,
  open: () => Promise<KillableStores>,
  rounds: Readonly<Partial<Record<Kills['services'], number>>>,
  {
    onOneStore = Infinity,
    ...more
  }: Pick<Kills, 'listsEvery' | 'longest' | 'longThreads'> & {
    /** Kills after which the next ones are on other, empty stores. */
    readonly onOneStore?: number
  },
): void => {
  describe(`services on ${name} that are killed under load`, function () {
    this.timeout(0)

    for (const services of [1, 2] as const) {
      const count = rounds[services]
      if (count === undefined) continue
      it(`lose no acknowledged write and apply none in part: ${services} at a time (KILLS_SEED=${seed})`, async () => {
        const random = seededRandom(seed)
        for (let left = killsOf(count); left > 0; left -= onOneStore) {
          const stores = await open()
          const kills = {
            stores,
            services,
            rounds: Math.min(left, onOneStore),
            random,
            ...more,
            onVerified: progressSince(performance.now()),
          }
          expect(await findAfterKills(kills)).to.deep.equal([])
          await stores.remove()
        }
      })
    }
  })
}
