/** Measures rows on a setup: their ratios to the baseline, and what the service costs at its start and in memory. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { memoryOf } from '../harness/process-use.js'
import { baselineSideOf, measureRounds, sideOf, type Rounds } from './measure.js'
import { costsName, type Options } from './options.js'
import { startBaseline, startServiceProcess, type Variables } from './processes.js'
import { createPublication } from './publication.js'
import { rows, type SetupRow } from './rows.js'
import { setups, type SetupName } from './setups.js'

export type RowResult = { readonly row: SetupRow; readonly service: Rounds; readonly baseline: Rounds }

type Starts = Readonly<Record<'service' | 'baseline', readonly number[]>>
/** Cold starts in seconds, on data that exists and code that is built; memory in bytes, NaN if unknown. */
export type Costs = Starts & { readonly idle: number; readonly peak: number }

const full = { articles: Infinity, fileSize: Infinity, coldStarts: 5, quietSeconds: 5 } as const
const quick = { articles: 100, fileSize: 1024 * 1024, coldStarts: 1, quietSeconds: 0 } as const

/** Starts the service and the baseline alternately. */
const measureStarts = async (variables: Variables, baseline: string, times: number): Promise<Starts> => {
  const seconds: Record<'service' | 'baseline', number[]> = { service: [], baseline: [] }
  for (let time = 0; time <= times; time += 1) {
    const service = await startServiceProcess(variables)
    await service.stop()
    const bare = await startBaseline(baseline)
    await bare.stop()
    // The first start after the data was written reads it from the disk.
    if (time === 0) continue
    seconds.service.push(service.startSeconds)
    seconds.baseline.push(bare.startSeconds)
  }
  return seconds
}

export const measureRows = async (name: SetupName, options: Options, progress: (text: string) => void) => {
  const { names, profile } = options
  const setup = setups[name]
  const size = options.quick ? quick : full
  const closings: (() => Promise<void>)[] = []
  try {
    const directory = await mkdtemp(join(tmpdir(), 'publishing-bench-'))
    closings.push(() => rm(directory, { recursive: true, force: true }))
    const opened = await setup.open()
    closings.push(opened.close)
    const variables = { ...opened.variables, DATA_DIR: directory }
    progress('creating a publication')
    const articles = Math.min(setup.articles, size.articles)
    const fileSize = Math.min(setup.fileSize, size.fileSize)
    const publication = await createPublication(variables, articles, fileSize)
    const hasCosts = name === 'sqlite' && names.has(costsName)
    progress('starting the service')
    const starts = hasCosts ? await measureStarts(variables, setup.baseline, size.coldStarts) : null
    const flags = profile === null ? [] : ['--cpu-prof', `--cpu-prof-name=${profile}.cpuprofile`]
    const service = await startServiceProcess(variables, flags)
    closings.push(service.stop)
    const baseline = await startBaseline(setup.baseline, variables)
    closings.push(baseline.stop)
    if (hasCosts) await setTimeout(size.quietSeconds * 1000)
    const { resident: idle = Number.NaN } = (await memoryOf(service.pid)) ?? {}
    const results: RowResult[] = []
    for (const row of rows[name].filter((each) => names.has(each.name))) {
      progress(row.name)
      const side = await sideOf(service, row.requests(publication), row)
      const sides = [side, await baselineSideOf(baseline, side)]
      const [measured = [], bare = []] = await measureRounds(sides, setup.connections, options)
      results.push({ row, service: measured, baseline: bare })
    }
    const { peak = Number.NaN } = (await memoryOf(service.pid)) ?? {}
    const costs: Costs | null = starts === null ? null : { ...starts, idle, peak }
    return { results, costs }
  } finally {
    for (const close of closings.toReversed()) await close()
  }
}
