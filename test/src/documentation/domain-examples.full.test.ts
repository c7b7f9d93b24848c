/** The examples of packages/domain/README.md compile, run, and fail when they are wrong. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { blocksOf, readDocument, root } from './documents.js'
import { runScript } from './shell.js'

const readme = readDocument('packages/domain/README.md')
const [imports, ...examples] = blocksOf(readme).filter(({ language }) => language === 'ts')

const headingAbove = (line: number): string =>
  readme.text
    .split('\n')
    .slice(0, line)
    .findLast((text) => text.startsWith('#'))
    ?.replace(/^#+ /, '') ?? ''

const compilerSettings = {
  extends: join(root, 'tsconfig.json'),
  compilerOptions: {
    composite: false,
    incremental: false,
    declaration: false,
    types: ['node'],
    rootDir: 'src',
    outDir: 'out',
  },
  include: ['src/*.ts'],
}

describe('the examples of packages/domain/README.md', function () {
  this.timeout(120_000)
  let folder: string

  const compile = () => runScript('node node_modules/typescript/bin/tsc -p .', { directory: folder })
  const run = (name: string): Promise<unknown> =>
    import(pathToFileURL(join(folder, 'out', `${name}.js`)).href)

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'domain-examples-'))
    await mkdir(join(folder, 'src'))
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(compilerSettings))
    const shared = imports?.text ?? ''
    const negated = shared.replace('{ deepEqual }', '{ notDeepEqual as deepEqual }')
    expect(negated).not.to.equal(shared)
    for (const { text, line } of examples) {
      await writeFile(join(folder, `src/example-${line}.ts`), `${shared}\n${text}\n`)
      await writeFile(join(folder, `src/negated-${line}.ts`), `${negated}\n${text}\n`)
    }
    await compile()
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('show at least five rules', () => {
    expect(examples.length).to.be.at.least(5)
  })

  for (const { text, line } of examples)
    it(`run: ${headingAbove(line)}`, async () => {
      expect(text.split('\n').length).to.be.at.most(6)
      await run(`example-${line}`)
    })

  for (const { line } of examples)
    it(`fail with another result: ${headingAbove(line)}`, async () => {
      const outcome = await run(`negated-${line}`).catch((error: unknown) => error)
      expect(outcome).to.have.property('code', 'ERR_ASSERTION')
    })

  it('do not compile where they use a name that the package does not export', async () => {
    const wrong = join(folder, 'src/wrong.ts')
    await writeFile(wrong, "import { noSuchRule } from '@publishing-service/domain'\nnoSuchRule()\n")
    const printed = await compile().catch(String)
    await rm(wrong)
    expect(printed).to.include('noSuchRule')
  })
})

describe('the topics of packages/domain/README.md', () => {
  it('are those of the index', () => {
    const rows = [...readme.text.matchAll(/^\| (\S.*?) +\|/gm)].map(([, topic]) => topic)
    const index = readDocument('packages/domain/src/index.ts').text
    const topics = [...index.matchAll(/^\/\/ ([^:\n]+):/gm)].map(([, topic]) => topic)
    expect(topics.length).to.be.greaterThan(10)
    expect(rows.filter((topic) => topic !== 'Topic' && !topic?.startsWith('-'))).to.deep.equal(topics)
  })
})
