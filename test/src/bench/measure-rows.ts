/** Measures rows: their ratios to the baseline, and what the service costs at its start and in memory. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startPostgresql } from '../../servers/dist/index.js'
import { memoryOf } from '../harness/process-use.js'
import { requestAt } from './exchange.js'
import { baselineSideOf, measureRounds, sideOf, type Rounds } from './measure.js'
import { costsName, type Options } from './options.js'
import {
  startBaseline,
  startServiceProcess,
  startStraightLine,
  type Server,
  type Variables,
} from './processes.js'
import { createPublication, type Publication } from './publication.js'
import { serverRows, serviceRows, straightRow, workerRows, type ServiceRow } from './rows.js'

export type RowResult = { readonly row: ServiceRow; readonly service: Rounds; readonly baseline: Rounds }
/** The service and the straight line, with the requests of one row. */
export type Straight = { readonly service: Rounds; readonly straight: Rounds }
type Progress = (text: string) => void
/** Called in the reverse order. */
type Closings = (() => Promise<unknown>)[]

type Starts = Readonly<Record<'service' | 'baseline', readonly number[]>>
/** Cold starts in seconds, on data that exists and code that is built; memory in bytes, NaN if unknown. */
export type Costs = Starts & { readonly idle: number; readonly peak: number }

const articles = { full: 10_000, quick: 100 } as const
const coldStarts = 5
const quietMs = 5000
const connections = 32

/** Starts the service and the baseline alternately. */
const measureStarts = async (variables: Variables, times: number): Promise<Starts> => {
  const seconds: Record<'service' | 'baseline', number[]> = { service: [], baseline: [] }
  for (let time = 0; time <= times; time += 1) {
    const service = await startServiceProcess(variables)
    await service.stop()
    const bare = await startBaseline()
    await bare.stop()
    // The first start after the data was written reads it from the disk.
    if (time === 0) continue
    seconds.service.push(service.startSeconds)
    seconds.baseline.push(bare.startSeconds)
  }
  return seconds
}

/** Waits until a service has used nearly no processor time for a second: then its workers have started. */
const untilIdle = async ({ processorSeconds }: Server): Promise<void> => {
  for (let before = 0; ;) {
    await setTimeout(1000)
    const now = (await processorSeconds()) ?? 0
    if (now - before < 0.1) return
    before = now
  }
}

const newDirectory = async (closings: Closings): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'publishing-bench-'))
  closings.push(() => rm(directory, { recursive: true, force: true }))
  return directory
}

const closeAll = async (closings: Closings): Promise<void> => {
  for (const close of closings.toReversed()) await close()
}

/** Measures the row that the straight line can respond to, if it is among those that are measured. */
const measureStraight = async (
  variables: Variables & { readonly DATA_DIR: string },
  publication: Publication,
  service: Server,
  options: Options,
  closings: Closings,
): Promise<Straight | null> => {
  const row = serviceRows.find(({ name }) => name === straightRow && options.names.has(name))
  if (row === undefined) return null
  const requests = row.requests(publication)
  const side = await sideOf(service, requests, row)
  const sample = join(variables.DATA_DIR, 'sample.json')
  await writeFile(sample, side.first.body)
  const own = { ...variables, TOKEN: publication.tokens.reader, SAMPLE: sample }
  const straight = await startStraightLine(own, requestAt(requests, 0))
  closings.push(straight.stop)
  const [measured = [], bare = []] = await measureRounds(
    [side, await sideOf(straight, requests, row)],
    connections,
    options,
  )
  return { service: measured, straight: bare }
}

export const measureRows = async (options: Options, progress: Progress) => {
  const { names, profile, quick } = options
  const measuresCosts = names.has(costsName) && !quick
  const closings: Closings = []
  try {
    const variables = { DATA_DIR: await newDirectory(closings) }
    progress('creating a publication')
    const publication = await createPublication(variables, articles[quick ? 'quick' : 'full'])
    progress('starting the service')
    const starts = measuresCosts ? await measureStarts(variables, coldStarts) : null
    const flags = profile === null ? [] : ['--cpu-prof', `--cpu-prof-name=${profile}.cpuprofile`]
    const service = await startServiceProcess(variables, { flags })
    closings.push(service.stop)
    const baseline = await startBaseline()
    closings.push(baseline.stop)
    if (starts !== null) await setTimeout(quietMs)
    const { resident: idle = Number.NaN } = (await memoryOf(service.pid)) ?? {}
    const straight = await measureStraight(variables, publication, service, options, closings)
    const results: RowResult[] = []
    for (const row of serviceRows.filter((each) => names.has(each.name))) {
      progress(row.name)
      const side = await sideOf(service, row.requests(publication), row)
      const sides = [side, await baselineSideOf(baseline, side)]
      const [measured = [], bare = []] = await measureRounds(sides, connections, options)
      results.push({ row, service: measured, baseline: bare })
    }
    const { peak = Number.NaN } = (await memoryOf(service.pid)) ?? {}
    const costs: Costs | null = starts === null ? null : { ...starts, idle, peak }
    return { results, costs, straight }
  } finally {
    await closeAll(closings)
  }
}

/** A service on data of its own. */
type Opened = { readonly service: Server; readonly publication: Publication }

/** Measures rows of a service; their baseline is another one. */
const compareServices = async (
  rows: readonly ServiceRow[],
  [measured, other]: readonly [Opened, Opened],
  options: Options,
  progress: Progress,
): Promise<readonly RowResult[]> => {
  const results: RowResult[] = []
  for (const row of rows.filter(({ name }) => options.names.has(name))) {
    progress(row.name)
    const sides = []
    for (const { service, publication } of [measured, other])
      sides.push(await sideOf(service, row.requests(publication), row))
    const [service = [], baseline = []] = await measureRounds(sides, connections, options)
    results.push({ row, service, baseline })
  }
  return results
}

/** Measures rows of two workers; their baseline is the service alone. */
export const measureWorkerRows = async (
  options: Options,
  progress: Progress,
): Promise<readonly RowResult[]> => {
  const closings: Closings = []
  try {
    const opened = async (own: Variables): Promise<Opened> => {
      const variables = { DATA_DIR: await newDirectory(closings) }
      progress('creating a publication')
      const publication = await createPublication(variables, articles[options.quick ? 'quick' : 'full'])
      const service = await startServiceProcess({ ...variables, ...own })
      closings.push(service.stop)
      return { publication, service }
    }
    const two = await opened({ WORKERS: '2' })
    const alone = await opened({})
    await untilIdle(two.service)
    return await compareServices(workerRows, [two, alone], options, progress)
  } finally {
    await closeAll(closings)
  }
}

/** Measures rows on PostgreSQL; their baseline is the service on SQLite. */
export const measureServerRows = async (
  options: Options,
  progress: Progress,
): Promise<readonly RowResult[]> => {
  const { quick } = options
  const closings: Closings = []
  try {
    const database = await startPostgresql()
    closings.push(database.dispose)
    await database.createDatabase('bench')
    const opened = async (own: Variables) => {
      const variables = { DATA_DIR: await newDirectory(closings), ...own }
      progress('creating a publication')
      const publication = await createPublication(variables, articles[quick ? 'quick' : 'full'])
      const service = await startServiceProcess(variables, { database: 'STORE' in own ? database : null })
      closings.push(service.stop)
      return { publication, service }
    }
    const onPostgresql = await opened({ STORE: 'postgresql', POSTGRESQL_URL: database.url('bench') })
    const onSqlite = await opened({})
    return await compareServices(serverRows, [onPostgresql, onSqlite], options, progress)
  } finally {
    await closeAll(closings)
  }
}
