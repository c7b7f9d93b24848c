/** Reads through the service and through the baseline server on the driver, alternately, with the times of each round compared. */
import { createAgent } from '../exchange.js'
import type { LoadDriver } from '../load-driver.js'
import { validateArticle, validatePage, rowsPerPage, type Validate } from '../validate-response.js'
import { measureLoad, sample, type LoadSetup, type Measured } from '../measure-load.js'
import type { BenchOptions } from '../options.js'
import { contentId } from '../article.js'
import type { Row } from '../rows.js'
import { serials } from '../serials.js'
import type { Served } from '../served.js'
import { spreadOf, type Spread } from '../spread.js'
import type { Traffic } from '../traffic.js'
import type { StoresSetup } from './stores.js'

export type ReadResult = {
  readonly name: string
  readonly title: string
  readonly requestsPerSecond: Readonly<Record<'service' | 'bare', Spread>>
  /** Time a response of the service to that of the baseline server, of the same round. */
  readonly cost: Spread
}

type RowRequest = {
  readonly name: string
  readonly title: string
  readonly path: string
  readonly validate: Validate
}

export const readNames = ['servers-read', 'servers-page'] as const

const readRequests = (
  instance: number,
  count: number,
): readonly (RowRequest & { readonly turns: readonly string[] })[] => [
  {
    name: readNames[0],
    title: `GET one object, no-cache, in turn of ${count}`,
    path: `/${instance}/content/{turn}`,
    validate: validateArticle,
    turns: Array.from({ length: count }, (_, index) => contentId(index + 1)),
  },
  {
    name: readNames[1],
    title: `page of ${rowsPerPage}, no-cache`,
    path: `/${instance}/content?fields=title-url-issued&order=issued.desc&page=1&rpp=${rowsPerPage}`,
    validate: validatePage,
    turns: [],
  },
]

/** A few clients: more would measure how the servers behind share the cores. */
const connections = 2

/** Responses of the two differ from each other, and from object to object. */
const anySize = { leastBytes: 2, mostBytes: 10_000_000, body: null } as const

const secondsOf = ({ requests, seconds }: Measured): number => seconds / requests

export const measureReads = async (
  options: BenchOptions,
  names: readonly string[],
  { service, bare, publication }: StoresSetup,
  driver: LoadDriver,
  progress: (text: string) => void,
): Promise<readonly ReadResult[]> => {
  const agent = createAgent(2)
  const read = (): Promise<never> => Promise.reject(new Error('nothing is written here'))
  const { rounds, seconds } = options
  const setup: LoadSetup = { driver, agent, read, connections, seconds, nextSerial: serials() }
  const headers = { Authorization: `Bearer ${publication.tokens.reader}`, 'Cache-Control': 'no-cache' }
  const baseline: Served = { ...bare, name: 'node:http', startSeconds: 0, stop: async () => undefined }
  const results: ReadResult[] = []
  try {
    for (const { name, title, path, validate, turns } of readRequests(
      publication.instance,
      publication.objects,
    )) {
      if (!names.includes(name)) continue
      const traffic: Traffic = { method: 'GET', path, headers, body: null, turns }
      const row: Row = { name, title, target: null, traffic, spread: 0, validate }
      await sample(setup, row, service, null)
      const expected = { status: 200, ...anySize }
      const measured = { service: [] as Measured[], bare: [] as Measured[] }
      for (const server of [service, baseline]) await measureLoad(setup, row, server, expected)
      for (let round = 0; round < rounds; round += 1) {
        progress(`${title}, through the driver and the service: round ${round + 1} of ${rounds}`)
        measured.service.push(await measureLoad(setup, row, service, expected))
        measured.bare.push(await measureLoad(setup, row, baseline, expected))
      }
      const rates = (all: readonly Measured[]): Spread => spreadOf(all.map((each) => 1 / secondsOf(each)))
      results.push({
        name,
        title,
        requestsPerSecond: { service: rates(measured.service), bare: rates(measured.bare) },
        cost: spreadOf(
          measured.service.map((each, round) => {
            const bareRound = measured.bare[round]
            return bareRound === undefined ? Number.NaN : secondsOf(each) / secondsOf(bareRound)
          }),
        ),
      })
    }
  } finally {
    agent.destroy()
  }
  return results
}
