/**
 * The servers that the tests need, built once from the Go module proxy into the user’s cache directory. The names
 * of the binaries contain the version and a digest of their sources, so that an old binary is never used.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  access,
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The instructions for a missing server. */
export const howToBuild =
  'Build the servers with: npm run build:servers (needs Go 1.24 or later, or Docker: see docs)'

export const minioModule = 'github.com/minio/minio'
export const minioVersion = 'v0.0.0-20260212201848-7aac2a2c5b7c'
const ferretdbVersion = 'v1.24.2'
const ferretdbSource = fileURLToPath(new URL('../ferretdb/', import.meta.url))
const minioReplacements = fileURLToPath(new URL('../minio/', import.meta.url))

export type ServerName = 'ferretdb' | 'minio'

const cacheFolder = (): string => {
  const base = process.env['XDG_CACHE_HOME']
  return join(
    base !== undefined && base !== '' ? base : join(homedir(), '.cache'),
    'publishing-service',
    'servers',
  )
}

const digestOf = async (folder: string): Promise<string> => {
  const hash = createHash('sha256')
  for (const name of (await readdir(folder)).toSorted())
    hash.update(name).update(await readFile(join(folder, name)))
  return hash.digest('hex').slice(0, 12)
}

const keys: Readonly<Record<ServerName, () => Promise<string>>> = {
  ferretdb: async () => `ferretdb-${ferretdbVersion}-${await digestOf(ferretdbSource)}`,
  minio: async () => `minio-${minioVersion}-${await digestOf(minioReplacements)}`,
}

const exists = async (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

/**
 * Runs Go with its messages on standard error, and resolves with its output. Rejects with instructions if Go is missing
 * or fails. Its compiler, which collects garbage at the usual pace a fifth of its time, may use more memory.
 */
const go = async (args: readonly string[], cwd: string): Promise<string> => {
  const child = spawn('go', args, {
    cwd,
    env: { GOGC: '400', ...process.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  return new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(new Error(`Go is not available; install it (Debian: apt-get install golang)`, { cause: error })),
    )
    child.once('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`go ${args.join(' ')} ended with ${code}`)),
    )
  })
}

/** Most of a server is not what tests wait for, and is built in two thirds of the time without optimizations. */
const unoptimized = '-gcflags=all=-N -l -dwarf=false'
const optimized = (packages: string): string => `-gcflags=${packages}=-dwarf=false`
/** The standard library is compiled as other programs compile it, and so once for all. Tests debug no server. */
const build = (...packages: readonly string[]): readonly string[] => [
  'build',
  '-v',
  unoptimized,
  ...packages.map(optimized),
  '-gcflags=std=',
  '-ldflags=-s -w',
]

/** Only the backend on SQLite is built. */
const buildFerretdb = async (binary: string): Promise<void> => {
  const args = build('github.com/FerretDB/...', 'modernc.org/...')
  await go([...args, '-tags', 'ferretdb_no_postgresql', '-o', binary, '.'], ferretdbSource)
}

/** Files of MinIO that use clients of other services, each of which is larger than all that the tests need. */
const replacedFiles: Readonly<Record<string, string>> = {
  'warm-backend-gcs.go': 'cmd',
  'warm-backend-azure.go': 'cmd',
  'elasticsearch.go': 'internal/event/target',
  'sftp-server.go': 'cmd',
  'reader.go': 'internal/s3select/parquet',
}

/** What the rest of MinIO has of the console, a sixth of its packages, is replaced by cmd/console.go. */
const consolePackages = /\n\t(?:console\w+ )?"github\.com\/(?:minio\/console\/.*|go-openapi\/loads)"/g
const startOfConsole = /func buildOpenIDConsoleConfig[^]*?(?=\/\/ Check for updates)/
const withoutConsole = (source: string): string =>
  source
    .replaceAll(consolePackages, '')
    .replaceAll('consoleapi.Server', 'consoleServer')
    .replace(startOfConsole, '')

const buildMinio = async (binary: string): Promise<void> => {
  const module = `${minioModule}@${minioVersion}`
  const { Dir } = JSON.parse(await go(['mod', 'download', '-json', module], tmpdir()))
  const sources = await mkdtemp(join(tmpdir(), 'minio-sources-'))
  try {
    await cp(Dir, sources, { recursive: true })
    // Go’s cache of modules is read-only, and so are the copied folders.
    for (const entry of await readdir(sources, { recursive: true, withFileTypes: true }))
      if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), 0o755)
    for (const [name, folder] of Object.entries(replacedFiles)) {
      await rm(join(sources, folder, name))
      await copyFile(join(minioReplacements, name), join(sources, folder, name))
    }
    await rm(join(sources, 'cmd/sftp-server-driver.go'))
    await copyFile(join(minioReplacements, 'console.go'), join(sources, 'cmd/console.go'))
    for (const name of ['common-main.go', 'api-router.go', 'globals.go']) {
      const file = join(sources, 'cmd', name)
      await writeFile(file, withoutConsole(await readFile(file, 'utf8')))
    }
    // What MinIO does for tests is in assembler.
    await go([...build(), '-o', binary, '.'], sources)
  } finally {
    await rm(sources, { recursive: true, force: true })
  }
}

const builds: Readonly<Record<ServerName, (binary: string) => Promise<void>>> = {
  ferretdb: buildFerretdb,
  minio: buildMinio,
}

const binaryOf = async (name: ServerName): Promise<string> => {
  const key = await keys[name]()
  return join(cacheFolder(), process.platform === 'win32' ? `${key}.exe` : key)
}

/** The path of a server’s binary. Rejects with instructions if it is not built. */
export const serverBinary = async (name: ServerName): Promise<string> => {
  const binary = await binaryOf(name)
  if (!(await exists(binary))) throw new Error(`There is no ${name} at ${binary}. ${howToBuild}`)
  return binary
}

/**
 * Builds the server unless its binary exists. The first build takes minutes. `report` receives the progress.
 */
export const buildServer = async (name: ServerName, report: (line: string) => void): Promise<string> => {
  const binary = await binaryOf(name)
  if (await exists(binary)) {
    report(`${name} is already built: ${binary}`)
    return binary
  }
  report(`Building ${name} from the Go module proxy, once; this takes some minutes`)
  await mkdir(cacheFolder(), { recursive: true })
  const folder = await mkdtemp(join(cacheFolder(), `${name}-building-`))
  try {
    const start = performance.now()
    const built = join(folder, name)
    await builds[name](built)
    // Concurrent builds rename identical binaries to the same path.
    await rename(built, binary)
    report(`Built ${name} in ${Math.round((performance.now() - start) / 1000)} s: ${binary}`)
    return binary
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
