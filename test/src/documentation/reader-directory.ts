/** The repository as a reader has it before them: files are found, and what commands write doesn't stay. */
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './documents.js'

const found = ['package.json', 'packages', 'node_modules', 'test']

export type ReaderDirectory = {
  readonly path: string
  readonly remove: () => Promise<void>
}

export const readerDirectory = async (): Promise<ReaderDirectory> => {
  const path = await mkdtemp(join(tmpdir(), 'reader-'))
  for (const name of found) await symlink(join(root, name), join(path, name))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
