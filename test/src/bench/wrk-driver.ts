/** Sends a load with wrk. Its Lua program validates each response. */
import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Load, LoadDriver, LoadResult } from './load-driver.js'
import { threads, wrkScript } from './wrk-script.js'

type Counts = {
  readonly requests: number
  readonly micros: number
  readonly median: number
  readonly p99: number
  readonly wrong: number
  readonly broken: number
  readonly example: string
}

/** Seconds after which wrk counts a request without a response as broken. */
const timeout = 10

const run = (options: readonly string[], seconds: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn('wrk', options, { stdio: ['ignore', 'ignore', 'pipe'] })
    let errorText = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errorText += text
    })
    // wrk knows whole seconds only; on SIGINT it still writes its counts.
    const timer = Number.isInteger(seconds) ? null : setTimeout(() => child.kill('SIGINT'), seconds * 1000)
    child.once('error', reject)
    child.once('close', (code) => {
      if (timer !== null) clearTimeout(timer)
      if (code === 0) resolve()
      else reject(new Error(`wrk ended with ${code}: ${errorText.trim()}`))
    })
  })

/** `directory` contains its files. */
export const wrkDriver = (version: string, directory: string): LoadDriver => ({
  version,
  run: async (load: Load): Promise<LoadResult> => {
    const files = { expected: join(directory, 'expected-body'), result: join(directory, 'result.json') }
    const script = join(directory, 'load.lua')
    await writeFile(script, wrkScript(load, files))
    if (load.expected.body !== null) await writeFile(files.expected, load.expected.body)
    const connections = Math.max(load.connections, threads)
    const options = [
      `-t${threads}`,
      `-c${connections}`,
      `-d${Math.ceil(load.seconds)}s`,
      `--timeout=${timeout}s`,
    ]
    await run([...options, '-s', script, load.url], load.seconds)
    const counts = JSON.parse(await readFile(files.result, 'utf8')) as Counts
    return {
      requests: counts.requests,
      seconds: counts.micros / 1e6,
      latency: { median: counts.median / 1000, p99: counts.p99 / 1000 },
      wrong: counts.wrong,
      firstWrong: counts.example === '' ? null : counts.example,
      broken: counts.broken,
    }
  },
})
