/** The part of the bench that compares sizes: creates the seeds, starts a service on each, and measures. */
import { createAgent } from '../exchange.js'
import type { LoadDriver } from '../load-driver.js'
import type { BenchOptions } from '../options.js'
import { serials } from '../serials.js'
import { startServedService } from '../served.js'
import { listRequests } from './list-requests.js'
import { measureLists, type ListResult } from './measure-lists.js'
import { measureScale, type ScaleRowResult, type SeededService } from './measure-scale.js'
import { listSizes, scaleRows } from './scale-rows.js'
import type { SeedSize } from './seed-documents.js'
import { lackOfRoom, seedOf } from './seeds.js'

/** The row that requests every list once. */
export const listsName = 'scale-lists'
export const scaleNames: readonly string[] = [...scaleRows.map(({ name }) => name), listsName]

export type ScaleResults = {
  readonly rows: readonly ScaleRowResult[]
  readonly lists: readonly ListResult[]
  /** What was left out, and why. */
  readonly leftOut: readonly string[]
}

const listTurns = { full: 7, quick: 1 } as const

/** The sizes up to the largest requested one for which there is space, the smallest first. */
const roomFor = async (sizes: readonly SeedSize[], largest: number) => {
  const fitting: SeedSize[] = []
  const leftOut: string[] = []
  for (const size of sizes.toSorted((a, b) => a.locations - b.locations)) {
    const lack = size.locations > largest ? `--largest is ${largest}` : await lackOfRoom(size)
    if (lack === null) fitting.push(size)
    else leftOut.push(`${size.locations} locations: ${lack}`)
  }
  return { fitting, leftOut }
}

export const runScale = async (
  options: BenchOptions,
  names: readonly string[],
  driver: LoadDriver,
  progress: (text: string) => void,
): Promise<ScaleResults> => {
  const rows = scaleRows.filter(({ name }) => names.includes(name))
  const asksLists = names.includes(listsName)
  const wanted = new Set([...rows.flatMap(({ sizes }) => sizes), ...(asksLists ? listSizes : [])])
  const { fitting, leftOut } = await roomFor([...wanted], options.largest)
  const services: SeededService[] = []
  const agent = createAgent(4)
  try {
    for (const size of fitting) {
      const seed = await seedOf(size, (text) => progress(`${size.locations} locations: ${text}`))
      services.push({ seed, service: await startServedService(seed.dataDirectory) })
    }
    const setup = { ...options, driver, agent, nextSerial: serials(), progress }
    const results: ScaleRowResult[] = []
    for (const row of rows) results.push(await measureScale(setup, row, services))
    const [smaller, larger] = listSizes.map((size) => services.find(({ seed }) => seed.size === size))
    const lists =
      asksLists && smaller !== undefined && larger !== undefined
        ? await measureLists(
            listRequests,
            [smaller, larger],
            options.rounds > 1 ? listTurns.full : listTurns.quick,
            agent,
            progress,
          )
        : []
    return { rows: results, lists, leftOut }
  } finally {
    agent.destroy()
    await Promise.all(services.map(({ service }) => service.stop()))
  }
}
