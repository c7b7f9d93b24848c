// Builds what isn't built, so that a fresh clone starts with one command. Asks the time of each source, no more: a start
// on fresh code loses some milliseconds.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildDashboard } from '../../dashboard/bin/build-dashboard.js'
import { buildPages } from '../../reference-page/bin/build-pages.js'

const packages = fileURLToPath(new URL('../..', import.meta.url))
const root = dirname(packages)
const own = join(packages, 'composition-root')
/** Its references are all packages that a service and its administration run. */
const compiled = join(packages, 'cli')
const program = join(own, 'dist', 'main.js')
/** Written after each build that succeeded: what the compiler writes itself doesn't tell that from one that failed. */
const stamp = join(own, 'dist', '.built')

const timeOf = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

const newestIn = (directory) =>
  readdirSync(directory, { withFileTypes: true }).reduce((newest, entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return Math.max(newest, newestIn(path))
    return /\.(tsx?|css|md)$/.test(entry.name) ? Math.max(newest, timeOf(path)) : newest
  }, 0)

/** Whether a package has a source, or settings, that are newer than the last build. */
const isStale = (directory, built) =>
  existsSync(join(directory, 'src')) &&
  Math.max(newestIn(join(directory, 'src')), timeOf(join(directory, 'tsconfig.json'))) > built

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

/** After the compiler: builds what it doesn't make, and notes that everything was built just now. */
export const finishBuild = async () => {
  await buildPages()
  await buildDashboard()
  try {
    writeFileSync(stamp, '')
  } catch (error) {
    // On a file system that can only be read each start asks the compiler, which then has nothing to do.
    if (error.code !== 'EROFS' && error.code !== 'EACCES') throw error
  }
}

const fail = (message) => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/** Compiles the packages where a source is newer than the last build. An installation without a compiler is built already. */
export const ensureBuilt = async () => {
  const built = timeOf(stamp)
  if (existsSync(program) && !readdirSync(packages).some((name) => isStale(join(packages, name), built)))
    return
  const tsc = compiler()
  if (tsc === null) {
    if (existsSync(program)) return
    fail(
      'There is nothing to start: the code isn’t built, and its compiler isn’t installed. Run `npm ci` first.',
    )
  }
  process.stderr.write('Building …\n')
  const began = performance.now()
  const { status } = spawnSync(process.execPath, [tsc, '-b', compiled], { stdio: ['ignore', 2, 2] })
  if (status !== 0) fail('The build failed: see the messages above.')
  await finishBuild()
  process.stderr.write(`Built in ${((performance.now() - began) / 1000).toFixed(1)} seconds.\n`)
}
