/** Servers as separate processes: the service and the baseline that it is compared with. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { PostgresqlServer } from '../../servers/dist/index.js'
import { processorSecondsOf } from '../harness/process-use.js'
import { startProgram } from '../start-up/program.js'
import { exchange, type Request } from './exchange.js'

export type Server = {
  readonly url: string
  readonly pid: number
  /** Seconds of processor time that it has used, with its database if that is a process; null if unknown. */
  readonly processorSeconds: () => Promise<number | null>
  /** Seconds from the start of the process to its first 200. */
  readonly startSeconds: number
  /** Resolves when the process has ended. */
  readonly stop: () => Promise<void>
}

export type Variables = Readonly<Record<string, string>>

const running = new Set<ChildProcess>()
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')))

/** Milliseconds to the first 200, and between two requests for it. */
const [patience, interval] = [60_000, 2]

const freePort = async (): Promise<string> => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  return typeof address === 'object' && address !== null ? String(address.port) : ''
}

const start = async (
  args: readonly string[],
  variables: Variables,
  ready: Request,
  database: PostgresqlServer | null = null,
): Promise<Server> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { PATH, HOME, TMPDIR = '/tmp' } = process.env
  const env = { PATH, HOME, TMPDIR, NODE_ENV: 'production', ...variables, PORT: port }
  const started = performance.now()
  // The log is written as always, to where it costs no disk.
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' })
  running.add(child)
  const ended = once(child, 'exit').finally(() => running.delete(child))
  const isReady = (): Promise<boolean> =>
    exchange(url, ready).then(
      ({ status }) => status === 200,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() - started > patience)
      throw new Error(`${args.join(' ')} did not start`)
    await setTimeout(interval)
  }
  const startSeconds = (performance.now() - started) / 1000
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    const [code, signal] = await ended
    if (code !== 0 && signal !== 'SIGTERM') throw new Error(`${args.join(' ')} ended with ${code}`)
  }
  const { pid = 0 } = child
  const processorSeconds = async (): Promise<number | null> => {
    const databasePid = database?.pid() ?? null
    const own = await processorSecondsOf(pid)
    const others = databasePid === null ? 0 : await processorSecondsOf(databasePid)
    return own === null || others === null ? null : own + others
  }
  return { url, pid, processorSeconds, startSeconds, stop }
}

const getOf = (path: string): Request => ({ method: 'GET', path, headers: {}, body: null })

/** Starts the service as `npm start` does, with these variables and flags of Node, possibly on a database. */
export const startServiceProcess = (
  variables: Variables,
  {
    flags = [],
    database = null,
  }: { readonly flags?: readonly string[]; readonly database?: PostgresqlServer | null } = {},
): Promise<Server> =>
  start([...flags, startProgram], { RATE_LIMIT: 'off', ...variables }, getOf('/health/ready'), database)

/** Starts the server without a service that rows are compared with. */
export const startBaseline = (): Promise<Server> =>
  start([fileURLToPath(new URL('baseline-process.js', import.meta.url))], {}, getOf('/'))

/** Starts the straight line on the data of a service. It is ready when it responds to the request. */
export const startStraightLine = (variables: Variables, ready: Request): Promise<Server> =>
  start([fileURLToPath(new URL('straight-line-process.js', import.meta.url))], variables, ready)
