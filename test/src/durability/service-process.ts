/**
 * The service as a separate process on a data directory, started by the program of `npm start`. It can be stopped
 * or killed.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile, readdir } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { isJsonObject } from '@publishing-service/domain/json'
import { createApi, type Api } from '../harness/http-client.js'
import { adminProgram, startProgram } from '../start-up/program.js'

export type Environment = Readonly<Record<string, string>>

type StopSignal = 'SIGINT' | 'SIGTERM'

export type ServiceProcess = {
  readonly pid: number
  readonly url: string
  /** The output until now: lines of the log and error messages. */
  readonly output: () => readonly string[]
  /** The log lines of defects. */
  readonly defects: () => readonly string[]
  /** Sends SIGKILL. Resolves when the process has ended. */
  readonly kill: () => Promise<void>
  /** Sends SIGINT, which waits for running requests only, or another signal. Resolves with the exit code. */
  readonly stop: (signal?: StopSignal) => Promise<number | null>
}

/** The key that the first start on an empty directory creates. */
export const bootstrapKey = { key: 'durability', secret: 'a-secret-of-the-durability-tests' } as const

/** The running processes, each with a promise that resolves when it has ended and its output is read. */
const running = new Map<ChildProcess, Promise<unknown>>()

process.once('exit', () => running.forEach((_end, child) => child.kill('SIGKILL')))

/** The variables of the machine, without those that configure the service. */
const environmentOf = (dataDirectory: string, variables: Environment): NodeJS.ProcessEnv => {
  const { PATH, HOME, TMPDIR } = process.env
  return {
    PATH,
    HOME,
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    DATA_DIR: dataDirectory,
    PORT: '0',
    LOG_LEVEL: 'warn',
    RATE_LIMIT: 'off',
    // It reads the photographs of the sample in a third of the time of the default.
    IMAGING: 'sharp',
    BOOTSTRAP_API_KEY: bootstrapKey.key,
    BOOTSTRAP_API_SECRET: bootstrapKey.secret,
    ...variables,
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

/** The last lines of services that have ended although nobody has stopped or killed them. */
const crashed: string[] = []

/** Returns these lines once. */
export const takeCrashes = (): readonly string[] => crashed.splice(0)

/** Kills processes that a failed test has left running, so that directories can be removed. */
export const killRemaining = async (): Promise<void> => {
  await Promise.all(
    [...running.keys()].map((child) => {
      child.kill('SIGKILL')
      return ended(child)
    }),
  )
}

const linesOf = (child: ChildProcess, onLine: (line: string) => void): void => {
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null) createInterface({ input: stream }).on('line', onLine)
}

/**
 * Starts the service and resolves when it listens. Rejects with its output if it ends before. `program` runs it, by default that
 * of `npm start`.
 */
export const startServiceProcess = (
  dataDirectory: string,
  environment: Environment = {},
  program = startProgram,
): Promise<ServiceProcess> => {
  const child = start(program, [], environmentOf(dataDirectory, environment))
  const lines: string[] = []
  let isEnding = false
  child.once('close', (code) => {
    if (!isEnding && child.signalCode !== 'SIGKILL')
      crashed.push(`a service ended with exit code ${String(code)}: ${lines.slice(-20).join('\n')}`)
  })
  const end = async (signal: 'SIGKILL' | StopSignal): Promise<number | null> => {
    isEnding = true
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
        stop: (signal = 'SIGINT') => end(signal),
      })
    })
  })
}

/** Starts the service and kills it after this many milliseconds, in any state. */
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

/** Runs admin commands on these stores. Each returns its JSON, and rejects if it fails. */
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

/** The JSON output of an admin command on a data directory. Rejects if it fails. */
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

/** A client for instance 1 of a service, as its admin. */
export const adminApi = async ({ url }: Pick<ServiceProcess, 'url'>): Promise<Api> =>
  createApi(`${url}/1`, await fetchToken(url))

/** The number of open files, sockets and pipes of a process. */
export const openDescriptors = async (pid: number): Promise<number> =>
  (await readdir(`/proc/${pid}/fd`)).length

/** The bytes that a process has read and written in total. */
export const bytesMoved = async (pid: number): Promise<number> => {
  const text = await readFile(`/proc/${pid}/io`, 'utf8')
  return [...text.matchAll(/^[rw]char: (\d+)$/gm)].reduce((sum, [, digits]) => sum + Number(digits), 0)
}
