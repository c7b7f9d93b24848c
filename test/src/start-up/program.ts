/**
 * The programs behind `npm start` and `npm run admin` as processes: what they print, how they end, and what they hear
 * in between. None outlives the tests.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Environment = Readonly<Record<string, string>>

/** What a program has printed, and its exit code; null where a signal ended it. */
export type Ending = { readonly code: number | null; readonly out: string; readonly error: string }

export type Program = {
  readonly child: ChildProcess
  readonly signal: (name: NodeJS.Signals) => void
  /** What stands on its standard output until now. */
  readonly out: () => string
  /** Resolves with the match once the standard output has one; rejects when the program ends before. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>
  readonly ended: Promise<Ending>
}

const repository = fileURLToPath(new URL('../../../', import.meta.url))

const running = new Map<ChildProcess, Environment>()
const kill = (isMeant: (environment: Environment) => boolean): void => {
  for (const [child, environment] of running) if (isMeant(environment)) child.kill('SIGKILL')
}
process.once('exit', () => kill(() => true))

/** The machine's own variables and none that would configure the service. */
const environmentOf = (own: Environment): NodeJS.ProcessEnv => {
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
  const ended = once(child, 'close').then(([code]): Ending => {
    running.delete(child)
    return { code: code as number | null, ...texts }
  })
  return {
    child,
    signal: (name) => void child.kill(name),
    out: () => texts.out,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(texts.out)
          if (match === null) return
          child.stdout.off('data', look)
          resolve(match)
        }
        child.stdout.on('data', look)
        look()
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

/** `npm start` itself, on a free port. */
export const runNpmStart = (environment: Environment): Program =>
  run('npm', ['start'], { PORT: '0', ...environment })

/** What `npm start` runs. */
export const startProgram = join(repository, 'packages', 'composition-root', 'bin', 'start.js')

/** `npm start -- …args`, on a free port unless the environment names one. */
export const runService = (environment: Environment, ...args: readonly string[]): Program =>
  runNode([startProgram, ...args], {
    PORT: '0',
    LOG_LEVEL: 'error',
    ...environment,
  })

/** What `npm run --silent admin` runs. */
export const adminProgram = join(repository, 'packages', 'cli', 'bin', 'admin.js')

/** `npm run --silent admin -- …args`, to its end. */
export const runAdmin = (environment: Environment, ...args: readonly string[]): Promise<Ending> =>
  runNode([adminProgram, ...args], { LOG_LEVEL: 'error', ...environment }).ended

export type RunningService = Program & {
  readonly url: string
  /** Ends it as a process manager does; resolves with how it ended. */
  readonly stop: () => Promise<Ending>
}

/** A service that has said its welcome. */
export const startedService = async (
  environment: Environment,
  ...args: readonly string[]
): Promise<RunningService> => {
  const program = runService(environment, ...args)
  const [, url = ''] = await program.printed(/listens on (http:\S+)\n[^]*\n\n/)
  return {
    ...program,
    url,
    stop: () => {
      program.signal('SIGTERM')
      return program.ended
    },
  }
}

/** Path of a compiled module of a package, for a test that loads it without the package’s programs. */
export const compiled = (name: 'composition-root' | 'cli', module: string): string =>
  join(repository, 'packages', name, 'dist', module)

/** A temporary folder for the data of one test, gone afterwards, with whatever still runs on it. */
export const withDirectory = async (work: (directory: string) => Promise<void>): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), 'publishing-programs-'))
  try {
    await work(directory)
  } finally {
    kill(({ DATA_DIR = '' }) => DATA_DIR.startsWith(directory))
    await rm(directory, { recursive: true, force: true })
  }
}

/** Says that an ending is one that its reader can act on: this code, these words, nothing of the inside. */
export const expectRefusal = (
  { code, out, error }: Ending,
  wanted: number,
  ...words: readonly RegExp[]
): void => {
  const all = `exit code ${code}\n${out}${error}`
  if (code !== wanted) throw new Error(`The exit code is not ${wanted}:\n${all}`)
  if (out !== '') throw new Error(`Something stands on the standard output:\n${all}`)
  if (/^\s+at |node:internal|\.[jt]s:\d/m.test(error)) throw new Error(`There is a stack:\n${all}`)
  for (const word of words) if (!word.test(error)) throw new Error(`It doesn’t say ${word}:\n${all}`)
}
