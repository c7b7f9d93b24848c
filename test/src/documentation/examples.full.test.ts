/**
 * The TypeScript examples in the packages’ READMEs and in the guide for adapters compile. Those with an assertion
 * run, and fail if the expected result is altered.
 */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { blocksOf, documents, readDocument, root, type Document } from './documents.js'
import { runScript } from './shell.js'

type Example = { readonly name: string; readonly text: string; readonly title: string }

const headingAbove = ({ text }: Document, line: number): string =>
  text
    .split('\n')
    .slice(0, line)
    .findLast((each) => each.startsWith('#'))
    ?.replace(/^#+ /, '') ?? ''

const isReadme = ({ path }: Document): boolean => /^(?:packages|docs\/examples)\/.*\/?README\.md$/.test(path)

/** A first block with imports only is added to every other block of the document. */
const examplesOf = (document: Document): readonly Example[] => {
  const blocks = blocksOf(document).filter(({ language }) => language === 'ts')
  const shared = blocks[0]?.text.split('\n').every((line) => line.startsWith('import ')) ? blocks[0].text : ''
  return blocks.slice(shared === '' ? 0 : 1).map(({ text, line }) => ({
    name: `${document.path.replaceAll(/\W/g, '-')}-${line}`,
    text: shared === '' ? `${text}\n` : `${shared}\n${text}\n`,
    title: `${document.path}: ${headingAbove(document, line)}`,
  }))
}

const readmes = documents().filter(isReadme)
const taskEither = examplesOf(readDocument('docs/write-an-adapter.md')).filter(({ title }) =>
  title.endsWith(': TaskEither'),
)
const examples = [...readmes.flatMap(examplesOf), ...taskEither]

const assertion = "import { deepEqual } from 'node:assert/strict'"
const running = examples.filter(({ text }) => text.includes(assertion))
const negated = (text: string): string =>
  text.replace(assertion, assertion.replace('deepEqual', 'notDeepEqual as deepEqual'))

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

describe('the examples of the packages', function () {
  this.timeout(120_000)
  let folder: string

  const compile = () => runScript('node node_modules/typescript/bin/tsc -p .', { directory: folder })
  const run = (name: string): Promise<unknown> =>
    import(pathToFileURL(join(folder, 'out', `${name}.js`)).href)

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'examples-'))
    await mkdir(join(folder, 'src'))
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(compilerSettings))
    for (const { name, text } of examples) await writeFile(join(folder, `src/${name}.ts`), text)
    for (const { name, text } of running)
      await writeFile(join(folder, `src/${name}-negated.ts`), negated(text))
    await compile()
  })
  after(() => rm(folder, { recursive: true, force: true }))

  for (const { path } of readmes)
    it(`${path} has an example`, () => {
      expect(examples.some(({ title }) => title.startsWith(`${path}: `))).to.equal(true)
    })

  for (const { name, title } of running)
    it(`${title}: runs, and fails with another expected result`, async () => {
      await run(name)
      const outcome = await run(`${name}-negated`).catch((error: unknown) => error)
      expect(outcome).to.have.property('code', 'ERR_ASSERTION')
    })

  it('do not compile if they use a name that the package does not export', async () => {
    const wrong = join(folder, 'src/wrong.ts')
    await writeFile(wrong, "import { noSuchRule } from '@publishing-service/domain'\nnoSuchRule()\n")
    const printed = await compile().catch(String)
    await rm(wrong)
    expect(printed).to.include('noSuchRule')
  })
})

describe('the topics of packages/domain/README.md', () => {
  it('are those of the index', () => {
    const { text } = readDocument('packages/domain/README.md')
    const rows = [...text.matchAll(/^\| (\S.*?) +\|/gm)].map(([, topic]) => topic)
    const index = readDocument('packages/domain/src/index.ts').text
    const topics = [...index.matchAll(/^\/\/ ([^:\n]+):/gm)].map(([, topic]) => topic)
    expect(topics.length).to.be.greaterThan(10)
    expect(rows.filter((topic) => topic !== 'Topic' && !topic?.startsWith('-'))).to.deep.equal(topics)
  })
})

describe('packages', () => {
  it('have a README each', () => {
    const names = [...readDocument('docs/architecture.md').text.matchAll(/^\| `([a-z-]+)` +\|/gm)]
    expect(readmes.map(({ path }) => path)).to.include.members(
      names.map(([, name]) => `packages/${name}/README.md`),
    )
  })
})
