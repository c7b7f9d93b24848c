/** `npm run chaos`: kills, power cuts, and kills of one of two processes, under load. Fails if a write is lost. */
import { seededRandom } from '../durability/random.js'
import { readOptions, usage, type ChaosOptions } from './options.js'
import { isClean, report } from './report.js'
import { scenarios, type ChaosResult } from './run-chaos-test.js'
import { embeddedStores, serverStores, type ChaosStores } from './chaos-stores.js'

/** sysexits.h */
const exitUsage = 64

const progress = (text: string): void => {
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : `${text}\n`)
}

const printError = (text: string, code: number): void => {
  process.stderr.write(`${text}\n`)
  process.exitCode = code
}

const storesOf: Readonly<Record<ChaosOptions['stores'], readonly (() => Promise<ChaosStores>)[]>> = {
  embedded: [embeddedStores],
  servers: [serverStores],
  both: [embeddedStores, serverStores],
}

/** Kills after which a scenario continues with empty stores, because FerretDB reads whole collections: each check is slower. */
const killsOnServers = 10

const batchesOf = (rounds: number, most: number): readonly number[] =>
  Array.from({ length: Math.ceil(rounds / most) }, (_, index) => Math.min(most, rounds - index * most))

const combined = (one: ChaosResult, other: ChaosResult): ChaosResult => ({
  ...one,
  rounds: one.rounds + other.rounds,
  kinds: new Map(
    [...one.kinds.keys(), ...other.kinds.keys()].map((kind) => [
      kind,
      (one.kinds.get(kind) ?? 0) + (other.kinds.get(kind) ?? 0),
    ]),
  ),
  refused: one.refused + other.refused,
  findings: [...one.findings, ...other.findings],
  faults: [...one.faults, ...other.faults],
  orphans: one.orphans + other.orphans,
  seconds: one.seconds + other.seconds,
})

const run = async ({
  only,
  stores,
  kills,
  powerCuts,
  seed,
}: ChaosOptions): Promise<readonly ChaosResult[]> => {
  const results: ChaosResult[] = []
  for (const open of storesOf[stores])
    for (const name of only) {
      // The disks of servers are not ours to record.
      if (name === 'power-cuts' && open !== embeddedStores) continue
      const rounds = name === 'power-cuts' ? powerCuts : kills
      const batches = batchesOf(rounds, open === serverStores ? killsOnServers : rounds)
      let whole: ChaosResult | null = null
      for (const [index, batch] of batches.entries()) {
        const opened = await open()
        const random = seededRandom(seed + index)
        const result = await scenarios[name]({ stores: opened, rounds: batch, random, progress })
        whole = whole === null ? result : combined(whole, result)
        if (isClean(result)) await opened.remove()
        else progress(`The data is in ${opened.folder}\n`)
        if (!isClean(result)) break
        if (batches.length > 1) progress(`${name} on ${opened.name}: ${whole.rounds} of ${rounds} in total\n`)
      }
      if (whole !== null) results.push(whole)
    }
  return results
}

const main = async (): Promise<void> => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  let options: ChaosOptions | 'help'
  try {
    options = readOptions(process.argv.slice(2))
  } catch (error) {
    return printError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`, exitUsage)
  }
  if (options === 'help') return void process.stdout.write(usage)
  progress(`Repeat with the same random choices: npm run chaos -- --seed ${options.seed}\n`)
  const results = await run(options)
  process.stdout.write(`\n${report(results)}`)
  if (!results.every(isClean)) process.exitCode = 1
}

await main()
