/** Prints the tests that the test files declare, as JSON, without running them. */
import Mocha from 'mocha'
import type { Outline } from './conformance-outline.js'

const outlineOf = ({ title, suites, tests }: Mocha.Suite): Outline => ({
  title,
  tests: tests.map((test) => test.title),
  suites: suites.map(outlineOf),
})

const outlines: Record<string, readonly Outline[]> = {}
for (const file of process.argv.slice(2)) {
  const mocha = new Mocha({ ui: 'bdd' })
  mocha.addFile(file)
  await mocha.loadFilesAsync()
  outlines[file] = outlineOf(mocha.suite).suites
}
process.stdout.write(JSON.stringify(outlines))
