/** `npm run bench`: measures the service against bare servers; fails where answers are wrong, never because of a time. */
import { createRequire } from 'node:module'
import { writeFile } from 'node:fs/promises'
import { autocannonDriver } from './autocannon-driver.js'
import { wrkVersion, type LoadDriver } from './load-driver.js'
import { WrongAnswer } from './measure-load.js'
import { readOptions, usage, type BenchOptions } from './options.js'
import { report } from './report.js'
import { runBench } from './run-bench.js'
import { missedTargets } from './targets.js'
import { wrkDriver } from './wrk-driver.js'

/** sysexits.h */
const exitUsage = 64
const exitMissed = 2

const autocannonVersion = (): string =>
  (createRequire(import.meta.url)('autocannon/package.json') as { readonly version: string }).version

const driverFor = ({ driver, pinned }: BenchOptions): ((directory: string) => LoadDriver) => {
  const prefix = pinned ? ['taskset', '-c', '1'] : []
  const version = driver === 'autocannon' ? null : wrkVersion()
  if (version !== null) return (directory) => wrkDriver(version, directory, prefix)
  if (driver === 'wrk') throw new Error('wrk is not installed: `apt-get install wrk`, or leave out --driver')
  return () => autocannonDriver(autocannonVersion(), prefix)
}

const progress = (text: string): void => {
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : `${text}\n`)
}

const complain = (text: string, code: number): void => {
  process.stderr.write(`${process.stderr.isTTY ? '\r\u001b[K' : ''}${text}\n`)
  process.exitCode = code
}

const run = async (options: BenchOptions): Promise<void> => {
  const results = await runBench(options, driverFor(options), progress)
  if (process.stderr.isTTY) progress('')
  process.stdout.write(report(results))
  const missed = missedTargets(results)
  if (options.json !== null)
    await writeFile(options.json, `${JSON.stringify({ ...results, missed }, null, 2)}\n`)
  if (options.check && missed.length > 0) complain(`Not reached: ${missed.join(', ')}`, exitMissed)
}

const main = async (): Promise<void> => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  let options: BenchOptions | 'help'
  try {
    options = readOptions(process.argv.slice(2))
  } catch (error) {
    return complain(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`, exitUsage)
  }
  if (options === 'help') {
    process.stdout.write(usage)
    return
  }
  try {
    await run(options)
  } catch (error) {
    if (error instanceof WrongAnswer) return complain(`Wrong answer: ${error.message}`, 1)
    complain(
      `The bench failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      1,
    )
  }
}

await main()
