// Builds what isn't built, so that a fresh clone starts with one command.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../../', import.meta.url))
const root = dirname(packages.replace(/\/$/, ''))
const stamp = join(packages, 'composition-root', 'dist', '.built')

const newestIn = (directory) =>
  readdirSync(directory, { withFileTypes: true }).reduce((newest, entry) => {
    const path = join(directory, entry.name)
    const time = entry.isDirectory()
      ? newestIn(path)
      : entry.name.endsWith('.ts')
        ? statSync(path).mtimeMs
        : 0
    return Math.max(newest, time)
  }, 0)

const isStale = () => {
  if (!existsSync(stamp)) return true
  const built = statSync(stamp).mtimeMs
  return readdirSync(packages).some((name) => {
    const source = join(packages, name, 'src')
    return existsSync(source) && newestIn(source) > built
  })
}

const compiler = () => {
  try {
    return join(
      dirname(createRequire(join(root, 'package.json')).resolve('typescript/package.json')),
      'bin',
      'tsc',
    )
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return null
    throw error
  }
}

/** Compiles the packages where a source is newer than the last build. An installation without a compiler is built already. */
export const ensureBuilt = () => {
  if (!isStale()) return
  const tsc = compiler()
  if (tsc === null) return
  process.stderr.write('Building …\n')
  const { status } = spawnSync(process.execPath, [tsc, '-b', join(packages, 'composition-root')], {
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) {
    process.stderr.write('The build failed: see the messages above.\n')
    process.exit(1)
  }
  const now = new Date()
  writeFileSync(stamp, '')
  utimesSync(stamp, now, now)
}
