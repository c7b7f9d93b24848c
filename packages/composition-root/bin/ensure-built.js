// Builds what isn't built, so that a fresh clone starts with one command. Asks the time of each source, no more: a start
// on fresh code loses some milliseconds.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../..', import.meta.url))
const root = dirname(packages)
const own = join(packages, 'composition-root')
/** Its references are all packages that a service and its administration run. */
const compiled = join(packages, 'cli')
const program = join(own, 'dist', 'bundle', 'start.cjs')
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

/** The folders of all projects. */
const projects = () => [
  join(root, 'docs', 'example-website'),
  join(root, 'test'),
  join(root, 'test', 'servers'),
  ...[packages, join(root, 'docs', 'examples')].flatMap((parent) =>
    existsSync(parent) ? readdirSync(parent).map((name) => join(parent, name)) : [],
  ),
]

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

const fail = (message) => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/** Runs a command to its end; its output goes to the standard error. */
const run = (command, ...parameters) => {
  const { status } = spawnSync(command, parameters, { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) fail('The build failed: see the messages above.')
}

/**
 * The driver of SQLite for Node 20 is compiled or downloaded by its install script, which npm does not run here: other
 * releases of Node have one that needs neither (docs/decisions/0017-pinned-dependencies.md).
 */
const ensureDriver = () => {
  if (!process.versions.node.startsWith('20.')) return
  const driver = dirname(
    createRequire(join(packages, 'adapter-sqlite', 'package.json')).resolve('better-sqlite3-12/package.json'),
  )
  if (existsSync(join(driver, 'build', 'Release', 'better_sqlite3.node'))) return
  process.stderr.write('Installing SQLite for Node 20 …\n')
  run('npm', 'rebuild', '--ignore-scripts=false', 'better-sqlite3-12')
}

/**
 * The build, in the only sequence that works from an empty folder: the client has sources that are made of the contract,
 * the dashboard contains the client, and the bundle is made of what was compiled. Ends the process if it fails. `project` is
 * the folder of what is compiled.
 */
export const build = async (project = root, tsc = compiler()) => {
  if (tsc === null) fail('The code cannot be built: its compiler isn’t installed. Run `npm ci` first.')
  const { removeOutputs } = await import('./remove-outputs.js')
  const { buildPages } = await import('../../reference-page/bin/build-pages.js')
  const { buildDashboard } = await import('../../dashboard/bin/build-dashboard.js')
  const { bundlePrograms } = await import('./bundle-programs.js')
  ensureDriver()
  run(process.execPath, tsc, '-b', join(packages, 'http-contract'))
  run(process.execPath, join(packages, 'client', 'bin', 'write-types.js'))
  run(process.execPath, tsc, '-b', resolve(project))
  for (const each of projects()) removeOutputs(each)
  await buildPages()
  await buildDashboard()
  await bundlePrograms()
  try {
    writeFileSync(stamp, '')
  } catch (error) {
    // On a file system that can only be read each start asks the compiler, which then has nothing to do.
    if (error.code !== 'EROFS' && error.code !== 'EACCES') throw error
  }
}

/** Compiles the packages where a source is newer than the last build. */
export const ensureBuilt = async () => {
  const built = timeOf(stamp)
  if (existsSync(program) && !readdirSync(packages).some((name) => isStale(join(packages, name), built)))
    return
  const tsc = compiler()
  // An installation without a compiler is built already.
  if (tsc === null && existsSync(program)) return
  process.stderr.write('Building …\n')
  const began = performance.now()
  await build(compiled, tsc)
  process.stderr.write(`Built in ${((performance.now() - began) / 1000).toFixed(1)} seconds.\n`)
}
