/**
 * The fuzzer, Schemathesis, in the versions of test/fuzz/requirements.txt. It is installed once into a virtual
 * environment in the user’s cache directory. The directory’s name contains a digest of the requirements.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Its settings and pinned versions. */
export const fuzzFolder = fileURLToPath(new URL('../../fuzz/', import.meta.url))

const requirements = join(fuzzFolder, 'requirements.txt')

const installInstructions =
  'Fuzzing needs Python 3.10 or later with venv. On Debian: apt-get install python3 python3-venv, then npm run fuzz'

const succeeds = (program: string, args: readonly string[], quiet: boolean): Promise<boolean> => {
  // Its output goes to standard error, so that standard output contains the result only.
  const stdio = quiet ? 'ignore' : process.stderr.fd
  const child = spawn(program, args, { stdio: ['ignore', stdio, stdio] })
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}

const environmentFolder = async (): Promise<string> => {
  const base = process.env['XDG_CACHE_HOME']
  const cache = base !== undefined && base !== '' ? base : join(homedir(), '.cache')
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
  return join(cache, 'publishing-service', `fuzzer-${digest.slice(0, 12)}`)
}

const install = async (folder: string): Promise<void> => {
  const isNewEnough = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))'
  if (!(await succeeds('python3', ['-c', isNewEnough], true))) throw new Error(installInstructions)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const pip = join(folder, 'bin', 'pip')
  if (
    !(await succeeds('python3', ['-m', 'venv', folder], false)) ||
    !(await succeeds(pip, ['install', '--quiet', '--no-deps', '--requirement', requirements], false))
  )
    throw new Error(`the fuzzer can’t be installed into ${folder}; its messages are above`)
}

/** The program of the fuzzer, installed if necessary. Rejects with instructions if that fails. */
export const installedFuzzer = async (): Promise<string> => {
  const folder = await environmentFolder()
  const complete = join(folder, 'complete')
  try {
    await access(complete)
  } catch {
    await install(folder)
    await writeFile(complete, '')
  }
  return join(folder, 'bin', 'schemathesis')
}
