// `npm run deploy -- FOLDER`: builds, and writes to the folder what a service needs in production and nothing else: the bundle, the
// files that it serves, native packages without their sources, and what packages with stores import. The folder may be one that
// is in use: running processes keep the parts that they may still load.
import './check-node.js'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

const packages = dirname(dirname(import.meta.dirname))
const root = dirname(packages)
const bundle = 'packages/composition-root/dist/bundle'

/** What the bundle reads, beside itself. */
const files = [
  'LICENSE',
  '.npmrc',
  'packages/composition-root/package.json',
  'packages/composition-root/bin',
  'packages/cli/package.json',
  'packages/cli/bin',
  'packages/adapter-koa/assets',
  'packages/dashboard/dist/web',
  'packages/reference-page/dist/web',
  'packages/sample/publication',
]

/** What is not in the bundle: native packages, the files of WebAssembly, and what a store of another package imports. */
const installed = [
  // The driver of SQLite for this Node, as in packages/adapter-sqlite/src/better-sqlite3.ts.
  process.versions.node.startsWith('20.') ? 'better-sqlite3-12' : 'better-sqlite3',
  '@jsquash/webp',
  '@publishing-service/domain',
  '@publishing-service/ports',
  '@publishing-service/sql-kit',
]

/** It only installs a driver that is installed. */
const unused = new Set(['prebuild-install', 'node-addon-api'])

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** The folder of an installed package that another one imports. */
const folderOf = (name, importer) => {
  const found = join(importer, 'node_modules', name)
  if (existsSync(found)) return found
  if (importer === dirname(importer)) throw new Error(`${name} is not installed`)
  return folderOf(name, dirname(importer))
}

/** The folders of packages with all that they import, by name. */
const withDependencies = (names, importer, found = new Map()) => {
  for (const name of names) {
    if (unused.has(name)) continue
    const folder = folderOf(name, importer)
    const { name: own, version, dependencies = {} } = readJson(join(folder, 'package.json'))
    const other = found.get(name)
    if (other !== undefined && other.version !== version) throw new Error(`There are two versions of ${name}`)
    if (other !== undefined) continue
    found.set(name, { folder, version, range: own === name ? version : `npm:${own}@${version}` })
    withDependencies(Object.keys(dependencies), folder, found)
  }
  return found
}

const { platform, arch } = process

/** Whether a file of a package is needed to run it. */
const isNeeded = (path) =>
  !/(?:^|\/)(?:src|deps|node_modules|test|\.tsbuildinfo|binding\.gyp|tsconfig\.json)$/.test(path) &&
  !/\.(?:map|[cm]?tsx?|md)$|\.test(?:-data)?\.js$/.test(path) &&
  // Of a driver that was compiled here, and of one with its binaries for every platform.
  (!/(?:^|\/)build\/Release\/./.test(path) || path.endsWith('/better_sqlite3.node')) &&
  (!/\/prebuilds\/./.test(path) || basename(path).replace('musl', '') === `${platform}-${arch}.node`)

const copyPackage = (folder, target) =>
  cpSync(folder, target, {
    recursive: true,
    dereference: true,
    filter: (path) =>
      isNeeded(
        relative(folder, path)
          .replaceAll('\\', '/')
          .replace(/^(?=.)/, '/'),
      ),
  })

/** The names of the files of a bundle. */
const namesIn = (folder) => {
  const list = join(folder, 'files.json')
  return existsSync(list) ? [...Object.values(readJson(list)).flat(), 'files.json'] : []
}

const isCompiled = (name) => name.startsWith('.compiled-')

const copyBundle = (target) => {
  const source = join(root, bundle)
  const kept = new Set([...namesIn(target), ...namesIn(source)])
  mkdirSync(target, { recursive: true })
  for (const name of [...namesIn(source), ...readdirSync(source).filter(isCompiled)])
    cpSync(join(source, name), join(target, name), { recursive: true })
  for (const name of readdirSync(target))
    if (!kept.has(name) && !isCompiled(name)) rmSync(join(target, name), { recursive: true })
}

const deploy = async (folder) => {
  const { ensureBuilt } = await import('./ensure-built.js')
  await ensureBuilt()
  for (const path of files) cpSync(join(root, path), join(folder, path), { recursive: true })
  copyBundle(join(folder, bundle))
  const found = withDependencies(installed, join(packages, 'adapter-sqlite'))
  for (const [name, { folder: source }] of found) copyPackage(source, join(folder, 'node_modules', name))
  const { name, version, license, scripts } = readJson(join(root, 'package.json'))
  const { start, admin } = scripts
  // What another package is installed beside (docs/images.md, docs/write-an-adapter.md) must not be removed by that.
  const dependencies = Object.fromEntries(installed.map((each) => [each, found.get(each).range]))
  const manifest = {
    name,
    version,
    private: true,
    license,
    type: 'module',
    scripts: { start, admin },
    dependencies,
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  process.stderr.write('Usage: npm run deploy -- FOLDER\n')
  process.exit(64)
}
await deploy(folder)
