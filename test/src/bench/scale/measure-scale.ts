/** Measures requests at each size of a publication, alternately in each round, so that they can be compared. */
import type { Agent } from 'node:http'
import type { LoadDriver } from '../load-driver.js'
import { expectationOf, measureLoad, sample, timeOf, type Measured } from '../measure-load.js'
import type { Row } from '../rows.js'
import type { Served } from '../served.js'
import { spreadOf, type Spread } from '../spread.js'
import type { ScaleRow } from './scale-rows.js'
import type { SeedSize } from './seed-documents.js'
import type { Seed } from './seeds.js'

export type ScaleResult = {
  readonly size: SeedSize
  readonly requestsPerSecond: Spread
  /** Microseconds of processor time per response; null if the system does not report it. */
  readonly processor: number | null
  /** Relative to the time of the same round at the smallest size: processor time if the system reports it. */
  readonly growth: Spread
}

export type ScaleRowResult = {
  readonly name: string
  readonly title: string
  readonly sizes: readonly ScaleResult[]
}

export type SeededService = { readonly seed: Seed; readonly service: Served }

type RowSetup = {
  readonly driver: LoadDriver
  readonly agent: Agent
  readonly connections: number
  readonly rounds: number
  readonly seconds: number
  readonly nextSerial: (count: number) => number
  readonly progress: (text: string) => void
}

const rowAt = ({ name, title, path, role, isCached, validate }: ScaleRow, { tokens }: Seed): Row => ({
  name,
  title,
  target: null,
  traffic: {
    method: 'GET',
    path,
    headers: {
      Authorization: `Bearer ${tokens[role]}`,
      ...(isCached ? {} : { 'Cache-Control': 'no-cache' }),
    },
    body: null,
    turns: [],
  },
  spread: null,
  validate,
})

/** `services` in the order of their sizes. */
export const measureScale = async (
  setup: RowSetup,
  scaleRow: ScaleRow,
  services: readonly SeededService[],
): Promise<ScaleRowResult> => {
  const own = services.filter(({ seed }) => scaleRow.sizes.includes(seed.size))
  const measured = own.map((): Measured[] => [])
  const places = await Promise.all(
    own.map(async ({ seed, service }) => {
      const row = rowAt(scaleRow, seed)
      const read = (): Promise<never> => Promise.reject(new Error('nothing is written here'))
      const context = { ...setup, read }
      const reference = await sample(context, row, service, null)
      return { row, service, context, expected: expectationOf(reference, row) }
    }),
  )
  for (const { context, row, service, expected } of places) await measureLoad(context, row, service, expected)
  for (let round = 0; round < setup.rounds; round += 1) {
    setup.progress(`${scaleRow.title}: round ${round + 1} of ${setup.rounds}`)
    for (const [index, { context, row, service, expected }] of places.entries())
      measured[index]?.push(await measureLoad(context, row, service, expected))
  }
  const [smallest = []] = measured
  return {
    name: scaleRow.name,
    title: scaleRow.title,
    sizes: own.map(({ seed }, index) => {
      const rounds = measured[index] ?? []
      const processors = rounds.flatMap(({ processor }) => (processor === null ? [] : [processor]))
      return {
        size: seed.size,
        requestsPerSecond: spreadOf(rounds.map(({ requests, seconds }) => requests / seconds)),
        processor: processors.length === 0 ? null : spreadOf(processors).median,
        growth: spreadOf(
          rounds.map((each, round) => {
            const least = smallest[round]
            return least === undefined ? Number.NaN : timeOf(each) / timeOf(least)
          }),
        ),
      }
    }),
  }
}
