/**
 * A series of admin commands, and of starts of the service that fail, in one process. It is separate from that of the
 * tests, lives as long, and is shared by all files of tests that run there.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { environmentOf, type Environment, type ProcessResult } from '../start-up/program.js'

export type ProgramRequest = {
  readonly program: 'admin' | 'start'
  readonly args: readonly string[]
  readonly environment: NodeJS.ProcessEnv
}

const processModule = fileURLToPath(new URL('series-process.js', import.meta.url))

let running: ChildProcess | null = null
let last: Promise<unknown> = Promise.resolve()

const startProcess = (): ChildProcess => {
  const child = fork(processModule, { execArgv: [] })
  // It does not delay the end of the tests.
  child.unref()
  process.once('exit', () => child.kill('SIGKILL'))
  child.once('exit', () => (running = null))
  return child
}

const send = async (request: ProgramRequest): Promise<ProcessResult> => {
  const child = (running ??= startProcess())
  const settled = new AbortController()
  const { signal } = settled
  const ended = once(child, 'exit', { signal }).then((): never => {
    throw new Error('the process of the commands has ended')
  })
  child.channel?.ref()
  child.send(request)
  try {
    const [result] = await Promise.race([once(child, 'message', { signal }), ended])
    return result as ProcessResult
  } finally {
    child.channel?.unref()
    ended.catch(() => undefined)
    settled.abort()
  }
}

const runAfterEarlier = (
  program: ProgramRequest['program'],
  environment: Environment,
  args: readonly string[],
): Promise<ProcessResult> => {
  const request = { program, args, environment: environmentOf({ LOG_LEVEL: 'error', ...environment }) }
  const result = last.then(() => send(request))
  last = result.catch(() => undefined)
  return result
}

/** Runs an admin command after the earlier ones. */
export const runInSeries = (environment: Environment, ...args: readonly string[]): Promise<ProcessResult> =>
  runAfterEarlier('admin', environment, args)

/** Starts the service, on a free port unless the environment sets one. The start must fail, or print something and end. */
export const startInSeries = (environment: Environment, ...args: readonly string[]): Promise<ProcessResult> =>
  runAfterEarlier('start', { PORT: '0', ...environment }, args)
