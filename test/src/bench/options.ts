/** The command line of the bench. */
import { parseArgs } from 'node:util'
import { sampleFrom } from '@publishing-service/conformance'
import { serverRows, serviceRows, workerRows } from './rows.js'
import { scaleRows, serverScaleRows } from './scale.js'

/** Cold start, idle and peak memory. */
export const costsName = 'costs'

const namesOf = (list: readonly { readonly name: string }[]): readonly string[] =>
  list.map(({ name }) => name)
const parts: Readonly<Record<string, readonly string[]>> = {
  service: [...namesOf(serviceRows), costsName],
  scale: namesOf(scaleRows),
  workers: namesOf(workerRows),
  servers: namesOf(serverRows),
  'servers-scale': namesOf(serverScaleRows),
}

export const usage = `npm run bench -- [options]

  --only A,B     only these rows, or all rows of a part
  --rounds N     rounds of each row (5)
  --seconds S    length of a round of one server (2)
  --largest N    objects of the largest publication of the scale rows (1000000: 10 GB in the user’s cache folder, and 14
                 in that of temporary files if they are measured on PostgreSQL)
  --quick        small publications: validates the responses of some rows of two parts, measures no costs
  --profile ROW  runs this row and writes a CPU profile of the service to ROW.cpuprofile

${Object.entries(parts)
  .map(([part, names]) => `${part}: ${names.join(', ')}`)
  .join('\n')}
`

/** The number of parts that a quick run chooses, and of rows in each. */
const [quickParts, quickRows] = [2, 3]

const numberOf = (text: string): number => {
  const value = Number(text)
  if (value > 0) return value
  throw new Error(`${text} is not a number above 0`)
}

/** The options of a command line; null if help was requested. Throws an Error with a message for the user. */
export const readOptions = (args: readonly string[]) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      largest: { type: 'string', default: '1000000' },
      profile: { type: 'string' },
      quick: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  const { only, rounds, seconds, largest, profile = null, quick } = values
  const chosen = profile ?? only
  const all = Object.values(parts)
  const usual = quick ? sampleFrom(all, quickParts).map((part) => sampleFrom(part, quickRows)) : all
  const names = new Set(chosen?.split(',').flatMap((name) => parts[name] ?? [name]) ?? usual.flat())
  const unknown = [...names].filter((name) => !Object.values(parts).flat().includes(name))
  if (unknown.length > 0) throw new Error(`There is no row ${unknown.join(', ')}.\n\n${usage}`)
  const numbers = { rounds: numberOf(rounds), seconds: numberOf(seconds), largest: numberOf(largest) }
  return { names, profile, quick, ...numbers }
}

export type Options = NonNullable<ReturnType<typeof readOptions>>
