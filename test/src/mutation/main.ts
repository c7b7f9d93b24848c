/**
 * `npm run mutation`: applies one mutation at a time to a copy of the repository, builds it, and runs tests until
 * one fails: first those near the change, then `npm test`. `--near` runs only the first. `--whole` also runs the
 * tests of `npm run test:all` on the embedded stores and on servers. Other arguments select mutations by a part of
 * their file path. The exit code is 1 if a mutation is not detected.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { copyRepository } from './copied-repository.js'
import { mutations, type Mutation } from './mutations.js'

const print = (line: string): void => void process.stdout.write(`${line}\n`)

const isNear = process.argv.includes('--near')
const isWhole = process.argv.includes('--whole')
const filters = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const selected = mutations.filter(
  ({ file }) => filters.length === 0 || filters.some((word) => file.includes(word)),
)

const copy = await copyRepository([
  'packages',
  'test',
  'docs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  '.mocharc.json',
  'README.md',
  'CHANGELOG.md',
  'Dockerfile',
  'docker-compose.yml',
  '.dockerignore',
])

type Run = { readonly passed: boolean; readonly output: string }

const run = async (command: string, environment: NodeJS.ProcessEnv = {}): Promise<Run> => {
  const child = spawn(command, {
    cwd: copy.path,
    env: { ...process.env, ...environment },
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { passed: code === 0, output }
}

/** The titles of the first failing test, in one line. */
const firstFailure = (output: string): string => {
  const report = output.slice(output.search(/^ +\d+ failing$/m))
  return /^ +1\) ([^]*?):\n/m.exec(report)?.[1]?.replaceAll(/\s+/g, ' ') ?? output.trim().slice(-200)
}

const nearTests = (near: string): string =>
  `npx mocha --bail --parallel --jobs 2 --ignore '**/*.{servers,browser,full}.test.js' '${near}/**/*.test.js'`

/** The step that detects the mutated copy; null if all tests pass. */
const detectMutation = async ({ near }: Mutation): Promise<string | null> => {
  const built = await run('npm run build')
  if (!built.passed) return `compiler: ${built.output.trim().slice(-200)}`
  const runs: readonly (readonly [name: string, command: string, environment: NodeJS.ProcessEnv])[] = [
    ['near', nearTests(near), {}],
    ['npm test', 'npm test -- --bail', {}],
    ...(isWhole
      ? ([
          ['embedded', 'npm run test:embedded -- --bail', { TEST_WHOLE: '1' }],
          ['servers', 'npm run test:servers', { TEST_WHOLE: '1' }],
        ] as const)
      : []),
  ]
  for (const [name, command, environment] of isNear ? runs.slice(0, 1) : runs) {
    const { passed, output } = await run(command, environment)
    if (!passed) return `${name}: ${firstFailure(output)}`
  }
  return null
}

try {
  const outdated: string[] = []
  for (const { file, text } of selected)
    if ((await readFile(join(copy.path, file), 'utf8')).split(text).length !== 2)
      outdated.push(`${file} must contain this text once: ${text}`)
  if (outdated.length > 0) throw new Error(outdated.join('\n'))
  for (const near of new Set(selected.map((each) => each.near))) {
    const { passed, output } = await run(nearTests(near))
    if (!passed) throw new Error(`${near} fails without a mutation: ${firstFailure(output)}`)
  }
  let missed = 0
  for (const mutation of selected) {
    const path = join(copy.path, mutation.file)
    const source = await readFile(path, 'utf8')
    await writeFile(
      path,
      source.replace(mutation.text, () => mutation.instead),
    )
    const start = performance.now()
    const finding = await detectMutation(mutation)
    await writeFile(path, source)
    if (finding === null) missed += 1
    const seconds = Math.round((performance.now() - start) / 1000)
    print(`| ${mutation.rule} | ${mutation.file} | ${finding ?? 'NOT FOUND'} | ${seconds} s |`)
  }
  print(`${selected.length - missed} of ${selected.length} mutations were found`)
  if (missed > 0) process.exitCode = 1
} finally {
  await copy.remove()
}
