/**
 * The size of the production dependencies on disk: the installed packages that the lock file lists for
 * `npm ci --omit=dev`. It differs by less than one percent from a real installation, and needs no network.
 */
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

type LockedPackage = {
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optional?: boolean
  /** The package is one of the workspaces. */
  readonly link?: boolean
}

type Lock = { readonly packages: Readonly<Record<string, LockedPackage>> }

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url))

/** As `du` counts: whole blocks, without following links. The lock file lists nested packages separately. */
const sizeOf = async (path: string, isPackage: boolean): Promise<number> => {
  const entry = await lstat(path)
  const own = entry.blocks * 512
  if (!entry.isDirectory()) return own
  const names = (await readdir(path)).filter((name) => !isPackage || name !== 'node_modules')
  const inside = await Promise.all(names.map((name) => sizeOf(join(path, name), false)))
  return inside.reduce((sum, each) => sum + each, own)
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Null if it is not there. Other platforms' packages are locked but not installed, and weigh nothing. */
const installedSize = async (path: string, { optional = false }: LockedPackage): Promise<number | null> => {
  try {
    return await sizeOf(path, true)
  } catch (error) {
    if (isMissing(error)) return optional ? 0 : null
    throw error
  }
}

/** Bytes on disk of the production dependencies of the project in `root`; null if one is not installed. */
export const dependencySize = async (root = projectRoot): Promise<number | null> => {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lock
  let bytes = 0
  for (const [path, each] of Object.entries(lock.packages)) {
    const isCached = path.includes('node_modules/') && !each.dev && !each.devOptional && !each.link
    const own = isCached ? await installedSize(join(root, path), each) : 0
    if (own === null) return null
    bytes += own
  }
  return bytes
}
