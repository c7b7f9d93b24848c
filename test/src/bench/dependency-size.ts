/**
 * How many bytes `npm ci --omit=dev` puts on disk. Installing takes long, so the figure is kept in the user's cache
 * folder for as long as the lock file and the manifests stay as they are.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

const manifests = async (): Promise<readonly string[]> => {
  const packages = await readdir(join(root, 'packages'))
  return [
    'package.json',
    'package-lock.json',
    '.npmrc',
    ...packages.map((name) => `packages/${name}/package.json`),
  ]
}

const fingerprint = async (files: readonly string[]): Promise<string> => {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${process.version}`)
  for (const file of files.toSorted()) hash.update(file).update(await readFile(join(root, file)))
  return hash.digest('hex').slice(0, 32)
}

const cacheFile = (name: string): string =>
  join(
    process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
    'publishing-service',
    `dependencies-${name}.json`,
  )

const keptSize = async (file: string): Promise<number | null> => {
  try {
    return (JSON.parse(await readFile(file, 'utf8')) as { readonly bytes: number }).bytes
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** As `du` counts: whole blocks, links not followed. */
const sizeOn = async (path: string): Promise<number> => {
  const entry = await lstat(path)
  const own = entry.blocks * 512
  if (!entry.isDirectory()) return own
  const inside = await Promise.all((await readdir(path)).map((name) => sizeOn(join(path, name))))
  return inside.reduce((sum, each) => sum + each, own)
}

const install = (directory: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], {
      cwd: directory,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let complaint = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint += text
    })
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`npm ci ended with ${code}: ${complaint.trim()}`))
    })
  })

const measure = async (files: readonly string[]): Promise<number> => {
  const directory = await mkdtemp(join(tmpdir(), 'publishing-bench-dependencies-'))
  try {
    for (const file of files) await cp(join(root, file), join(directory, file), { recursive: true })
    await install(directory)
    return await sizeOn(join(directory, 'node_modules'))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Bytes on disk of the production dependencies. */
export const dependencySize = async (progress: (text: string) => void): Promise<number> => {
  const files = await manifests()
  const file = cacheFile(await fingerprint(files))
  const kept = await keptSize(file)
  if (kept !== null) return kept
  progress('installing the production dependencies to weigh them; once for each state of the lock file')
  const bytes = await measure(files)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, JSON.stringify({ bytes }))
  return bytes
}
