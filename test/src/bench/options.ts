/** The command line of the bench: the meaning and default of each option. */
import { parseArgs } from 'node:util'
import { rowNames } from './rows.js'

export type BenchOptions = {
  readonly connections: number
  readonly rounds: number
  /** Length of a round of one server, in seconds. */
  readonly seconds: number
  /** Content objects that are stored before the first round. */
  readonly objects: number
  /** Locations of the largest publication that the rows on scale are measured on. */
  readonly largest: number
  readonly coldStarts: number
  /** Seconds without a request before the idle memory is read. */
  readonly quiet: number
  /** Whether the service writes a CPU profile, which covers the rows that run. */
  readonly profile: boolean
  /** The rows to run, or the parts that they belong to; all of them where empty. */
  readonly only: readonly string[]
  /** Where the results are written as JSON. */
  readonly json: string | null
  /** Whether a target that is not reached makes the exit code 2. */
  readonly check: boolean
}

export const usage = `npm run bench -- [options]

  --quick               one round of half a second, 300 objects: shows that the bench works, measures nothing
  --rounds N            rounds of each row (5)
  --seconds S           length of a round of one server (2)
  --connections N       connections that are kept open (32)
  --objects N           content objects in the store (10000)
  --largest N           locations of the largest publication of the rows named scale-… (1000000: 10 GB on disk,
                        which are kept in the user’s cache folder; 100000: 2 GB)
  --only A,B            only these rows: read, page-fresh, patch, create …, or all of service, scale or
                        servers; an unknown one shows all names
  --profile ROW         runs this row of the part service and writes a CPU profile of the service to ROW.cpuprofile
  --json FILE           write the results as JSON too
  --check               exit code 2 where a target is not reached; otherwise times never decide it
  --help                this text
`

const full = {
  connections: 32,
  rounds: 5,
  seconds: 2,
  objects: 10_000,
  largest: 1_000_000,
  coldStarts: 5,
  quiet: 5,
} as const
const quick = {
  connections: 8,
  rounds: 1,
  seconds: 0.5,
  objects: 300,
  largest: 1000,
  coldStarts: 1,
  quiet: 0.5,
} as const

const flags = {
  quick: { type: 'boolean' },
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  connections: { type: 'string' },
  objects: { type: 'string' },
  largest: { type: 'string' },
  only: { type: 'string' },
  profile: { type: 'string' },
  json: { type: 'string' },
  check: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

const amount = (name: string, text: string | undefined, fallback: number, least: number): number => {
  if (text === undefined) return fallback
  const value = Number(text)
  if (!Number.isFinite(value) || value < least) throw new Error(`--${name} must be a number from ${least} up`)
  return value
}

const whole = (name: string, text: string | undefined, fallback: number, least: number): number => {
  const value = amount(name, text, fallback, least)
  if (!Number.isInteger(value)) throw new Error(`--${name} must be a whole number`)
  return value
}

/** The options of a command line, or that help was requested. Throws an Error with a message for the user. */
export const readOptions = (commandLine: readonly string[]): BenchOptions | 'help' => {
  const { values } = parseArgs({ args: [...commandLine], options: flags, strict: true })
  if (values.help === true) return 'help'
  if (values.profile !== undefined && !rowNames.includes(values.profile))
    throw new Error(`--profile must be one of ${rowNames.join(', ')}`)
  const fallback = values.quick === true ? quick : full
  return {
    connections: whole('connections', values.connections, fallback.connections, 1),
    rounds: whole('rounds', values.rounds, fallback.rounds, 1),
    seconds: amount('seconds', values.seconds, fallback.seconds, 0.2),
    // Two pages at least, so that there is a next one.
    objects: whole('objects', values.objects, fallback.objects, 200),
    largest: whole('largest', values.largest, fallback.largest, 1000),
    coldStarts: fallback.coldStarts,
    quiet: fallback.quiet,
    only: (values.profile ?? values.only)?.split(',').filter((name) => name !== '') ?? [],
    profile: values.profile !== undefined,
    json: values.json ?? null,
    check: values.check === true,
  }
}
