/**
 * Mutation tests of the conformance suite of the document store. Each mutant is a copy of the journal of docs/examples
 * with a bug, which exactly one case must find.
 */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { root } from '../documentation/documents.js'
import { mutants, type Mutant } from './journal-mutants.js'

const run = promisify(execFile)
const example = join(root, 'docs/examples/journal-store')
const files = [
  'faulty-journal.js',
  'journal.js',
  'partitions.js',
  'journal-document-store.js',
  'journal-document-store.test.js',
]

/** A part of mocha's JSON report. */
type Report = {
  readonly passes: readonly unknown[]
  readonly failures: readonly { readonly fullTitle: string }[]
}

const contract = 'journalDocumentStore fulfils the contract of the port document store '

describe('The conformance suite of the document store, on the journal of docs/examples', function () {
  this.timeout(300_000)
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mutants-'))
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  })
  after(() => rm(folder, { recursive: true }))

  /** The report of the suite on a copy of the example with these changes. */
  const reportOf = async (changes: Mutant['changes']): Promise<Report> => {
    for (const file of files) await cp(join(example, 'dist', file), join(folder, file))
    for (const [file, from, to] of changes) {
      const text = await readFile(join(folder, file), 'utf8')
      expect(text.split(from).length, `occurrences of ${from}, plus one`).to.equal(2)
      await writeFile(
        join(folder, file),
        text.replace(from, () => to),
      )
    }
    const report = join(folder, 'report.json')
    // Tests of durations are excluded.
    const options = [
      '--reporter',
      'json',
      '--reporter-option',
      `output=${report}`,
      '--grep',
      'take no longer than the first',
      '--invert',
    ]
    const mocha = join(root, 'node_modules/mocha/bin/mocha.js')
    const parameters = [mocha, ...options, join(folder, 'journal-document-store.test.js')]
    await run(process.execPath, parameters, { cwd: folder, maxBuffer: 2 ** 26 }).catch((error: unknown) => {
      // The number of failures is the exit code.
      if (!(error instanceof Error && 'code' in error && typeof error.code === 'number')) throw error
    })
    return JSON.parse(await readFile(report, 'utf8')) as Report
  }

  it('passes without a bug', async () => {
    const { passes, failures } = await reportOf([])
    expect(failures).to.deep.equal([])
    expect(passes.length).to.be.above(150)
  })

  for (const { name, foundBy, changes } of mutants)
    it(`finds a store that ${name}, by exactly one case`, async () => {
      const { failures } = await reportOf(changes)
      const titles = failures.map(({ fullTitle }) => fullTitle.replace(contract, ''))
      expect(titles, 'failed tests').not.to.deep.equal([])
      expect(titles.filter((title) => !title.includes(foundBy))).to.deep.equal([])
    })
})
