/** Sends a load with wrk, whose Lua program compares each response with the expected one. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { requestAt, type Requests, type Response } from './exchange.js'

type Load = {
  readonly url: string
  readonly requests: Requests
  /** All responses have its status, and a body of its size but for `spread` bytes; of the same bytes, if that is null. */
  readonly first: Response
  readonly spread: number | null
  readonly connections: number
  readonly seconds: number
}

const program = fileURLToPath(new URL('../../src/bench/load.lua', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'publishing-bench-'))
process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
const [requestFile, turnsFile, bodyFile] = [`${directory}/request`, `${directory}/turns`, `${directory}/body`]

/** Greater than the numbers of the articles that exist. */
let serial = 1_000_000

/** Reserves so many serials and returns the first of them. By default, more than there are requests in a load. */
export const reserveSerials = (count = 100_000_000): number => {
  serial += count
  return serial - count
}

const requestText = (url: string, requests: Requests): Buffer => {
  const { method, path, headers, body } = requests
  const filled = requestAt(requests, 0).body
  const length = filled === null ? {} : { 'Content-Length': String(Buffer.byteLength(filled)) }
  const lines = Object.entries({ Host: new URL(url).host, ...headers, ...length })
  const head = [`${method} ${path} HTTP/1.1`, ...lines.map((line) => line.join(': ')), '\r\n'].join('\r\n')
  return Buffer.concat([Buffer.from(head), Buffer.from(body ?? '')])
}

/** Runs wrk for any number of seconds: it knows whole ones only, but prints its counts on SIGINT too. */
const runWrk = async (options: readonly string[], env: NodeJS.ProcessEnv, seconds: number) => {
  const end = performance.now() + seconds * 1000
  const child = spawn('wrk', options, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child, 'spawn').catch((error: unknown) => {
    throw new Error('wrk is not installed: `apt-get install wrk`', { cause: error })
  })
  // A signal that arrives before wrk sleeps, or in another of its threads, does not wake it: so more than one is sent.
  const interrupts = setInterval(() => {
    if (performance.now() >= end) child.kill('SIGINT')
  }, 50)
  const output = await text(child.stdout)
  clearInterval(interrupts)
  return output
}

/** The number of responses, and 99 % of the times to them in milliseconds. Rejects if a response is wrong. */
export const runLoad = async (load: Load) => {
  const { url, requests, first, spread, connections, seconds } = load
  await writeFile(requestFile, requestText(url, requests))
  await writeFile(turnsFile, requests.turns.join('\n'))
  await writeFile(bodyFile, first.body)
  // Two threads keep the baseline busy.
  const threads = Math.min(connections, 2)
  const options = [`-t${threads}`, `-c${connections}`, '-d600s', '--timeout=10s', '-s', program, url]
  const env = {
    REQUEST_FILE: requestFile,
    TURNS_FILE: turnsFile,
    ...(spread === null ? { BODY_FILE: bodyFile } : {}),
    PATH: process.env['PATH'],
    THREADS: String(threads),
    FIRST_SERIAL: String(reserveSerials()),
    CHANGES: String(requests.turns.length > 0 || requests.body?.includes('{serial}') === true),
    STATUS: String(first.status),
    LEAST_BYTES: String(first.body.length - (spread ?? 0)),
    MOST_BYTES: String(first.body.length + (spread ?? 0)),
  }
  const output = await runWrk(options, env, seconds)
  const line = output.trimEnd().split('\n').at(-1) ?? ''
  const [count = 0, microseconds = 0, p99 = 0, wrong = 0, broken = 0] = line.split('\t').map(Number)
  if (wrong + broken > 0)
    throw new Error(`${requests.path}: ${wrong} wrong responses, and ${broken} without a response: ${line}`)
  return { count, seconds: microseconds / 1e6, p99: p99 / 1000 }
}
