/** Sources and targets of copies: an environment, and a service on it. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { runInSeries } from '../administration/command-series.js'
import type { DataFolder } from '../durability/data-folder.js'
import {
  connectionSettingsFor,
  copyFirstData,
  startTestService,
  type TestService,
} from '../harness/start-test-service.js'
import {
  adminProgram,
  compiledModule,
  runNode,
  type ProcessResult,
  type Environment,
} from '../start-up/program.js'
import { fillPublication } from './generated-publication.js'

/** Responses contain public URLs, so all services use the same. */
const shared = { BASE_URL: 'https://api.example.org', LOG_LEVEL: 'error' } as const

const now = Date.parse('2026-04-01T12:00:00Z')

export type Kinds = { readonly STORE: string; readonly BLOBS: string }

export type Readers = { readonly admin: string; readonly visitor: string }

export type CopySide = {
  readonly environment: Environment
  /** A file with the variables of the environment. */
  readonly file: string
}

/** Writes the variables to a file in a directory. */
export const writeSide = async (
  folder: DataFolder,
  name: string,
  environment: Environment,
): Promise<CopySide> => {
  const file = join(folder.path, `${name}.env`)
  await writeFile(
    file,
    Object.entries(environment)
      .map(([key, value]) => `${key}=${value}\n`)
      .join(''),
  )
  return { environment, file }
}

/** Creates stores in a temporary directory and on the servers. */
export const makeSide = async (folder: DataFolder, name: string, kinds: Kinds): Promise<CopySide> => {
  const DATA_DIR = join(folder.path, name)
  await mkdir(DATA_DIR)
  const environment = { DATA_DIR, ...kinds, ...(await connectionSettingsFor(kinds)) }
  return writeSide(folder, name, environment)
}

/** Starts a service. All services have the same time. */
export const serviceOn = async ({ environment }: CopySide): Promise<TestService> => {
  const service = await startTestService({ ...shared, ...environment })
  service.clock.set(now)
  return service
}

/** Fills the stores, and returns tokens that were issued before the copy. */
export const fill = async (side: CopySide, objects: number): Promise<Readonly<Record<1 | 2, Readers>>> => {
  const { DATA_DIR = '', STORE, BLOBS } = side.environment
  if (STORE === 'sqlite' && BLOBS === 'filesystem') await copyFirstData(DATA_DIR)
  const service = await startTestService({ ...shared, ...side.environment })
  try {
    const home = await fillPublication(service, objects)
    expect(home.number).to.equal(2)
    service.clock.set(now)
    const readersOf = async (instance: number): Promise<Readers> => ({
      admin: await service.tokenFor('admin', instance),
      visitor: await service.tokenFor('public_user', instance),
    })
    return { 1: await readersOf(1), 2: await readersOf(2) }
  } finally {
    await service.stop()
  }
}

const command = (from: CopySide, to: CopySide): readonly string[] => [
  'storage',
  'copy',
  '--from',
  from.file,
  '--to',
  to.file,
  '--json',
]

export const copy = (from: CopySide, to: CopySide): Promise<ProcessResult> =>
  runInSeries({}, ...command(from, to))

/** An admin command that executes a statement once its standard error matches. */
const commandWith = (
  trigger: RegExp,
  statement: string,
  args: readonly string[],
  environment: Environment = {},
): Promise<ProcessResult> => {
  const module = compiledModule('cli', 'admin.js')
  const script = `const write = process.stderr.write.bind(process.stderr)
    process.stderr.write = (text) => {
      write(text)
      if (${trigger}.test(text)) { ${statement} }
      return true
    }
    import(${JSON.stringify(pathToFileURL(module).href)}).then(({ admin }) => admin())`
  return runNode(['-e', script, '--', module, ...args], { ...environment, LOG_LEVEL: 'error' }).ended
}

/** An admin command that is killed at this moment. */
export const commandKilledAt = (
  trigger: RegExp,
  args: readonly string[],
  environment: Environment,
): Promise<ProcessResult> => commandWith(trigger, "process.kill(process.pid, 'SIGKILL')", args, environment)

/** A copy that is killed at this moment. */
export const copyAndKillAt = (trigger: RegExp, from: CopySide, to: CopySide): Promise<ProcessResult> =>
  commandKilledAt(trigger, command(from, to), {})

/** A copy that runs an admin command on its source at this moment. */
export const copyWithCommandAt = (
  trigger: RegExp,
  args: readonly string[],
  from: CopySide,
  to: CopySide,
): Promise<ProcessResult> => {
  const parameters = JSON.stringify([adminProgram, ...args])
  const options = JSON.stringify({ env: from.environment })
  return commandWith(
    trigger,
    `require('node:child_process').execFileSync(process.execPath, ${parameters}, ${options})`,
    command(from, to),
  )
}
