/** `npm run bench`: measures the service against baseline servers; fails if responses are wrong, never because of times. */
import { writeFile } from 'node:fs/promises'
import { wrkVersion, type LoadDriver } from './load-driver.js'
import { WrongResponse } from './measure-load.js'
import { readOptions, usage, type BenchOptions } from './options.js'
import { report } from './report.js'
import { runBench } from './run-bench.js'
import { missedTargets } from './targets.js'
import { wrkDriver } from './wrk-driver.js'

/** sysexits.h */
const exitUsage = 64
const exitMissed = 2

const driverIn = (directory: string): LoadDriver => {
  const version = wrkVersion()
  if (version === null) throw new Error('wrk is not installed: `apt-get install wrk`')
  return wrkDriver(version, directory)
}

const progress = (text: string): void => {
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : `${text}\n`)
}

const printError = (text: string, code: number): void => {
  process.stderr.write(`${process.stderr.isTTY ? '\r\u001b[K' : ''}${text}\n`)
  process.exitCode = code
}

const run = async (options: BenchOptions): Promise<void> => {
  const results = await runBench(options, driverIn, progress)
  if (process.stderr.isTTY) progress('')
  process.stdout.write(report(results))
  const missed = missedTargets(results)
  if (options.json !== null)
    await writeFile(options.json, `${JSON.stringify({ ...results, missed }, null, 2)}\n`)
  if (options.check && missed.length > 0) printError(`Not reached: ${missed.join(', ')}`, exitMissed)
}

const main = async (): Promise<void> => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  let options: BenchOptions | 'help'
  try {
    options = readOptions(process.argv.slice(2))
  } catch (error) {
    return printError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`, exitUsage)
  }
  if (options === 'help') {
    process.stdout.write(usage)
    return
  }
  try {
    await run(options)
  } catch (error) {
    if (error instanceof WrongResponse) return printError(`Wrong response: ${error.message}`, 1)
    printError(
      `The bench failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      1,
    )
  }
}

await main()
