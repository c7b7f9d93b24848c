/** The part of the bench that compares services with and without a search index: the cost of writes, and the size. */
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { createAgent } from '../exchange.js'
import type { LoadDriver } from '../load-driver.js'
import { expectationOf, measureLoad, sample, timeOf, type LoadSetup, type Measured } from '../measure-load.js'
import type { BenchOptions } from '../options.js'
import { createPublication } from '../publication.js'
import { createRows, type Row } from '../rows.js'
import { startServedService, type Served } from '../served.js'
import { serials } from '../serials.js'
import { readerOf } from '../service-part.js'
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

type Side = { readonly service: Served; readonly setup: LoadSetup }

const measureWrites = async (
  name: string,
  row: Row,
  sides: { readonly indexed: Side; readonly plain: Side },
  { rounds }: BenchOptions,
  progress: (text: string) => void,
): Promise<SearchWrite> => {
  const { indexed, plain } = sides
  const both = [
    { ...indexed, measured: [] as Measured[] },
    { ...plain, measured: [] as Measured[] },
  ] as const
  const expected = expectationOf(await sample(indexed.setup, row, indexed.service, null), row)
  for (const { setup, service } of both) await measureLoad(setup, row, service, expected)
  for (let round = 0; round < rounds; round += 1) {
    progress(`search, ${row.title}: round ${round + 1} of ${rounds}`)
    for (const { setup, service, measured } of round % 2 === 0 ? both : both.toReversed())
      measured.push(await measureLoad(setup, row, service, expected))
  }
  const [withIndex, without] = both.map(({ measured }) => measured)
  const ratesOf = (measured: readonly Measured[] = []): Spread =>
    spreadOf(measured.map(({ requests, seconds }) => requests / seconds))
  return {
    name,
    title: row.title,
    rates: { indexed: ratesOf(withIndex), plain: ratesOf(without) },
    cost: spreadOf(
      (withIndex ?? []).map((each, round) => {
        const other = without?.[round]
        return other === undefined ? Number.NaN : timeOf(each) / timeOf(other)
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
  const { connections, seconds } = options
  const agent = createAgent(8)
  const sideOf = (service: Served): Side => ({
    service,
    setup: {
      driver,
      agent,
      read: readerOf(service, publication, { agent }),
      connections,
      seconds,
      // The articles that exist have the serials up to their number.
      nextSerial: serials(publication.objects + 1),
    },
  })
  const sides = {
    indexed: sideOf(await startServedService(folders.indexed)),
    plain: sideOf(await startServedService(folders.plain, {}, [], plainProgram)),
  }
  try {
    const rows = createRows(publication, '')
    const results: SearchWrite[] = []
    for (const [name, rowName] of writes) {
      const row = rows.find((each) => each.name === rowName)
      if (row === undefined || !names.includes(name)) continue
      results.push(await measureWrites(name, row, sides, options, progress))
    }
    return { writes: results, size }
  } finally {
    agent.destroy()
    await Promise.all(Object.values(sides).map(({ service }) => service.stop()))
  }
}
