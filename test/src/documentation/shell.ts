/** Runs commands of documents in bash, as their readers do. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { configurationTable } from '@publishing-service/composition-root'

type Environment = Readonly<Record<string, string | undefined>>
type Place = { readonly directory: string; readonly environment?: Environment }

const isOurs = (name: string): boolean => Object.hasOwn(configurationTable, name.replace(/_FILE$/, ''))

/** A reader's: without what this process was configured with, and without what npm hands down to its scripts. */
const environmentOf = ({ environment = {} }: Place): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !isOurs(name) && !/^npm_/i.test(name)),
  ),
  ...environment,
})

const start = (script: string, place: Place): ChildProcess =>
  // A group of its own, so that what bash and npm start can be ended with them.
  spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: place.directory,
    env: environmentOf(place),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })

const collected = (child: ChildProcess): { out: string; error: string } => {
  const texts = { out: '', error: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (texts.out += text.replaceAll('\r', '')))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (texts.error += text))
  return texts
}

/** What a script prints on its standard output. Throws where a command of it fails, with all that was printed. */
export const runScript = async (script: string, place: Place): Promise<string> => {
  const child = start(script, place)
  const texts = collected(child)
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0)
    throw new Error(`bash ended with ${code}.\nPrinted:\n${texts.out}\nOn standard error:\n${texts.error}`)
  return texts.out
}

const mark = '=== end of a block ==='

/** Runs blocks one after the other in one shell, and answers what each printed. */
export const runBlocks = async (blocks: readonly string[], place: Place): Promise<readonly string[]> => {
  const script = blocks.map((block) => `${block}\necho; echo '${mark}'`).join('\n')
  return (await runScript(script, place)).split(`\n${mark}\n`).slice(0, blocks.length)
}

export type RunningService = {
  readonly url: string
  /** What it printed when it had started, without npm's own lines. */
  readonly welcome: string
  readonly stop: () => Promise<void>
}

/** A command as on a terminal, which `script` of util-linux is. */
export const onTerminal = (command: string): string =>
  `exec script --quiet --return --command '${command}' /dev/null`

const listening = /The publishing service listens on (http:\/\/\S+)/

/** Starts the service as a document says, on a free port, and waits until it has said its welcome. */
export const startByCommand = async (command: string, place: Place): Promise<RunningService> => {
  const child = start(command, { ...place, environment: { ...place.environment, PORT: '0' } })
  const texts = collected(child)
  const ended = once(child, 'close')
  const welcomed = new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      // The welcome is written at once; an empty line is its last.
      const url = listening.exec(texts.out)?.[1]
      if (url !== undefined && texts.out.endsWith('\n\n')) resolve(url)
    })
    void ended.then(() => reject(new Error(`the service ended:\n${texts.out}\n${texts.error}`)))
  })
  const url = await welcomed
  return {
    url,
    welcome: texts.out.slice(texts.out.indexOf('The publishing service')),
    stop: async () => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
      await ended
    },
  }
}
