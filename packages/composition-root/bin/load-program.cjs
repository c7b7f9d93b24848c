// Loads a program of the bundle. What V8 has compiled of it is kept beside it, so that later processes need not compile it:
// without that, this is most of a start. Node's own cache of this kind is not in Node 20. Like that of Node, it loads a file
// again that could not be loaded.
'use strict'
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const path = require('node:path')
const v8 = require('node:v8')
const vm = require('node:vm')
const { isMainThread } = require('node:worker_threads')
const { crc32 } = require('node:zlib')

/**
 * While a program starts, most new objects stay. Space for more of them would grow to 32 MB, which an idle process does not use but
 * keeps. V8 takes compiled code only under the flags that it was compiled with, and this is one.
 */
const growth = { slow: '--semi-space-growth-factor=1', usual: '--semi-space-growth-factor=2' }
v8.setFlagsFromString(growth.slow)

const bundle = path.join(__dirname, '..', 'dist', 'bundle')
/** Code that was compiled by another V8 cannot be used. */
const compiled = path.join(bundle, `.compiled-${process.versions.v8}-${process.arch}`)

/** Before the compiled code: checksums of the source and of the code. V8 itself compares lengths only. */
const headerBytes = 8

const compiledPath = (file) => path.join(compiled, `${path.basename(file)}.bin`)

/** The compiled code of a source, or undefined. */
const readCompiled = (file, source) => {
  try {
    const data = readFileSync(compiledPath(file))
    const code = data.subarray(headerBytes)
    if (data.readUInt32LE(0) === crc32(source) && data.readUInt32LE(4) === crc32(code)) return code
  } catch {
    // It is missing, cannot be read or is too short: the source is compiled.
  }
  return undefined
}

/** Under a name of its own first, because several processes may write at once. */
const writeCompiled = (file, source, script) => {
  const code = script.createCachedData()
  const header = Buffer.alloc(headerBytes)
  header.writeUInt32LE(crc32(source), 0)
  header.writeUInt32LE(crc32(code), 4)
  const target = compiledPath(file)
  const written = `${target}.${process.pid}`
  writeFileSync(written, Buffer.concat([header, code]))
  renameSync(written, target)
}

/** Files without compiled code, with their scripts. */
const uncompiled = new Map()

/** Where nothing may be written, such as in a container, each process compiles what the build has not. */
const writeAll = () => {
  v8.setFlagsFromString(growth.slow)
  try {
    mkdirSync(compiled, { recursive: true })
    for (const [file, { source, script }] of uncompiled) writeCompiled(file, source, script)
  } catch {
    // The next process compiles again.
  }
}

const compile = (file) => {
  const source = readFileSync(file)
  const cachedData = readCompiled(file, source)
  const script = new vm.Script(
    `(function (exports, require, module, __filename, __dirname, importModule) { ${source.toString('latin1')}\n})`,
    {
      filename: file,
      ...(cachedData === undefined ? {} : { cachedData }),
    },
  )
  // Code that V8 rejects was compiled with other flags, or this is after the start: it stays for other processes.
  if (cachedData === undefined && isMainThread) {
    if (uncompiled.size === 0) process.once('exit', writeAll)
    uncompiled.set(file, { source, script })
  }
  return script
}

/** In compiled code, Node 20 does not find what `import()` is for. */
const importModule = (specifier) => import(specifier)

const modules = new Map()

const load = (file) => {
  const loaded = modules.get(file)
  if (loaded !== undefined) return loaded.exports
  const script = compile(file)
  const module = { exports: {} }
  const directory = path.dirname(file)
  const external = createRequire(file)
  const require = Object.assign(
    (id) => (id.startsWith('.') ? load(path.resolve(directory, id)) : external(id)),
    {
      resolve: external.resolve,
    },
  )
  modules.set(file, module)
  try {
    script
      .runInThisContext()
      .call(module.exports, module.exports, require, module, file, directory, importModule)
  } catch (error) {
    modules.delete(file)
    throw error
  }
  return module.exports
}

/** Compiles a file of the bundle without running it. */
exports.compileProgram = (name) => void compile(path.join(bundle, name))

/** The exports of a file of the bundle. */
exports.loadProgram = (name) => load(path.join(bundle, name))

/** What follows makes objects for a short time. */
exports.endStart = () => v8.setFlagsFromString(growth.usual)
