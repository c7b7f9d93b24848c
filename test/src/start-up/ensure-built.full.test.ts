/** `npm start` first builds what is not built, and nothing else. */
import { cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { runNode, withDirectory, type ProcessResult } from './program.js'

const repository = fileURLToPath(new URL('../../../', import.meta.url))
const program = join('packages', 'composition-root', 'bin', 'ensure-built.js')
const renderer = join('packages', 'reference-page', 'bin', 'place-renderer.js')
/** It finds no sources in the copy, and bundles nothing. */
const bundler = join('packages', 'dashboard', 'bin', 'build-dashboard.js')

/** A repository of three small packages, with the program that builds this one. */
const copyOf = async (directory: string, withCompiler: boolean): Promise<void> => {
  const options = {
    composite: true,
    module: 'nodenext',
    target: 'es2023',
    rootDir: 'src',
    outDir: 'dist',
    tsBuildInfoFile: 'dist/.tsbuildinfo',
    types: [],
  }
  for (const [name, source, references] of [
    ['domain', 'export const word = 1', []],
    ['composition-root', 'export const main = () => 1', [{ path: '../domain' }]],
    ['cli', 'export const admin = () => 1', [{ path: '../composition-root' }]],
  ] as const) {
    const folder = join(directory, 'packages', name)
    await mkdir(join(folder, 'src'), { recursive: true })
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, include: ['src'], references }),
    )
    await writeFile(join(folder, 'src', 'main.ts'), source)
  }
  await mkdir(join(directory, 'packages', 'composition-root', 'bin'))
  for (const file of [program, renderer, bundler]) await cp(join(repository, file), join(directory, file))
  await writeFile(join(directory, 'package.json'), '{"type": "module"}')
  if (withCompiler) await symlink(join(repository, 'node_modules'), join(directory, 'node_modules'))
}

const build = (directory: string): Promise<ProcessResult> => {
  const address = pathToFileURL(join(directory, program)).href
  return runNode(['-e', `import('${address}').then(({ ensureBuilt }) => ensureBuilt())`], {}).ended
}

const silence: ProcessResult = { code: 0, out: '', error: '' }

describe('ensure built', function () {
  this.timeout(30_000)

  it('builds a new clone, does not rebuild unchanged code, and builds again after a change', () =>
    withDirectory(async (directory) => {
      await copyOf(directory, true)
      const source = join(directory, 'packages', 'domain', 'src', 'main.ts')
      const placed = join(directory, 'packages', 'reference-page', 'dist', 'renderer')
      const first = await build(directory)
      expect(first).to.deep.include({ code: 0, out: '' })
      expect(first.error).to.match(/^Building …\nBuilt in \d+\.\d seconds\.\n$/)
      expect(await readdir(join(directory, 'packages', 'cli', 'dist'))).to.include('main.js')
      expect(await readdir(placed)).to.include.members(['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE'])
      expect(await build(directory)).to.deep.equal(silence)

      await writeFile(source, 'export const word = 2')
      expect((await build(directory)).error).to.match(/^Building …\nBuilt in/)
      expect(await build(directory)).to.deep.equal(silence)

      await writeFile(source, 'export const word: string = 2')
      const failed = await build(directory)
      expect(failed).to.deep.include({ code: 1, out: '' })
      expect(failed.error).to.match(/main\.ts.*error TS2322[^]*The build failed: see the messages above\.\n$/)
      expect((await build(directory)).code).to.equal(1)
    }))

  it('runs the compiler once after a build by another program', () =>
    withDirectory(async (directory) => {
      await copyOf(directory, true)
      const compiler = join(repository, 'node_modules', 'typescript', 'bin', 'tsc')
      await runNode([compiler, '-b', join(directory, 'packages', 'cli')], {}).ended
      expect(await build(directory)).to.deep.include({ code: 0, out: '' })
      expect(await build(directory)).to.deep.equal(silence)
    }))

  it('without a compiler runs existing build output, or reports that there is none', () =>
    withDirectory(async (directory) => {
      await copyOf(directory, false)
      const rejected = await build(directory)
      expect(rejected).to.deep.include({ code: 1, out: '' })
      expect(rejected.error).to.match(/^There is nothing to start: .*Run `npm ci` first\.\n$/)

      const built = join(directory, 'packages', 'composition-root', 'dist')
      await mkdir(built)
      await writeFile(join(built, 'main.js'), '')
      await rm(join(directory, 'packages', 'domain', 'tsconfig.json'))
      expect(await build(directory)).to.deep.equal(silence)
    }))
})
