/**
 * Follows docs/write-an-adapter.md in an empty directory outside of the repository, with the packed packages: the
 * example compiles, its conformance suite passes, and the service starts with it. Needs bash and tar.
 */
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { createApi } from '../harness/http-client.js'
import { blocksOf, readDocument, root } from './documents.js'
import { outsideFolder, packing, type OutsideFolder } from './packed-packages.js'
import { runScript, startByCommand } from './shell.js'

const guide = readDocument('docs/write-an-adapter.md')
const example = join(root, 'docs/examples/journal-store')

const imagingTest = `
import { jimpImaging } from '@publishing-service/adapter-jimp'
import { imagingConformance } from '@publishing-service/conformance'

imagingConformance({
  name: 'jimp',
  open: jimpImaging,
})
`

describe('docs/write-an-adapter.md', function () {
  this.timeout(600_000)
  const blocks = blocksOf(guide)
  const commands = blocks.flatMap(({ language, text }) => (language === 'sh' ? text.split('\n') : []))
  let folder: OutsideFolder
  before(async () => {
    expect(commands).to.include(packing)
    folder = await outsideFolder()
    const set = commands.filter((line) => /npm pkg set/.test(line)).join('\n')
    const tools = commands.flatMap((line) => /npm install --save-dev (.+)$/.exec(line)?.[1]?.split(' ') ?? [])
    for (const tool of tools.filter((each) => !each.includes('$')))
      await folder.link(tool.replace(/(?<=.)@\d+$/, ''))
    // The packages are already there. npm would request them from the registry.
    await runScript(set, { directory: folder.path })
    const settings = blocks.find(({ language }) => language === 'json')?.text ?? ''
    await writeFile(join(folder.path, 'tsconfig.json'), settings)
    await cp(join(example, 'src'), join(folder.path, 'src'), { recursive: true })
  })
  after(() => folder.remove())

  it('shows a store of at most 300 lines', async () => {
    const parts = ['journal-document-store', 'journal', 'partitions']
    const texts = await Promise.all(parts.map((part) => readFile(join(example, 'src', `${part}.ts`), 'utf8')))
    expect(texts.join('').split('\n').length - 1).to.be.at.most(300)
  })

  it('packs every package completely, with the licence, and without tests', async () => {
    const licence = await readFile(join(root, 'LICENSE'), 'utf8')
    expect(folder.packages.length).to.equal((await readdir(join(root, 'packages'))).length)
    for (const { manifest, files, path } of folder.packages) {
      const entries = Object.values(manifest.exports).flatMap(({ types, default: code }) => [types, code])
      expect(entries.length, manifest.name).to.be.greaterThan(1)
      expect(files, manifest.name).to.include.members(entries.map((each) => each.replace('./', '')))
      expect(await readFile(join(path, 'LICENSE'), 'utf8'), manifest.name).to.equal(licence)
      expect(manifest, manifest.name).not.to.have.property('private')
      expect(
        files.filter((file) => /\.test\.|\.test-|test-\w+\/|tsbuildinfo/.test(file)),
        manifest.name,
      ).to.deep.equal([])
    }
    const conformance = folder.packages.find(({ manifest }) => manifest.name.endsWith('/conformance'))
    expect(conformance?.files).to.include.members(['README.md', 'photographs/rocket.jpg'])
    expect(Object.keys(conformance?.manifest.peerDependencies ?? {})).to.deep.equal(['mocha'])
  })

  it('produces an adapter that compiles and passes its suite', async () => {
    // The example’s own tests run the whole suite. This test checks only that all parts of the suite are found.
    const printed = await runScript(
      'npm test -- --grep "Of two writes|in any process|following .next.|A journal"',
      {
        directory: folder.path,
      },
    )
    expect(printed).to.match(/^ +\d{2,} passing/m)
    expect(printed).not.to.match(/\d+ (?:failing|pending)/)
    expect(printed).to.include('Of two writes with the same version, one returns VersionConflict')
  })

  it('produces suites of the other ports, with all their dependencies', async () => {
    await writeFile(join(folder.path, 'src/imaging.test.ts'), imagingTest)
    const printed = await runScript('npm test -- --grep "jimp .* rocket.jpg is scaled"', {
      directory: folder.path,
    })
    expect(printed).to.match(/rocket\.jpg is scaled to each size[^]*^ +\d passing/m)
  })

  it('produces a package that the service, its commands and copies use', async () => {
    // Does what `npm install` of the tarball does. npm would request the other packages from the registry.
    expect(guide.text).to.include('npm pack\nnpm install --no-save ./journal-store-1.0.0.tgz\n')
    await runScript(
      'npm pack && mkdir node_modules/journal-store && ' +
        'tar -xzf journal-store-1.0.0.tgz -C node_modules/journal-store --strip-components 1',
      { directory: folder.path },
    )
    const start = commands.find((line) => line.endsWith('/bin/start.js')) ?? ''
    const environment = { DATA_DIR: join(folder.path, 'data') }
    const settings = commands.find((line) => line.startsWith('export STORE=')) ?? ''
    const options = { directory: folder.path, environment }
    const service = await startByCommand(`${settings}\n${start}`, options)
    try {
      for (const path of ['/health/ready', '/docs', '/docs/errors'])
        expect((await createApi(service.url).get(path)).status, path).to.equal(200)
      expect(service.welcome).to.match(
        /^Documents are stored in package:journal-store, \S+\/documents\.jsonl$/m,
      )
      const admin = start.replace('composition-root/bin/start.js', 'cli/bin/admin.js')
      const keys = await runScript(`${settings}\n${admin} key list --json`, options)
      expect(JSON.parse(keys)).to.have.lengthOf(1)
      const help = await runScript(`${settings}\n${admin} --help`, options)
      expect(help).to.match(/^ {2}JOURNAL_FILE +File of the journal/m)
      expect(await readdir(environment.DATA_DIR)).to.include('documents.jsonl')
    } finally {
      await service.stop()
    }
  })

  it('shows the definition that the product itself uses', async () => {
    const program = 'node node_modules/@publishing-service/composition-root/bin/start.js'
    const environment = { DATA_DIR: join(folder.path, 'other-data') }
    const service = await startByCommand(program, { directory: folder.path, environment })
    try {
      expect((await createApi(service.url).get('/docs')).status).to.equal(200)
    } finally {
      await service.stop()
    }
  })
})
