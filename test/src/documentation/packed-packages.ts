/**
 * The packages as external developers get them: packed, and unpacked in a directory outside of the repository.
 * Only their declared dependencies are installed there.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from './documents.js'
import { runScript } from './shell.js'

type Manifest = {
  readonly name: string
  readonly private?: boolean
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export type PackedPackage = {
  readonly manifest: Manifest
  /** The files of the tarball, relative to its root. */
  readonly files: readonly string[]
  /** The directory where it was unpacked. */
  readonly path: string
}

export type OutsideFolder = {
  readonly path: string
  readonly packages: readonly PackedPackage[]
  /** Installs a package from the registry. */
  readonly link: (name: string) => Promise<void>
  readonly remove: () => Promise<void>
}

const scope = '@publishing-service/'

/** The command of docs/write-an-adapter.md. */
export const packing = 'npm pack --workspace packages --pack-destination tarballs'

const manifestAt = async (path: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) as Manifest

const unpacked = async (tarball: string, modules: string): Promise<PackedPackage> => {
  const options = { directory: dirname(tarball) }
  await runScript(`mkdir unpacking && tar -xzf '${tarball}' -C unpacking`, options)
  const { name } = await manifestAt(join(options.directory, 'unpacking/package'))
  const path = join(modules, name)
  await runScript(`mv unpacking/package '${path}' && rmdir unpacking`, options)
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
  return { manifest: await manifestAt(path), files, path }
}

/** Packs all packages of the repository, and installs them in an empty directory. */
export const outsideFolder = async (): Promise<OutsideFolder> => {
  const path = await mkdtemp(join(tmpdir(), 'outside-'))
  const tarballs = join(path, 'tarballs')
  const modules = join(path, 'node_modules')
  await mkdir(tarballs)
  await mkdir(join(modules, scope), { recursive: true })
  await runScript(packing.replace(/tarballs$/, `'${tarballs}'`), { directory: root })

  /** The package at the top level, or the nested one if another version is required. */
  const link = async (name: string, wantedBy = ''): Promise<void> => {
    const target = join(modules, name)
    if (existsSync(target)) return
    const own = join(root, 'packages', wantedBy, 'node_modules', name)
    await mkdir(dirname(target), { recursive: true })
    await symlink(wantedBy !== '' && existsSync(own) ? own : join(root, 'node_modules', name), target)
  }

  const packages: PackedPackage[] = []
  for (const name of await readdir(tarballs)) packages.push(await unpacked(join(tarballs, name), modules))
  for (const { manifest } of packages)
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }))
      if (!name.startsWith(scope)) await link(name, manifest.name.slice(scope.length))
  return { path, packages, link, remove: () => rm(path, { recursive: true, force: true }) }
}
