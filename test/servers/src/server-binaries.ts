/**
 * The servers that the tests need, built once from the Go module proxy into the user’s cache directory. The names
 * of the binaries contain the version and a digest of their sources, so that an old binary is never used.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The instructions for a missing server. */
export const howToBuild =
  'Build the servers with: npm run build:servers (needs Go 1.24 or later, or Docker: see docs)'

export const minioModule = 'github.com/minio/minio'
export const minioVersion = 'v0.0.0-20260212201848-7aac2a2c5b7c'
const ferretdbVersion = 'v1.24.2'
const ferretdbSource = fileURLToPath(new URL('../ferretdb/', import.meta.url))

export type ServerName = 'ferretdb' | 'minio'

const cacheFolder = (): string => {
  const base = process.env['XDG_CACHE_HOME']
  return join(
    base !== undefined && base !== '' ? base : join(homedir(), '.cache'),
    'publishing-service',
    'servers',
  )
}

const sourceDigest = async (): Promise<string> => {
  const hash = createHash('sha256')
  for (const name of (await readdir(ferretdbSource)).toSorted())
    hash.update(name).update(await readFile(join(ferretdbSource, name)))
  return hash.digest('hex').slice(0, 12)
}

const keys: Readonly<Record<ServerName, () => Promise<string>>> = {
  ferretdb: async () => `ferretdb-${ferretdbVersion}-${await sourceDigest()}`,
  minio: async () => `minio-${minioVersion}`,
}

const exists = async (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

/** Runs Go with its output on standard error. Rejects with instructions if Go is missing or fails. */
const go = async (args: readonly string[], environment: NodeJS.ProcessEnv, cwd: string): Promise<void> => {
  const child = spawn('go', args, {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
  })
  await new Promise<void>((resolve, reject) => {
    child.once('error', (error) =>
      reject(new Error(`Go is not available; install it (Debian: apt-get install golang)`, { cause: error })),
    )
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`go ${args.join(' ')} ended with ${code}`)),
    )
  })
}

/** The standard library is compiled as other programs compile it, and so once for all. Tests debug no server. */
const flagsOf = (packages: string): readonly string[] => [
  `-gcflags=all=${packages}`,
  '-gcflags=std=',
  '-ldflags=-s -w',
]
/** MinIO has over a thousand packages, and what it does for tests is in assembler: a third of the build is saved. */
const withoutOptimization = '-N -l -dwarf=false'

const build: Readonly<Record<ServerName, (folder: string) => Promise<void>>> = {
  ferretdb: (folder) =>
    go(['build', '-v', ...flagsOf('-dwarf=false'), '-o', join(folder, 'ferretdb'), '.'], {}, ferretdbSource),
  minio: (folder) =>
    go(
      ['install', '-v', ...flagsOf(withoutOptimization), `${minioModule}@${minioVersion}`],
      { GOBIN: folder },
      folder,
    ),
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

/** A message with instructions if a server is not built; null if all are. */
export const lackOfServers = async (): Promise<string | null> => {
  for (const name of ['ferretdb', 'minio'] as const) {
    const binary = await binaryOf(name)
    if (!(await exists(binary))) return `There is no ${name} at ${binary}. ${howToBuild}`
  }
  return null
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
    await build[name](folder)
    const [built] = await readdir(folder)
    if (built === undefined) throw new Error(`Go built no ${name}`)
    // Concurrent builds rename identical binaries to the same path.
    await rename(join(folder, built), binary)
    report(`Built ${name} in ${Math.round((performance.now() - start) / 1000)} s: ${binary}`)
    return binary
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
