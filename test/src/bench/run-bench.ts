/** Runs all parts of the bench on empty stores. Rejects with WrongResponse if a response was wrong. */
import { mkdtemp, rm } from 'node:fs/promises'
import { rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LoadDriver } from './load-driver.js'
import type { BenchOptions } from './options.js'
import { rowNames } from './rows.js'
import { runScale, scaleNames, type ScaleResults } from './scale/scale-part.js'
import { runServers, serverNames, type ServersResults } from './servers/servers-part.js'
import { runService, type ServiceResults } from './service-part.js'

export type BenchResults = {
  readonly machine: {
    readonly node: string
    readonly cores: number
    /** Processes that waited for a core when the bench began and ended, averaged over a minute. */
    readonly loadBefore: number
    readonly loadAfter: number
  }
  readonly wrkVersion: string
  readonly options: BenchOptions
  /** Each part is null if none of its rows was requested. */
  readonly service: ServiceResults | null
  readonly scale: ScaleResults | null
  readonly servers: ServersResults | null
}

const parts = {
  service: rowNames,
  scale: scaleNames,
  servers: serverNames,
} as const
type Part = keyof typeof parts

/** The requested rows of each part, by their names or the name of the part; all if nothing is named. */
const chosenNames = (only: readonly string[]): Readonly<Record<Part, readonly string[]>> => {
  const known = Object.entries(parts).flatMap(([part, names]) => [part, ...names])
  const unknown = only.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`--only knows ${known.join(', ')}; not ${unknown.join(', ')}`)
  const chosen = (part: Part): readonly string[] =>
    only.length === 0 || only.includes(part) ? parts[part] : parts[part].filter((name) => only.includes(name))
  return {
    service: chosen('service'),
    scale: chosen('scale'),
    servers: chosen('servers'),
  }
}

/** Runs the bench; `driverIn` creates the driver, which may write files to the folder that is passed. */
export const runBench = async (
  options: BenchOptions,
  driverIn: (directory: string) => LoadDriver,
  progress: (text: string) => void,
): Promise<BenchResults> => {
  const names = chosenNames(options.only)
  const directory = await mkdtemp(join(tmpdir(), 'publishing-bench-'))
  const forget = (): void => rmSync(directory, { recursive: true, force: true })
  process.once('exit', forget)
  const loadBefore = loadavg()[0] ?? 0
  const ifAny = async <A>(chosen: readonly string[], run: () => Promise<A>): Promise<A | null> =>
    chosen.length === 0 ? null : run()
  try {
    const driver = driverIn(directory)
    const service = await ifAny(names.service, () =>
      runService(options, names.service, driver, join(directory, 'data'), progress),
    )
    const scale = await ifAny(names.scale, () => runScale(options, names.scale, driver, progress))
    const servers = await ifAny(names.servers, () => runServers(options, names.servers, driver, progress))
    return {
      machine: {
        node: process.version,
        cores: availableParallelism(),
        loadBefore,
        loadAfter: loadavg()[0] ?? 0,
      },
      wrkVersion: driver.version,
      options,
      service,
      scale,
      servers,
    }
  } finally {
    process.off('exit', forget)
    await rm(directory, { recursive: true, force: true })
  }
}
