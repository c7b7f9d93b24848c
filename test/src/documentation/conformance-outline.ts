/**
 * The tests that the conformance suites declare for each adapter, read from its test files without running them.
 */
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { contracts, type ContractName } from '@publishing-service/conformance'
import { root } from './documents.js'

/** A mocha suite: its tests and nested suites. */
export type Outline = {
  readonly title: string
  readonly tests: readonly string[]
  readonly suites: readonly Outline[]
}

/** A conformance suite declared by one adapter. */
export type DeclaredSuite = {
  readonly contract: ContractName
  /** The directory of the adapter’s package, and its name in the report. */
  readonly folder: string
  readonly name: string
  readonly outline: Outline
}

const run = promisify(execFile)
const program = fileURLToPath(new URL('outline-process.js', import.meta.url))

/** The compiled test files that declare a conformance suite. */
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
  // A MongoDB server set by the environment has fewer deviations than the one that the table documents.
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

/** All declared suites, sorted by contract and adapter. */
export const declaredSuites = (): Promise<readonly DeclaredSuite[]> => (declared ??= readSuites())

/** All titles in a suite, tests before nested suites. */
export const titlesOf = ({ suites, tests }: Outline): readonly string[] => [
  ...tests,
  ...suites.flatMap((suite) => [suite.title, ...titlesOf(suite)]),
]

export const countOf = ({ tests, suites }: Outline): number =>
  suites.reduce((sum, suite) => sum + countOf(suite), tests.length)

/** The deviations that a suite declares, with reasons. */
export const deviationsOf = ({ tests }: Outline): readonly string[] =>
  tests.flatMap((test) => /^deviates: (.+)$/.exec(test)?.[1] ?? [])
