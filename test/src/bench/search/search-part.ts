/** The part of the bench that compares services with and without a search index: the cost of writes, and the size. */
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { createAgent, exchange } from '../exchange.js'
import type { LoadDriver } from '../load-driver.js'
import { expectationOf, measureLoad, sample, timeOf, type LoadSetup, type Measured } from '../measure-load.js'
import type { BenchOptions } from '../options.js'
import { createPublication, type Publication } from '../publication.js'
import { createRows, type Row } from '../rows.js'
import { startServedService, type Served } from '../served.js'
import { serials } from '../serials.js'
import { spreadOf, type Spread } from '../spread.js'

export type SearchWrite = {
  readonly name: string
  readonly title: string
  /** Requests per second with the index, and without it. */
  readonly rates: { readonly indexed: Spread; readonly plain: Spread }
  /** The time of the service with the index, relative to that without it in the same round. */
  readonly cost: Spread
}

export type SearchResults = {
  readonly writes: readonly SearchWrite[]
  /** In bytes. */
  readonly size: { readonly documents: number; readonly index: number }
}

export const searchTargets = { mostCost: 1.3, mostSize: 0.6 } as const

/** The rows that write, by their names in the part service. */
const writes: ReadonlyMap<string, string> = new Map([
  ['search-patch', 'patch'],
  ['search-create', 'create'],
])

export const searchNames: readonly string[] = [...writes.keys(), 'search-size']

const plainProgram = fileURLToPath(new URL('./without-search-process.js', import.meta.url))

type Side = { readonly service: Served; readonly setup: LoadSetup; readonly rounds: Measured[] }

const measureWrites = async (
  name: string,
  row: Row,
  sides: { readonly indexed: Side; readonly plain: Side },
  { rounds }: BenchOptions,
  progress: (text: string) => void,
): Promise<SearchWrite> => {
  const both = [sides.indexed, sides.plain]
  const expected = expectationOf(await sample(sides.indexed.setup, row, sides.indexed.service, null), row)
  for (const { setup, service } of both) await measureLoad(setup, row, service, expected)
  for (let round = 0; round < rounds; round += 1) {
    progress(`search, ${row.title}: round ${round + 1} of ${rounds}`)
    for (const { setup, service, rounds: measured } of round % 2 === 0 ? both : both.toReversed())
      measured.push(await measureLoad(setup, row, service, expected))
  }
  const ratesOf = ({ rounds: measured }: Side): Spread =>
    spreadOf(measured.map(({ requests, seconds }) => requests / seconds))
  return {
    name,
    title: row.title,
    rates: { indexed: ratesOf(sides.indexed), plain: ratesOf(sides.plain) },
    cost: spreadOf(
      sides.indexed.rounds.map((each, round) => {
        const plain = sides.plain.rounds[round]
        return plain === undefined ? Number.NaN : timeOf(each) / timeOf(plain)
      }),
    ),
  }
}

const sizeIn = (dataDirectory: string): SearchResults['size'] => {
  const database = new Database(join(dataDirectory, 'documents.sqlite'), { readonly: true })
  try {
    const size = database
      .prepare<[string], number>(
        `SELECT sum(pgsize) FROM dbstat WHERE name IN (SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB ? AND name NOT GLOB 'documents_*.*')`,
      )
      .pluck()
    return { documents: size.get('documents_*') ?? 0, index: size.get('search.*') ?? 0 }
  } finally {
    database.close()
  }
}

const setupOf = (
  { url }: Served,
  { tokens, objects }: Publication,
  { connections, seconds }: BenchOptions,
  driver: LoadDriver,
): LoadSetup & { readonly close: () => void } => {
  const agent = createAgent(4)
  const headers = { Authorization: `Bearer ${tokens.editor}`, 'Cache-Control': 'no-cache' }
  return {
    driver,
    agent,
    read: (path) => exchange(url, { method: 'GET', path, headers, body: null }, agent),
    connections,
    seconds,
    // The articles that exist have the serials up to their number.
    nextSerial: serials(objects + 1),
    close: () => agent.destroy(),
  }
}

export const runSearch = async (
  options: BenchOptions,
  names: readonly string[],
  driver: LoadDriver,
  directory: string,
  progress: (text: string) => void,
): Promise<SearchResults> => {
  const folders = { indexed: join(directory, 'indexed'), plain: join(directory, 'plain') }
  await mkdir(folders.indexed, { recursive: true })
  progress(`search: making a publication of ${options.objects} articles`)
  const publication = await createPublication(folders.indexed, options.objects, (made) =>
    progress(`search: ${made} articles`),
  )
  const size = sizeIn(folders.indexed)
  await cp(folders.indexed, folders.plain, { recursive: true })
  const services = {
    indexed: await startServedService(folders.indexed),
    plain: await startServedService(folders.plain, {}, [], plainProgram),
  }
  const setups = {
    indexed: setupOf(services.indexed, publication, options, driver),
    plain: setupOf(services.plain, publication, options, driver),
  }
  try {
    const results: SearchWrite[] = []
    for (const [name, rowName] of writes) {
      const row = createRows(publication, '').find((each) => each.name === rowName)
      if (row === undefined || !names.includes(name)) continue
      const sideOf = (kind: 'indexed' | 'plain'): Side => ({
        service: services[kind],
        setup: setups[kind],
        rounds: [],
      })
      const sides = { indexed: sideOf('indexed'), plain: sideOf('plain') }
      results.push(await measureWrites(name, row, sides, options, progress))
    }
    return { writes: results, size }
  } finally {
    for (const { close } of Object.values(setups)) close()
    await Promise.all(Object.values(services).map(({ stop }) => stop()))
  }
}
