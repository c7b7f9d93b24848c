/** `npm run chaos`: kills, power cuts, and kills of one of two processes, under load. Fails if a write is lost. */
import { seededRandom } from '../durability/random.js'
import { embeddedStores, serverStores } from './chaos-stores.js'
import { readOptions, usage, type ChaosOptions } from './options.js'
import { scenarios } from './run-chaos-test.js'

/** sysexits.h */
const exitUsage = 64

/** Kills until the scenario continues on empty stores. FerretDB reads whole collections, so each round is slower. */
const killsOnServers = 10

const progress = (text: string): void => {
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : `${text}\n`)
}

const storesOf = {
  embedded: [embeddedStores],
  servers: [serverStores],
  both: [embeddedStores, serverStores],
} as const

/** Whether all scenarios ended without findings. */
const run = async ({ only, stores, kills, powerCuts, seed }: ChaosOptions): Promise<boolean> => {
  let isClean = true
  for (const open of storesOf[stores])
    for (const name of only) {
      // The disks of servers can’t be recorded.
      if (name === 'power-cuts' && open === serverStores) continue
      const total = name === 'power-cuts' ? powerCuts : kills
      const batch = open === serverStores ? killsOnServers : total
      for (let done = 0; done < total; done += batch) {
        const opened = await open()
        const title = `${name} on ${opened.name}`
        const { findings, summary } = await scenarios[name]({
          stores: opened,
          rounds: Math.min(batch, total - done),
          random: seededRandom(seed + done / batch),
          progress: (text) => progress(`${title}: ${text}`),
        })
        process.stdout.write(`\n${title}: ${summary}\n`)
        if (findings.length === 0) {
          await opened.remove()
          continue
        }
        for (const finding of findings.slice(0, 20)) process.stdout.write(`  ${finding.slice(0, 2000)}\n`)
        process.stdout.write(`The data is in ${opened.folder}\n`)
        isClean = false
        break
      }
    }
  return isClean
}

const main = async (): Promise<void> => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  let options: ChaosOptions | 'help'
  try {
    options = readOptions(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    process.exitCode = exitUsage
    return
  }
  if (options === 'help') {
    process.stdout.write(usage)
    return
  }
  progress(`Repeat with the same random choices: npm run chaos -- --seed ${options.seed}\n`)
  if (!(await run(options))) process.exitCode = 1
}

await main()
