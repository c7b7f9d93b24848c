/** The options of `npm run chaos` and their defaults. */
import { parseArgs } from 'node:util'

export const scenarioNames = ['kills', 'power-cuts', 'two-processes'] as const
const storeChoices = ['embedded', 'servers', 'both'] as const

export const usage = `npm run chaos -- [options]

  --only A,B        only these scenarios: kills, power-cuts, two-processes (all)
  --stores NAME     embedded (SQLite and files), servers (FerretDB and MinIO) or both (embedded)
  --kills N         number of kills in each scenario with kills (200)
  --power-cuts N    number of simulated power cuts, only on embedded stores (60)
  --seed N          the same random choices as the run that printed this seed
  --help            this text
`

const positiveInteger = (option: string, text: string): number => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${option} must be a positive integer`)
  return value
}

const oneOf = <A extends string>(option: string, names: readonly A[], text: string): A => {
  const found = names.find((name) => name === text)
  if (found === undefined) throw new Error(`--${option} must be one of ${names.join(', ')}, not ${text}`)
  return found
}

export type ChaosOptions = Exclude<ReturnType<typeof readOptions>, 'help'>

/** Throws an Error with a message for the user if the command line is invalid. */
export const readOptions = (args: readonly string[]) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: scenarioNames.join() },
      stores: { type: 'string', default: 'embedded' },
      kills: { type: 'string', default: '200' },
      'power-cuts': { type: 'string', default: '60' },
      seed: { type: 'string', default: String(1 + (Date.now() % 1_000_000)) },
      help: { type: 'boolean' },
    },
  })
  if (values.help === true) return 'help'
  return {
    only: values.only.split(',').map((name) => oneOf('only', scenarioNames, name)),
    stores: oneOf('stores', storeChoices, values.stores),
    kills: positiveInteger('kills', values.kills),
    powerCuts: positiveInteger('power-cuts', values['power-cuts']),
    seed: positiveInteger('seed', values.seed),
  }
}
