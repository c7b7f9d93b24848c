/** The command line of the chaos test: its options and their defaults. */
import { parseArgs } from 'node:util'

export const scenarioNames = ['kills', 'power-cuts', 'two-processes'] as const
export type ScenarioName = (typeof scenarioNames)[number]

export const storeChoices = ['embedded', 'servers', 'both'] as const
export type StoreChoice = (typeof storeChoices)[number]

export type ChaosOptions = {
  readonly only: readonly ScenarioName[]
  readonly stores: StoreChoice
  /** Kills of each scenario that kills. */
  readonly kills: number
  readonly powerCuts: number
  readonly seed: number
}

export const usage = `npm run chaos -- [options]

  --only A,B        only these scenarios: kills, power-cuts, two-processes (all)
  --stores NAME     embedded (SQLite and files), servers (FerretDB and MinIO) or both (embedded)
  --kills N         kills of each scenario that kills (200)
  --power-cuts N    simulated power cuts, on embedded stores alone (60)
  --seed N          the same random choices as the run that printed this seed
  --help            this text
`

const flags = {
  only: { type: 'string' },
  stores: { type: 'string' },
  kills: { type: 'string' },
  'power-cuts': { type: 'string' },
  seed: { type: 'string' },
  help: { type: 'boolean' },
} as const

const whole = (name: string, text: string | undefined, fallback: number, least: number): number => {
  const value = Number(text ?? fallback)
  if (!Number.isInteger(value) || value < least)
    throw new Error(`--${name} must be a whole number from ${least} up`)
  return value
}

const oneOf = <A extends string>(name: string, text: string, names: readonly A[]): A => {
  const found = names.find((each) => each === text)
  if (found === undefined) throw new Error(`--${name} must be one of ${names.join(', ')}, not ${text}`)
  return found
}

/** The options of a command line, or that help is wanted. Throws an Error with words for the person who typed it. */
export const readOptions = (commandLine: readonly string[]): ChaosOptions | 'help' => {
  const { values } = parseArgs({ args: [...commandLine], options: flags, strict: true })
  if (values.help === true) return 'help'
  const only = values.only?.split(',').map((name) => oneOf('only', name, scenarioNames))
  return {
    only: only ?? scenarioNames,
    stores: oneOf('stores', values.stores ?? 'embedded', storeChoices),
    kills: whole('kills', values.kills, 200, 1),
    powerCuts: whole('power-cuts', values['power-cuts'], 60, 1),
    seed: whole('seed', values.seed, Date.now() % 1_000_000, 1),
  }
}
