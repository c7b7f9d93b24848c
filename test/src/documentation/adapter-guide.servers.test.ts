/**
 * The commands of docs/write-an-adapter.md: packages are packed, and installed by npm in an empty folder, where both
 * examples compile and run. No package compiles its driver there: that for Node 20 is copied from this repository.
 */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blocksOf, readDocument, root } from './documents.js'
import { runBlocks, runScript, startByCommand } from './shell.js'

const blocks = blocksOf(readDocument('docs/write-an-adapter.md'))

/** The text of the one block with this text in it. */
const blockWith = (language: string, part: string): string => {
  const [found, ...others] = blocks.filter((each) => each.language === language && each.text.includes(part))
  if (found === undefined || others.length > 0) throw new Error(`not one block of ${language} has ${part}`)
  return found.text
}

const drivers = process.versions.node.startsWith('20.')
  ? ['better-sqlite3-12', 'bindings', 'file-uri-to-path']
  : []

describe('docs/write-an-adapter.md', function () {
  this.timeout(300_000)
  let folder: string
  let directory: string
  let environment: Readonly<Record<string, string>>
  const run = (...commands: readonly string[]) => runBlocks(commands, { directory, environment })
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'adapter-guide-'))
    directory = join(folder, 'journal-store')
    const tarballs = join(folder, 'tarballs')
    await Promise.all([mkdir(directory), mkdir(tarballs)])
    environment = {
      TARBALLS: tarballs,
      npm_config_prefer_offline: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_ignore_scripts: 'true',
    }
    // The repository is installed and built.
    const [, pack = ''] = blockWith('sh', 'npm run pack').split('\n')
    const script = pack.replace('npm run pack', 'npm run built:pack').replace(/tarballs$/, `'${tarballs}'`)
    await runScript(script, { directory: root })
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('installs what the author of a store needs, and a driver', async () => {
    const install = ['npm init', 'npm install better-sqlite3', 'peerDependencies'].map((part) =>
      blockWith('sh', part),
    )
    expect((await run(...install)).join('')).to.match(/added \d+ packages/)
  })

  it('compiles both examples, and runs a part of their suites', async () => {
    const from = (path: string): string => join(root, path)
    const source = join(directory, 'src')
    await writeFile(join(directory, 'tsconfig.json'), blockWith('json', 'compilerOptions'))
    await cp(from('docs/examples/journal-store/src'), source, { recursive: true })
    for (const file of ['example-store.test.ts', 'test-support/example-store.ts'])
      await cp(from(`packages/sql-kit/src/${file}`), join(source, file))
    for (const name of drivers)
      await cp(from(`node_modules/${name}`), join(directory, 'node_modules', name), { recursive: true })
    const [printed = ''] = await run(blockWith('sh', 'npm test -- --grep'))
    for (const name of ['journalDocumentStore', 'The example dialect of the kit'])
      expect(printed).to.include(`${name} fulfils the contract of the port document store`)
    expect(printed)
      .to.match(/^ +\d+ passing/m)
      .and.not.match(/failing|pending/)
  })

  it('starts the service on the packed store', async () => {
    await run(blockWith('sh', 'npm install --no-save'))
    const service = await startByCommand(blockWith('sh', 'export STORE='), { directory, environment })
    try {
      expect((await fetch(`${service.url}/health/ready`)).status).to.equal(200)
    } finally {
      await service.stop()
    }
  })

  it('prints the indexes of the collections', async () => {
    const printed = await runScript(blockWith('sh', "@publishing-service/application'"), { directory: root })
    expect(printed).to.match(/^content \w+, \w+$/m)
  })
})
