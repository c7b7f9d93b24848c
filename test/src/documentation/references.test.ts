/** Documents refer only to existing files, links and variables. */
import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { configurationTable } from '@publishing-service/composition-root'
import { methods } from '@publishing-service/http-contract'
import { documents, readDocument, root } from './documents.js'
import {
  anchorsOf,
  brokenLinksOf,
  filesOfDiffs,
  namedPathsOf,
  assignedVariablesOf,
  repositoryPaths,
  variablesOf,
} from './references.js'

const all = documents()
const paths = repositoryPaths()
const names = new Set([...paths].map((path) => posix.basename(path)))

/** Files that a running service or a reader’s command creates. */
const createdLater = new Set(['documents.sqlite', 'cup.png'])

/** npm packages whose names look like those of files. */
const npmPackages = new Set(['ical.js', 'ipaddr.js'])

const variables = new Set(
  Object.entries(configurationTable).flatMap(([name, variable]) =>
    'secret' in variable ? [name, `${name}_FILE`] : [name],
  ),
)
/** Words in capitals that are not variables of the service. */
const otherWords: ReadonlySet<string> = new Set([
  ...methods,
  'HEAD',
  'OPTIONS',
  '_FILE',
  // Variables of other programs, and a misspelled one, that documents explain.
  'HOME',
  'JOBS',
  'NODE_EXTRA_CA_CERTS',
  'NODE_OPTIONS',
  'STOER',
  // An option of a generator of clients.
  'REMOVE_ANYOF_ONEOF_AND_KEEP_PROPERTIES_ONLY',
  // Variables of the tests.
  'TEST_SCREENSHOTS',
  'TEST_SEED',
  'TEST_STORES',
  'DAY_HOURS',
  'DAY_SPEED',
  'KILLS',
  'KILLS_SEED',
  'MUTATION_TESTS',
])

/** The members of the kit's dialect, and the rows of the guide about them. */
const dialectMembers = (): readonly (readonly string[])[] => {
  const cells = (path: string, from: string, to: string, name: RegExp): readonly string[] => {
    const { text } = readDocument(path)
    const start = text.indexOf(from)
    const found = text.slice(start, text.indexOf(to, start + 1)).matchAll(name)
    return [...found].map(([, member = '']) => member)
  }
  return [
    cells('packages/sql-kit/src/dialect.ts', 'type Dialect =', '\n}', /^ {2}readonly (\w+):/gm),
    cells('docs/write-an-adapter.md', '### The dialect', '\n### ', /^\| `(\w+)`/gm),
  ]
}

describe('documents', () => {
  it('explain each member of a dialect', () => {
    const [declared = [], explained] = dialectMembers()
    expect(declared).to.include('placeholder')
    expect(explained).to.have.members(declared)
  })

  it('name modules of the domain that the repository and the package contain', () => {
    const modules = readDocument('packages/domain/README.md')
      .text.split('\n')
      .filter((line) => /^\| `[./]/.test(line))
      .flatMap((row) =>
        [...(row.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
      )
    expect(modules.length).to.be.greaterThan(20)
    for (const name of modules)
      for (const file of [`src/${name}.ts`, `dist/${name}.d.ts`])
        expect(existsSync(join(root, 'packages/domain', file)), file).to.equal(true)
  })

  it('exist', () => {
    expect(all.length).to.be.greaterThan(20)
    for (const { text } of all) expect(text).to.match(/^# \S/)
  })

  for (const document of all)
    describe(document.path, () => {
      it('has valid links only', () => {
        expect(brokenLinksOf(document, { paths, pages: all })).to.deep.equal([])
      })

      it('names only files that exist or that its diffs create', () => {
        const created = new Set(filesOfDiffs(document))
        const missing = namedPathsOf(document).filter(
          (path) =>
            !paths.has(path) &&
            !created.has(path) &&
            !createdLater.has(path) &&
            !npmPackages.has(path) &&
            (path.includes('/') || !names.has(path)),
        )
        expect(missing).to.deep.equal([])
      })

      it('names only variables of the configuration or of its own commands', () => {
        const own = assignedVariablesOf(document)
        const unknown = variablesOf(document).filter(
          (name) => !variables.has(name) && !own.has(name) && !otherWords.has(name),
        )
        expect(unknown).to.deep.equal([])
      })
    })
})

/** A citation of a rule of the behaviour reference in sources, tests and documents. */
const citation = /docs\/behaviour\/[\w-]+\.md(?:#[\w-]+)?/g

describe('the rules that sources, tests and documents cite', () => {
  const pages = new Map(all.map((page) => [page.path, new Set(anchorsOf(page))]))

  it('are in the behaviour reference', () => {
    const cited = [...paths]
      .filter((path) => /^(?:packages|test|docs)\/.*\.(?:ts|tsx|md)$/.test(path))
      .flatMap((path) => [...readDocument(path).text.matchAll(citation)].map(([rule]) => ({ path, rule })))
    expect(cited.length).to.be.greaterThan(100)
    const unknown = cited.filter(({ rule }) => {
      const [page = '', anchor] = rule.split('#')
      const anchors = pages.get(page)
      return anchors === undefined || (anchor !== undefined && !anchors.has(anchor))
    })
    expect(unknown).to.deep.equal([])
  })

  it('have one anchor each', () => {
    for (const page of all.filter(({ path }) => path.startsWith('docs/behaviour/')))
      expect(anchorsOf(page), page.path).to.have.lengthOf(new Set(anchorsOf(page)).size)
  })
})
