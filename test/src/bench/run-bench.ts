/** The whole bench, from an empty data folder to its figures. Rejects with WrongAnswer where an answer was wrong. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { dependencySize } from './dependency-size.js'
import { createAgent, exchange, headerOf } from './exchange.js'
import type { Read } from './judge-answer.js'
import type { LoadDriver } from './load-driver.js'
import { imagingNames, measureImaging, type ImagingName, type ImagingRow } from './measure-imaging.js'
import { measureRow, type RowResult, type Stage } from './measure-row.js'
import { measureStarts, type StartTimes } from './measure-starts.js'
import type { BenchOptions } from './options.js'
import { memoryOf } from './process-use.js'
import { plantPublication, type Publication } from './publication.js'
import { createRows, onePath, type Row } from './rows.js'
import { floors, startFloor, startServedService, type Floor, type Served } from './served.js'

export type BenchResults = {
  readonly machine: {
    readonly node: string
    readonly cores: number
    /** Processes that waited for a core when the bench began and ended, averaged over a minute. */
    readonly loadBefore: number
    readonly loadAfter: number
  }
  readonly driver: { readonly name: string; readonly version: string }
  readonly options: BenchOptions
  readonly rows: readonly RowResult[]
  readonly imaging: readonly ImagingRow[]
  readonly starts: StartTimes
  /** Bytes; null where the system doesn't tell. */
  readonly memory: { readonly idle: number | null; readonly peak: number | null }
  /** Bytes on disk; null where what is installed is not what is locked. */
  readonly dependencies: number | null
}

type Progress = (text: string) => void

const chosen = (rows: readonly Row[], names: readonly string[]): readonly Row[] => {
  const known = [...rows.map(({ name }) => name), ...imagingNames]
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`--only knows ${known.join(', ')}; not ${unknown.join(', ')}`)
  return names.length === 0 ? rows : rows.filter(({ name }) => names.includes(name))
}

const chosenImaging = (names: readonly string[]): readonly ImagingName[] =>
  names.length === 0 ? imagingNames : imagingNames.filter((name) => names.includes(name))

const serials = (): ((count: number) => number) => {
  let next = 1
  return (count) => {
    const first = next
    next += count
    return first
  }
}

const pause = (seconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, seconds * 1000)
  })

const readerOf = (service: Served, { tokens }: Publication, stage: Pick<Stage, 'agent'>): Read => {
  const headers = { Authorization: `Bearer ${tokens.editor}`, 'Cache-Control': 'no-cache' }
  return (path) => exchange(service.url, { method: 'GET', path, headers, body: null }, stage.agent)
}

type Measured = Pick<BenchResults, 'rows' | 'memory'>

const measure = async (
  service: Served,
  bare: readonly Floor[],
  driver: LoadDriver,
  publication: Publication,
  options: BenchOptions,
  progress: Progress,
): Promise<Measured> => {
  progress('leaving the service alone, then reading its memory')
  await pause(options.quiet)
  const idle = await memoryOf(service.pid)
  const agent = createAgent(4)
  const read = readerOf(service, publication, { agent })
  const { connections, rounds, seconds } = options
  const stage: Stage = {
    service,
    floors: bare,
    driver,
    agent,
    read,
    connections,
    rounds,
    seconds,
    nextSerial: serials(),
    progress,
  }
  try {
    const tag = headerOf(
      await exchange(
        service.url,
        {
          method: 'GET',
          path: onePath(publication),
          headers: { Authorization: `Bearer ${publication.tokens.reader}` },
          body: null,
        },
        agent,
      ),
      'ETag',
    )
    const rows: RowResult[] = []
    for (const row of chosen(createRows(publication, tag ?? ''), options.only))
      rows.push(await measureRow(stage, row))
    const loaded = await memoryOf(service.pid)
    return { rows, memory: { idle: idle?.resident ?? null, peak: loaded?.peak ?? null } }
  } finally {
    agent.destroy()
  }
}

const withServers = async <A>(
  dataDirectory: string,
  prefix: readonly string[],
  use: (service: Served, bare: readonly Floor[]) => Promise<A>,
): Promise<A> => {
  const service = await startServedService(dataDirectory, prefix)
  const bare: Floor[] = []
  try {
    for (const name of floors) bare.push(await startFloor(name, prefix))
    return await use(service, bare)
  } finally {
    await Promise.all([service.stop(), ...bare.map((floor) => floor.stop())])
  }
}

/** Runs the bench; `driverIn` makes the driver, which may keep files in the folder that it is given. */
export const runBench = async (
  options: BenchOptions,
  driverIn: (directory: string) => LoadDriver,
  progress: Progress,
): Promise<BenchResults> => {
  const directory = await mkdtemp(join(tmpdir(), 'publishing-bench-'))
  const forget = (): void => rmSync(directory, { recursive: true, force: true })
  process.once('exit', forget)
  const loadBefore = loadavg()[0] ?? 0
  const serverPrefix = options.pinned ? ['taskset', '-c', '0'] : []
  try {
    const driver = driverIn(directory)
    const dataDirectory = join(directory, 'data')
    await mkdir(dataDirectory)
    const dependencies = await dependencySize()
    progress(`making a publication of ${options.objects} articles`)
    const publication = await plantPublication(dataDirectory, options.objects, (made) =>
      progress(`${made} articles`),
    )
    const starts = await measureStarts(dataDirectory, options.coldStarts, serverPrefix, progress)
    const measured = await withServers(dataDirectory, serverPrefix, (service, bare) =>
      measure(service, bare, driver, publication, options, progress),
    )
    const imaging = await measureImaging(chosenImaging(options.only), {
      rounds: options.rounds,
      clients: options.connections,
      progress,
    })
    return {
      machine: {
        node: process.version,
        cores: availableParallelism(),
        loadBefore,
        loadAfter: loadavg()[0] ?? 0,
      },
      driver: { name: driver.name, version: driver.version },
      options,
      starts,
      dependencies,
      imaging,
      ...measured,
    }
  } finally {
    process.off('exit', forget)
    await rm(directory, { recursive: true, force: true })
  }
}
