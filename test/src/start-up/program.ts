/**
 * The programs of `npm start` and `npm run admin` as processes: output, exit code and signals. They are killed
 * with the tests.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Environment = Readonly<Record<string, string>>

/** The output of a program and its exit code; null if a signal ended it. */
export type ProcessResult = { readonly code: number | null; readonly out: string; readonly error: string }

export type Program = {
  readonly child: ChildProcess
  readonly signal: (name: NodeJS.Signals) => void
  /** The standard output until now. */
  readonly out: () => string
  /** Resolves with the first match on the standard output. Rejects if the program ends before. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>
  readonly ended: Promise<ProcessResult>
}

const repository = fileURLToPath(new URL('../../../', import.meta.url))

const running = new Map<ChildProcess, Environment>()
const kill = (isSelected: (environment: Environment) => boolean): void => {
  for (const [child, environment] of running) if (isSelected(environment)) child.kill('SIGKILL')
}
process.once('exit', () => kill(() => true))

/** The variables of the machine, without those that configure the service. */
export const environmentOf = (own: Environment): NodeJS.ProcessEnv => {
  const { PATH, HOME, TMPDIR } = process.env
  return { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }), ...own }
}

const run = (command: string, args: readonly string[], environment: Environment): Program => {
  const child = spawn(command, args, {
    cwd: repository,
    env: environmentOf(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.set(child, environment)
  const texts = { out: '', error: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.error += text))
  const ended = once(child, 'close').then(([code]): ProcessResult => {
    running.delete(child)
    return { code: code as number | null, ...texts }
  })
  return {
    child,
    signal: (name) => void child.kill(name),
    out: () => texts.out,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const match = pattern.exec(texts.out)
          if (match === null) return
          child.stdout.off('data', check)
          resolve(match)
        }
        child.stdout.on('data', check)
        check()
        void ended.then(({ code, error }) =>
          reject(new Error(`The program ended with ${code} and never printed ${pattern}: ${error}`)),
        )
      }),
    ended,
  }
}

/** Runs Node with these arguments. */
export const runNode = (args: readonly string[], environment: Environment): Program =>
  run(process.execPath, args, environment)

/** Runs `npm start` on a free port. */
export const runNpmStart = (environment: Environment): Program =>
  run('npm', ['start'], { PORT: '0', ...environment })

/** The program that `npm start` runs. */
export const startProgram = join(repository, 'packages', 'composition-root', 'bin', 'start.js')

/** Runs `npm start -- …args`, on a free port unless the environment sets one. */
export const runService = (environment: Environment, ...args: readonly string[]): Program =>
  runNode([startProgram, ...args], {
    PORT: '0',
    LOG_LEVEL: 'error',
    ...environment,
  })

/** The program that `npm run --silent admin` runs. */
export const adminProgram = join(repository, 'packages', 'cli', 'bin', 'admin.js')

/** Runs `npm run --silent admin -- …args` until it ends. */
export const runAdmin = (environment: Environment, ...args: readonly string[]): Promise<ProcessResult> =>
  runNode([adminProgram, ...args], { LOG_LEVEL: 'error', ...environment }).ended

export type RunningService = Program & {
  readonly url: string
  /** Stops it with SIGINT, which waits for running requests only, and resolves with its output and exit code. */
  readonly stop: () => Promise<ProcessResult>
}

/** Starts a service and waits for its welcome message. */
export const launchService = async (
  environment: Environment,
  ...args: readonly string[]
): Promise<RunningService> => {
  const program = runService(environment, ...args)
  const [, url = ''] = await program.printed(/listens on (http:\S+)\n[^]*\n\n/)
  return {
    ...program,
    url,
    stop: () => {
      program.signal('SIGINT')
      return program.ended
    },
  }
}

/** The path of a compiled module of a package, for tests that load it directly. */
export const compiledModule = (name: 'composition-root' | 'cli', module: string): string =>
  join(repository, 'packages', name, 'dist', module)

/** Runs the work in a temporary data directory. Afterwards kills processes that use it, and removes it. */
export const withDirectory = async (work: (directory: string) => Promise<void>): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), 'publishing-programs-'))
  try {
    await work(directory)
  } finally {
    kill(({ DATA_DIR = '' }) => DATA_DIR.startsWith(directory))
    await rm(directory, { recursive: true, force: true })
  }
}

/** Expects this exit code and message on standard error, without internals. */
export const expectFailure = (
  { code, out, error }: ProcessResult,
  expectedCode: number,
  ...patterns: readonly RegExp[]
): void => {
  const all = `exit code ${code}\n${out}${error}`
  if (code !== expectedCode) throw new Error(`The exit code is not ${expectedCode}:\n${all}`)
  if (out !== '') throw new Error(`The standard output is not empty:\n${all}`)
  if (/^\s+at |node:internal|\.[jt]s:\d/m.test(error)) throw new Error(`There is a stack:\n${all}`)
  for (const pattern of patterns)
    if (!pattern.test(error)) throw new Error(`The message does not match ${pattern}:\n${all}`)
}
