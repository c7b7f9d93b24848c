/**
 * The service as whoever runs it has it: a process of its own on a data folder, started by the program behind
 * `npm start`, which can be asked to end, or killed.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile, readdir } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { isJsonObject } from '@publishing-service/domain'
import { createApi, type Api } from '../harness/http-client.js'
import { adminProgram, startProgram } from '../start-up/program.js'

export type Environment = Readonly<Record<string, string>>

export type ServiceProcess = {
  readonly pid: number
  readonly url: string
  /** What it has written until now: lines of the log, and complaints. */
  readonly output: () => readonly string[]
  /** The lines that tell of a defect. */
  readonly defects: () => readonly string[]
  /** SIGKILL; resolves when the process is gone. */
  readonly kill: () => Promise<void>
  /** SIGTERM; resolves with the exit code. */
  readonly stop: () => Promise<number | null>
}

/** The key that the first start on an empty folder makes. */
export const bootstrapKey = { key: 'durability', secret: 'a-secret-of-the-durability-tests' } as const

/** The processes that run, each with a promise of its end, when all that it wrote has been read. */
const running = new Map<ChildProcess, Promise<unknown>>()

process.once('exit', () => running.forEach((_end, child) => child.kill('SIGKILL')))

/** The machine's own variables and none that would configure the service. */
const environmentOf = (dataDirectory: string, own: Environment): NodeJS.ProcessEnv => {
  const { PATH, HOME, TMPDIR } = process.env
  return {
    PATH,
    HOME,
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    DATA_DIR: dataDirectory,
    PORT: '0',
    LOG_LEVEL: 'warn',
    RATE_LIMIT: 'off',
    BOOTSTRAP_API_KEY: bootstrapKey.key,
    BOOTSTRAP_API_SECRET: bootstrapKey.secret,
    ...own,
  }
}

const start = (program: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess => {
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const end = once(child, 'close')
  running.set(child, end)
  void end.then(() => running.delete(child))
  return child
}

const ended = async (child: ChildProcess): Promise<number | null> => {
  await running.get(child)
  return child.exitCode
}

/** Kills what a failed test has left running, so that the tests can end and folders can go. */
export const killRemaining = async (): Promise<void> => {
  await Promise.all(
    [...running.keys()].map((child) => {
      child.kill('SIGKILL')
      return ended(child)
    }),
  )
}

const linesOf = (child: ChildProcess, hear: (line: string) => void): void => {
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null) createInterface({ input: stream }).on('line', hear)
}

/** Starts the service and resolves when it listens; rejects with what it said where it ends before that. */
export const startServiceProcess = (
  dataDirectory: string,
  environment: Environment = {},
): Promise<ServiceProcess> => {
  const child = start(startProgram, [], environmentOf(dataDirectory, environment))
  const lines: string[] = []
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> => {
    child.kill(signal)
    return ended(child)
  }
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the service ended: ${lines.join('\n')}`)))
    linesOf(child, (line) => {
      lines.push(line)
      const url = /listens on (http:\S+)$/.exec(line)?.[1]
      if (url === undefined) return
      resolve({
        pid: child.pid ?? 0,
        url,
        output: () => [...lines],
        defects: () => lines.filter((each) => each.includes('"defect"')),
        kill: async () => void (await end('SIGKILL')),
        stop: () => end('SIGTERM'),
      })
    })
  })
}

/** Starts the service and kills it after so many milliseconds, wherever it is by then. */
export const killWhileStarting = async (
  dataDirectory: string,
  milliseconds: number,
  environment: Environment = {},
): Promise<void> => {
  const child = start(startProgram, [], environmentOf(dataDirectory, environment))
  linesOf(child, () => undefined)
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds)
  await ended(child)
  clearTimeout(timer)
}

/** Runs admin commands on these stores; each answers its JSON, and rejects where it failed. */
export const adminOn =
  (dataDirectory: string, environment: Environment) =>
  async (...args: readonly string[]): Promise<unknown> => {
    const child = start(adminProgram, [...args, '--json'], environmentOf(dataDirectory, environment))
    const lines: string[] = []
    linesOf(child, (line) => lines.push(line))
    await once(child, 'close')
    if (child.exitCode !== 0) throw new Error(`admin ${args.join(' ')}: ${lines.join('\n')}`)
    return JSON.parse(lines.join('\n'))
  }

/** What an admin command on a data folder answered as JSON; rejects where it failed. */
export const runAdmin = (dataDirectory: string, ...args: readonly string[]): Promise<unknown> =>
  adminOn(dataDirectory, {})(...args)

/** An access token for a key, by default for the admin key of the first start. */
export const fetchToken = async (
  url: string,
  { key, secret }: { readonly key: string; readonly secret: string } = bootstrapKey,
): Promise<string> => {
  const form = { grant_type: 'client_credentials', api_key: key, api_secret: secret }
  const response = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
  const body: unknown = await response.json()
  if (!isJsonObject(body) || typeof body['access_token'] !== 'string')
    throw new Error(`no token: ${response.status} ${JSON.stringify(body)}`)
  return body['access_token']
}

/** Instance 1 of a service, as its admin. */
export const adminApi = async ({ url }: Pick<ServiceProcess, 'url'>): Promise<Api> =>
  createApi(`${url}/1`, await fetchToken(url))

/** How many files, sockets and pipes a process has open. */
export const openDescriptors = async (pid: number): Promise<number> =>
  (await readdir(`/proc/${pid}/fd`)).length

/** Bytes that a process has read and written until now, whatever from. */
export const bytesMoved = async (pid: number): Promise<number> => {
  const text = await readFile(`/proc/${pid}/io`, 'utf8')
  return [...text.matchAll(/^[rw]char: (\d+)$/gm)].reduce((sum, [, digits]) => sum + Number(digits), 0)
}
