/**
 * A directory that looks like the repository to shell commands. Files that the commands write are removed with it.
 */
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './documents.js'

const linked = ['package.json', 'packages', 'node_modules', 'test']

export type ReaderDirectory = {
  readonly path: string
  readonly remove: () => Promise<void>
}

export const readerDirectory = async (): Promise<ReaderDirectory> => {
  const path = await mkdtemp(join(tmpdir(), 'reader-'))
  for (const name of linked) await symlink(join(root, name), join(path, name))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
