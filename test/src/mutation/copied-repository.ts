/**
 * A copy of the repository for modifications. It has its own packages, and links to the installed dependencies.
 */
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { root } from '../documentation/documents.js'

export type CopiedRepository = {
  readonly path: string
  readonly remove: () => Promise<void>
}

const scope = '@publishing-service'

/** Links to all installed packages except the packages of this repository. */
const linkInstalled = async (path: string): Promise<void> => {
  const installed = join(path, 'node_modules')
  await mkdir(join(installed, scope), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== scope) await symlink(join(root, 'node_modules', name), join(installed, name))
  for (const name of await readdir(join(path, 'packages'))) {
    await symlink(join(path, 'packages', name), join(installed, scope, name))
    const own = join(root, 'packages', name, 'node_modules')
    if (existsSync(own)) await symlink(own, join(path, 'packages', name, 'node_modules'))
  }
}

/** Copies the build output with its timestamps, so that only changed files are built again. */
export const copyRepository = async (parts: readonly string[]): Promise<CopiedRepository> => {
  const path = await mkdtemp(join(tmpdir(), 'copy-'))
  const options = {
    recursive: true,
    preserveTimestamps: true,
    filter: (source: string) => basename(source) !== 'node_modules',
  }
  for (const name of parts) await cp(join(root, name), join(path, name), options)
  await linkInstalled(path)
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
