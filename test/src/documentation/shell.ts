/** Runs commands of documents in bash. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { configurationTable } from '@publishing-service/composition-root'

type Environment = Readonly<Record<string, string | undefined>>
type ShellOptions = { readonly directory: string; readonly environment?: Environment }

const isServiceVariable = (name: string): boolean =>
  Object.hasOwn(configurationTable, name.replace(/_FILE$/, ''))

/**
 * The environment of a reader: without the configuration of this process, and without the variables that npm sets.
 */
const environmentOf = ({ environment = {} }: ShellOptions): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !isServiceVariable(name) && !/^npm_/i.test(name)),
  ),
  ...environment,
})

const start = (script: string, options: ShellOptions): ChildProcess =>
  // A separate process group, so that child processes of bash and npm can be stopped too.
  spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: options.directory,
    env: environmentOf(options),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })

const collectOutput = (child: ChildProcess): { out: string; error: string } => {
  const texts = { out: '', error: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (texts.out += text.replaceAll('\r', '')))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (texts.error += text))
  return texts
}

/** Ends a process group; nothing if all of its processes have ended. */
const stopGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGTERM')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** The standard output of a script. Throws with the whole output if a command fails. */
export const runScript = async (script: string, options: ShellOptions): Promise<string> => {
  const child = start(script, options)
  const texts = collectOutput(child)
  const closed = once(child, 'close')
  const [code] = (await once(child, 'exit')) as [number | null]
  // What it has started in the background would hold its output open.
  if (child.pid !== undefined) stopGroup(child.pid)
  await closed
  if (code !== 0)
    throw new Error(`bash ended with ${code}.\nPrinted:\n${texts.out}\nOn standard error:\n${texts.error}`)
  return texts.out
}

const mark = '=== end of a block ==='

/** Runs blocks in one shell, one after the other. Returns the output of each. */
export const runBlocks = async (
  blocks: readonly string[],
  options: ShellOptions,
): Promise<readonly string[]> => {
  const script = blocks.map((block) => `${block}\necho; echo '${mark}'`).join('\n')
  return (await runScript(script, options)).split(`\n${mark}\n`).slice(0, blocks.length)
}

export type RunningService = {
  readonly url: string
  /** The output at its start, without npm’s own lines. */
  readonly welcome: string
  readonly stop: () => Promise<void>
}

/** Runs a command on a pseudo-terminal, with `script` of util-linux. */
export const onTerminal = (command: string): string =>
  `exec script --quiet --return --command '${command}' /dev/null`

const listening = /The publishing service listens on (http:\/\/\S+)/

/** Starts the service with a command of a document, on a free port, and waits for its welcome message. */
export const startByCommand = async (command: string, options: ShellOptions): Promise<RunningService> => {
  const child = start(command, { ...options, environment: { ...options.environment, PORT: '0' } })
  const texts = collectOutput(child)
  const ended = once(child, 'close')
  const welcomed = new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      // The welcome of a first start ends with a command and an empty line. It may arrive in several parts.
      const url = listening.exec(texts.out)?.[1]
      if (url !== undefined && /\ncurl [^\n]*\n\n/.test(texts.out)) resolve(url)
    })
    void ended.then(() => reject(new Error(`the service ended:\n${texts.out}\n${texts.error}`)))
  })
  const url = await welcomed
  return {
    url,
    welcome: texts.out.slice(texts.out.indexOf('The publishing service')),
    stop: async () => {
      if (child.pid !== undefined && child.exitCode === null) stopGroup(child.pid)
      await ended
    },
  }
}
