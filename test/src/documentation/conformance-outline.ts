/** What the conformance suites declare for each adapter of this repository, read from its test files; nothing is run. */
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { contracts, type ContractName } from '@publishing-service/conformance'
import { root } from './documents.js'

/** A suite of mocha's: its own tests and the suites within. */
export type Outline = {
  readonly title: string
  readonly tests: readonly string[]
  readonly suites: readonly Outline[]
}

/** A conformance suite, as one adapter declares it. */
export type DeclaredSuite = {
  readonly contract: ContractName
  /** The folder of the adapter's package, and its name in the report. */
  readonly folder: string
  readonly name: string
  readonly outline: Outline
}

const run = promisify(execFile)
const program = fileURLToPath(new URL('outline-process.js', import.meta.url))

/** The compiled test files that declare a suite of conformance. */
const files = async (): Promise<readonly string[]> => {
  const found: string[] = []
  for (const folder of ['packages', 'docs/examples'])
    for (const name of await readdir(join(root, folder))) {
      const dist = join(root, folder, name, 'dist')
      const tests = (await readdir(dist, { recursive: true }).catch(() => [])).filter((path) =>
        path.endsWith('.test.js'),
      )
      for (const test of tests) {
        const file = join(dist, test)
        if ((await readFile(file, 'utf8')).includes("from '@publishing-service/conformance'"))
          found.push(file)
      }
    }
  return found.toSorted()
}

const title = /^(.+) fulfils the contract of the port (.+)$/

const readSuites = async (): Promise<readonly DeclaredSuite[]> => {
  // A server of somebody's own deviates in less than the one that the table is about.
  const { TEST_MONGODB_URL: _, ...env } = process.env
  const options = { env, maxBuffer: 2 ** 26 }
  const { stdout } = await run(process.execPath, [program, ...(await files())], options)
  const outlines = JSON.parse(stdout) as Readonly<Record<string, readonly Outline[]>>
  const names = Object.keys(contracts) as ContractName[]
  const found = Object.entries(outlines).flatMap(([file, outlined]) =>
    outlined.flatMap((outline) => {
      const [, name = '', port] = title.exec(outline.title) ?? []
      const folder = relative(root, file).split(`${sep}dist${sep}`)[0]?.replaceAll(sep, '/') ?? ''
      const contract = names.find((each) => contracts[each].port === port)
      return contract === undefined ? [] : [{ contract, folder, name, outline }]
    }),
  )
  return names.flatMap((contract) => found.filter((each) => each.contract === contract))
}

let declared: Promise<readonly DeclaredSuite[]> | null = null

/** Every suite that some adapter declares, by contract and then by adapter. */
export const declaredSuites = (): Promise<readonly DeclaredSuite[]> => (declared ??= readSuites())

/** All titles below a suite: those of tests before those of suites. */
export const titlesOf = ({ suites, tests }: Outline): readonly string[] => [
  ...tests,
  ...suites.flatMap((suite) => [suite.title, ...titlesOf(suite)]),
]

export const countOf = ({ tests, suites }: Outline): number =>
  suites.reduce((sum, suite) => sum + countOf(suite), tests.length)

/** The deviations that a suite declares, with their reasons. */
export const deviationsOf = ({ tests }: Outline): readonly string[] =>
  tests.flatMap((test) => /^deviates: (.+)$/.exec(test)?.[1] ?? [])
