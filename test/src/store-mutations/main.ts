/**
 * `npm run mutation:stores`: applies each mutation of the stores on SQL alone to a copy of the compiled packages, and runs
 * the suites of the PostgreSQL adapter, or of the SQLite adapter if only that is changed, until one case fails. Words after `--` choose mutations by their names. It takes
 * about half an hour, so it is a command for changes of the suite or of the stores, and not a part of `.ci/run`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../documentation/documents.js'
import { type Edit, edited, type Mutation, mutations } from './mutations.js'

const scope = '@publishing-service'
const changedPackages = ['sql-kit', 'adapter-postgresql', 'adapter-sqlite']
const postgresqlSuite = 'packages/adapter-postgresql/dist/postgresql-document-store.servers.test.js'
const sqliteSuite = 'packages/adapter-sqlite/dist/sqlite-document-store.test.js'

const suiteOf = ({ edits }: Mutation): string =>
  edits.every(({ file }) => file.startsWith('adapter-sqlite/')) ? sqliteSuite : postgresqlSuite

/** Runs at the same time. */
const parallel = 2

/** Milliseconds after which a suite counts as caught: it hangs. */
const longest = 600_000

/** Applies the edits to the packages in a folder. */
const edit = async (packages: string, edits: readonly Edit[]): Promise<void> => {
  for (const each of edits) {
    const file = join(packages, each.file)
    await writeFile(file, edited(await readFile(file, 'utf8'), each))
  }
}

/** Links all entries of a folder but some into another. */
const linkAll = async (from: string, to: string, except: readonly string[]): Promise<void> => {
  await mkdir(to)
  for (const name of await readdir(from))
    if (!except.includes(name)) await symlink(join(from, name), join(to, name))
}

/** Fills a folder with the repository: links to what is not changed, and copies of the rest. */
const copyRepository = async (folder: string): Promise<void> => {
  await mkdir(join(folder, 'test'))
  await symlink(join(root, 'test/servers'), join(folder, 'test/servers'))
  const installed = join(folder, 'node_modules')
  await linkAll(join(root, 'node_modules'), installed, [scope])
  await linkAll(join(root, 'node_modules', scope), join(installed, scope), changedPackages)
  for (const name of changedPackages) {
    const copy = join(folder, 'packages', name)
    for (const part of ['package.json', 'dist'])
      await cp(join(root, 'packages', name, part), join(copy, part), { recursive: true })
    await symlink(copy, join(installed, scope, name))
  }
}

type Report = {
  readonly failures: readonly { readonly title: string; readonly err: { readonly message?: string } }[]
}

/** The title of the first case that fails, and its message; null if all pass. */
const failedCase = async (folder: string, suite: string): Promise<string | null> => {
  const report = join(folder, 'report.json')
  const temporary = join(folder, 'tmp')
  await mkdir(temporary)
  const mocha = [
    join(root, 'node_modules/mocha/bin/mocha.js'),
    '--bail',
    '--exit',
    '--reporter',
    'json',
    '--reporter-option',
    `output=${report}`,
    join(folder, suite),
  ]
  const child = spawn(process.execPath, mocha, {
    cwd: root,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: longest,
    killSignal: 'SIGKILL',
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  await once(child, 'close')
  if (child.signalCode === 'SIGKILL') return 'no case: it hangs'
  const text = await readFile(report, 'utf8').catch(() => null)
  if (text === null) throw new Error(`The suite ended without a report: ${errors}`)
  const [failure] = (JSON.parse(text) as Report).failures
  if (failure === undefined) return null
  const [reason = ''] = (failure.err.message ?? '').split('\n')
  return `${failure.title} (${reason.slice(0, 120)})`
}

/** Runs a suite with the edits. Returns the case that fails, or null. */
const runWith = async (suite: string, edits: readonly Edit[]): Promise<string | null> => {
  const folder = await mkdtemp(join(tmpdir(), 'store-mutation-'))
  try {
    // The server runs as another user.
    await chmod(folder, 0o755)
    await copyRepository(folder)
    await edit(join(folder, 'packages'), edits)
    return await failedCase(folder, suite)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const nameOf = ({ kind, name }: Mutation): string => `${kind}: ${name}`

const words = process.argv.slice(2)
const chosen = mutations.filter((each) => words.every((word) => nameOf(each).includes(word)))

for (const suite of new Set(chosen.map(suiteOf))) {
  const unchanged = await runWith(suite, [])
  if (unchanged !== null) throw new Error(`${suite} fails without a mutation: ${unchanged}`)
}

const outcomes: { readonly mutation: Mutation; readonly isCaught: boolean }[] = []
const waiting = [...chosen]

const work = async (): Promise<void> => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const start = performance.now()
    const caughtBy = await runWith(suiteOf(next), next.edits)
    outcomes.push({ mutation: next, isCaught: caughtBy !== null })
    const seconds = Math.round((performance.now() - start) / 1000)
    const result =
      caughtBy === null ? `MISSED. ${next.unobservable ?? 'No reason is given.'}` : `caught by ${caughtBy}`
    print(`${nameOf(next)} — ${result} (${seconds} s)`)
  }
}

await Promise.all(Array.from({ length: parallel }, work))
const missed = outcomes.filter(({ isCaught }) => !isCaught).map(({ mutation }) => mutation)
print(`${outcomes.length} mutations: ${outcomes.length - missed.length} caught, ${missed.length} missed`)
if (missed.some(({ unobservable }) => unobservable === null)) process.exitCode = 1
