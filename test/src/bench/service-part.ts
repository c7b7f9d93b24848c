/** The part of the bench that compares the service with baseline servers, and measures its start and its memory. */
import { mkdir } from 'node:fs/promises'
import { createAgent, exchange } from './exchange.js'
import type { Read } from './validate-response.js'
import type { LoadDriver } from './load-driver.js'
import { measureRow, type RowResult, type RowSetup } from './measure-row.js'
import { measureStarts, type StartTimes } from './measure-starts.js'
import type { BenchOptions } from './options.js'
import { memoryOf } from './process-use.js'
import { createPublication, type Publication } from './publication.js'
import { createRows } from './rows.js'
import { baselines, startBaseline, startServedService, type Baseline, type Served } from './served.js'
import { serials } from './serials.js'

export type ServiceResults = {
  readonly rows: readonly RowResult[]
  readonly starts: StartTimes
  /** Bytes; null if the system does not report them. */
  readonly memory: { readonly idle: number | null; readonly peak: number | null }
}

type Progress = (text: string) => void

const pause = (seconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, seconds * 1000)
  })

export const readerOf = (service: Served, { tokens }: Publication, setup: Pick<RowSetup, 'agent'>): Read => {
  const headers = { Authorization: `Bearer ${tokens.editor}`, 'Cache-Control': 'no-cache' }
  return (path) => exchange(service.url, { method: 'GET', path, headers, body: null }, setup.agent)
}

type Measured = Pick<ServiceResults, 'rows' | 'memory'>

const measure = async (
  service: Served,
  bare: readonly Baseline[],
  driver: LoadDriver,
  publication: Publication,
  options: BenchOptions,
  names: readonly string[],
  progress: Progress,
): Promise<Measured> => {
  progress('leaving the service alone, then reading its memory')
  await pause(options.quiet)
  const idle = await memoryOf(service.pid)
  const agent = createAgent(4)
  const read = readerOf(service, publication, { agent })
  const { connections, rounds, seconds } = options
  const setup: RowSetup = {
    service,
    baselines: bare,
    driver,
    agent,
    read,
    connections,
    rounds,
    seconds,
    // The articles that exist have the serials up to their number.
    nextSerial: serials(publication.objects + 1),
    progress,
  }
  try {
    const rows: RowResult[] = []
    for (const row of createRows(publication))
      if (names.includes(row.name)) rows.push(await measureRow(setup, row))
    const loaded = await memoryOf(service.pid)
    return { rows, memory: { idle: idle?.resident ?? null, peak: loaded?.peak ?? null } }
  } finally {
    agent.destroy()
  }
}

const withServers = async <A>(
  dataDirectory: string,
  flags: readonly string[],
  use: (service: Served, bare: readonly Baseline[]) => Promise<A>,
): Promise<A> => {
  const service = await startServedService(dataDirectory, {}, flags)
  const bare: Baseline[] = []
  try {
    for (const name of baselines) bare.push(await startBaseline(name))
    return await use(service, bare)
  } finally {
    await Promise.all([service.stop(), ...bare.map((baseline) => baseline.stop())])
  }
}

/** Measures these rows on a publication that is made in `dataDirectory`. */
export const runService = async (
  options: BenchOptions,
  names: readonly string[],
  driver: LoadDriver,
  dataDirectory: string,
  progress: Progress,
): Promise<ServiceResults> => {
  await mkdir(dataDirectory)
  const flags = options.profile ? ['--cpu-prof', `--cpu-prof-name=${names.join()}.cpuprofile`] : []
  progress(`making a publication of ${options.objects} articles`)
  const publication = await createPublication(dataDirectory, options.objects, (made) =>
    progress(`${made} articles`),
  )
  const starts = await measureStarts(dataDirectory, options.coldStarts, progress)
  const measured = await withServers(dataDirectory, flags, (service, bare) =>
    measure(service, bare, driver, publication, options, names, progress),
  )
  return { starts, ...measured }
}
