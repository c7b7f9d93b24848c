// Bundles the service, the administration, and the programs of their threads and processes, from what the compiler has made:
// a start reads some twenty files instead of a thousand. Node loads a file that could not be loaded again, because the files
// are CommonJS (docs/decisions/0138-programs-are-bundled.md).
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'

const root = dirname(import.meta.dirname)
const packages = dirname(root)
const bundle = join(root, 'dist', 'bundle')
const programs = {
  start: join(packages, 'composition-root/dist/main.js'),
  admin: join(packages, 'cli/dist/admin.js'),
}

/** What is native, and stays a package. */
const external = [/^better-sqlite3(?:-12)?$/, 'sharp']

const ownModule = /\/packages\/[^/]+\/dist\/[^?]*\.js$/

const packageOf = (path) => /\/packages\/([^/]+)\/dist\//.exec(path)?.[1]

/** `adapter-sqlite-sqlite-writer`. */
const programName = (path) => `${packageOf(path)}-${/([^/]+)\.js$/.exec(path)[1]}`

/** Modules of other packages are imported by the loader of the bundle. */
const imports = {
  name: 'imports',
  transform: {
    filter: { id: ownModule, code: /\bimport\(\w+\)/ },
    handler: (code) => code.replaceAll(/\bimport\((?=\w+\))/g, 'importModule('),
  },
}

/**
 * In the bundle, the address of a module is still that of its file, so that it finds the files of its package. Only the
 * programs of threads and processes are those of the bundle, and become parts of it.
 */
const addresses = {
  name: 'addresses',
  transform: {
    filter: { id: ownModule, code: /import\.meta\.url/ },
    handler(code, id) {
      const withPrograms = code.replaceAll(
        /new URL\('(\.\/[^']+\.js)', import\.meta\.url\)/g,
        (_match, path) => {
          const program = resolve(dirname(id), path)
          this.emitFile({ type: 'chunk', id: program, name: programName(program) })
          return `new URL('./${programName(program)}.cjs', import.meta.url)`
        },
      )
      const address = `new URL('${relative(bundle, id).replaceAll('\\', '/')}', import.meta.url).href`
      return withPrograms.replaceAll(/(?<!\.cjs', )import\.meta\.url/g, address)
    },
  },
}

/** Named after the package that most of its modules are of. */
const chunkName = ({ name, moduleIds }) => {
  const names = moduleIds.map(packageOf).filter((each) => each !== undefined)
  const count = (counted) => names.filter((each) => each === counted).length
  const [largest = name] = names.toSorted((one, other) => count(other) - count(one))
  return `${largest}-[hash].cjs`
}

/** A file that loads an entry of this name with its compiled code. */
const programText = (fileName) =>
  `module.exports = require('../../bin/load-program.cjs').loadProgram('${fileName}')\n`

/**
 * The same code in ASCII, of which V8 keeps a byte for each character; one other letter would double that. An escape in a literal means
 * the character, except in a literal that `String.raw` reads.
 */
const inAscii = (code) => {
  const [raw] = /\bString\.raw\s*`[^`]*[^\0-\x7f][^`]*`/.exec(code) ?? []
  if (raw !== undefined) throw new Error(`Only ASCII can be bundled in ${raw}`)
  return code.replaceAll(/(\\*)([^\0-\x7f])/g, (_match, before, character) => {
    const escape = character.charCodeAt(0).toString(16).padStart(4, '0')
    // A backslash before the character itself has no meaning.
    return `${before.slice(before.length % 2)}\\u${escape}`
  })
}

/** The licences of the packages of the registry in the bundle, which ask to be handed on with it, as Vite lists those of the dashboard. */
const licencesOf = (modules) => {
  const folders = new Set(
    modules.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? []),
  )
  const licences = new Map()
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((each) => /^licen[cs]e(?:\.|$)/i.test(each))
    const text = file === undefined ? null : readFileSync(join(folder, file), 'utf8')
    licences.set(`${name}@${version}`, { name, version, identifier: license ?? null, text })
  }
  return [...licences].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, licence]) => licence)
}

/** The names of the files of the last build. */
const listed = (list) =>
  existsSync(list) ? Object.values(JSON.parse(readFileSync(list, 'utf8'))).flat() : []

const newestIn = (directory) =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.c?js$/.test(path))
    .reduce((newest, path) => Math.max(newest, statSync(join(directory, path)).mtimeMs), 0)

const isStale = (list) => {
  if (!existsSync(list)) return true
  const folders = readdirSync(packages).map((name) => join(packages, name, 'dist'))
  const newest = Math.max(
    newestIn(join(root, 'bin')),
    ...folders.filter((each) => existsSync(each)).map(newestIn),
  )
  const lock = statSync(join(packages, '..', 'package-lock.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return Math.max(newest, lock) > statSync(list).mtimeMs
}

/** Writes the bundle, if what it is made of has changed, and the compiled code of its files. */
export const bundlePrograms = async () => {
  const list = join(bundle, 'files.json')
  if (!isStale(list)) return
  const { build } = await import('rolldown')
  const { output } = await build({
    cwd: packages,
    input: programs,
    write: false,
    external,
    platform: 'node',
    // The modules are compiled. In an image, the projects that the file of the repository refers to are missing.
    tsconfig: false,
    logLevel: 'warn',
    checks: { eval: false },
    plugins: [imports, addresses],
    resolve: { mainFields: ['module', 'main'] },
    output: {
      format: 'cjs',
      dynamicImportInCjs: false,
      entryFileNames: '[name]-[hash].cjs',
      chunkFileNames: chunkName,
      comments: { legal: true, annotation: false, jsdoc: false },
    },
  })
  mkdirSync(bundle, { recursive: true })
  const place = (name, text) => {
    const written = join(bundle, `${name}.${process.pid}`)
    writeFileSync(written, text)
    renameSync(written, join(bundle, name))
  }
  for (const { fileName, code } of output) place(fileName, inAscii(code))
  const entries = output.filter(({ isEntry }) => isEntry)
  for (const { name, fileName } of entries) place(`${name}.cjs`, programText(fileName))
  const files = {
    programs: entries.map(({ name }) => `${name}.cjs`),
    entries: entries.map(({ fileName }) => fileName),
    parts: output.flatMap(({ isEntry, fileName }) => (isEntry ? [] : [fileName])),
    texts: ['licences.json'],
  }
  place('licences.json', JSON.stringify(licencesOf(output.flatMap(({ moduleIds }) => moduleIds)), null, 1))
  // A process that runs may still load files of the build before.
  const kept = new Set([...listed(list), ...Object.values(files).flat(), basename(list)])
  for (const name of readdirSync(bundle)) if (!kept.has(name)) rmSync(join(bundle, name), { recursive: true })
  place(basename(list), JSON.stringify(files))
  const { status } = spawnSync(process.execPath, [join(root, 'bin', 'compile-bundle.cjs')], {
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) throw new Error('The bundle cannot be loaded')
}
