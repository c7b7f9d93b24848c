/** Files and history of this repository, as Git has them. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../documentation/documents.js'
import { withVersion } from './version.js'

const run = promisify(execFile)

/** The standard output of a command of Git. Throws with what it said if it fails. */
export const git = async (...parameters: readonly string[]): Promise<string> => {
  const { stdout } = await run('git', [...parameters], { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

const pathsIn = (listed: string): readonly string[] => listed.split('\0').filter((path) => path !== '')

/** The paths of all files that are committed. */
export const committedPaths = async (): Promise<readonly string[]> => pathsIn(await git('ls-files', '-z'))

/** The changes of the working tree that are not committed, a line each; with new files if wanted. */
export const uncommittedChanges = async (newFiles: 'all' | 'no'): Promise<readonly string[]> =>
  (await git('status', '--porcelain', `--untracked-files=${newFiles}`))
    .split('\n')
    .filter((line) => line !== '')

/** The texts of files by their paths from the root. */
export type Texts = ReadonlyMap<string, string>

const others = [':!CHANGELOG.md', ':!docs/decisions', ':!test']

/** The committed files that name a version, as they are: not the changelog and the decisions, which tell of the past, nor tests. */
export const textsWithVersion = async (version: string): Promise<Texts> => {
  const found = await git('grep', '-lIzF', '-e', version, '--', '.', ...others)
  const texts = await Promise.all(
    pathsIn(found).map(async (path) => [path, await readFile(join(root, path), 'utf8')] as const),
  )
  return new Map(texts)
}

export const withVersionIn = (texts: Texts, from: string, to: string): Texts =>
  new Map([...texts].map(([path, text]) => [path, withVersion(text, from, to)]))
