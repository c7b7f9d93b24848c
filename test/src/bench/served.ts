/** Servers as separate processes: the service and the baseline servers. */
import { fork, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { exchange, type ReceivedResponse } from './exchange.js'

export type Served = {
  readonly name: ServerName
  readonly url: string
  readonly pid: number
  /** Seconds from the start of the process to its first 200. */
  readonly startSeconds: number
  /** Resolves when the process has ended. */
  readonly stop: () => Promise<void>
}

export const baselines = ['node:http'] as const
export type BaselineName = (typeof baselines)[number]
export type ServerName = 'service' | BaselineName

/** A baseline server, which responses every request with what it was sent last. */
export type Baseline = Served & {
  readonly name: BaselineName
  readonly answerWith: (response: ReceivedResponse) => Promise<void>
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const serviceProgram = here('../../../packages/composition-root/bin/start.js')
const baselineProgram = here('baseline-process.js')

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })

const running = new Set<ChildProcess>()
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')))

/** Resolves with the exit code when the process has ended. */
export const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode)
    else child.once('exit', (code) => resolve(code))
  })

/** Keeps a child from outliving this process. */
export const kept = (child: ChildProcess): ChildProcess => {
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** How long a server may take to its first 200, in milliseconds. */
const patience = 60_000
/** Between two requests whether it is ready, in milliseconds; what cold starts are exact to. */
const interval = 2

type IsReady = (status: number) => boolean

const isReady = async (url: string, path: string, isReadyAt: IsReady): Promise<boolean> => {
  try {
    return isReadyAt(
      (await exchange(url, { method: 'GET', path, headers: {}, body: null }, false, 5000)).status,
    )
  } catch (error) {
    if (
      error instanceof Error &&
      'code' in error &&
      (error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET')
    )
      return false
    throw error
  }
}

/** Whether the process responses so at all, before it ends or patience does. */
export const untilReady = async (
  child: ChildProcess,
  url: string,
  path: string,
  isReadyAt: IsReady = (status) => status === 200,
): Promise<boolean> => {
  const end = performance.now() + patience
  while (child.exitCode === null && child.signalCode === null && performance.now() < end) {
    if (await isReady(url, path, isReadyAt)) return true
    await pause(interval)
  }
  return false
}

/** A free port. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })

/** The machine's own variables and none that would configure the service. */
export const environment = (own: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => {
  const { PATH, HOME, TMPDIR } = process.env
  const machine = { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }) }
  return { ...machine, NODE_ENV: 'production', ...own }
}

/** What the service states where it doesn't start. */
const explain = (env: NodeJS.ProcessEnv): string => {
  const { stdout, stderr } = spawnSync(process.execPath, [serviceProgram], {
    env,
    encoding: 'utf8',
    timeout: 10_000,
  })
  return `${stderr}${stdout}`.trim()
}

/** Starts the service on a data folder, with these variables and flags of Node; by default as `npm start` does. */
export const startServedService = async (
  dataDirectory: string,
  own: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
  program = serviceProgram,
): Promise<Served> => {
  const port = await freePort()
  const env = environment({ RATE_LIMIT: 'off', ...own, DATA_DIR: dataDirectory, PORT: String(port) })
  const url = `http://127.0.0.1:${port}`
  const started = performance.now()
  // The log is written as always, to where it costs no disk.
  const child = kept(spawn(process.execPath, [...flags, program], { env, stdio: 'ignore' }))
  if (!(await untilReady(child, url, '/health/ready'))) {
    child.kill('SIGKILL')
    throw new Error(`The service did not start: ${explain(env)}`)
  }
  const startSeconds = (performance.now() - started) / 1000
  return {
    name: 'service',
    url,
    pid: child.pid ?? 0,
    startSeconds,
    stop: async () => {
      child.kill('SIGTERM')
      const code = await ended(child)
      if (code !== 0) throw new Error(`The service ended with ${code} after SIGTERM`)
    },
  }
}

const sent = (child: ChildProcess, response: ReceivedResponse): Promise<void> =>
  new Promise((resolve, reject) => {
    child.once('message', () => resolve())
    child.send({ ...response, body: response.body.toString('base64') }, (error) => {
      if (error !== null) reject(error)
    })
  })

const first: ReceivedResponse = {
  status: 200,
  headers: [['Content-Type', 'text/plain']],
  body: Buffer.from('ready'),
}

/** Starts a baseline server. */
export const startBaseline = async (name: BaselineName): Promise<Baseline> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const started = performance.now()
  const child = kept(fork(baselineProgram, [String(port)], { env: environment(), stdio: 'inherit' }))
  await sent(child, first)
  if (!(await untilReady(child, url, '/'))) throw new Error(`The bare ${name} server did not start`)
  return {
    name,
    url,
    pid: child.pid ?? 0,
    startSeconds: (performance.now() - started) / 1000,
    answerWith: (response) => sent(child, response),
    stop: async () => {
      child.disconnect()
      await ended(child)
    },
  }
}
