/**
 * `npm run mutation`: breaks one rule at a time in a copy of the repository, builds it, and runs tests until one fails:
 * those near the change, then `npm test`. `--near` stops after the first; `--whole` goes on with what `npm run test:all`
 * runs on the embedded stores and on servers. Words choose mutations by a part of their file. Ends with exit code 1
 * where no test finds a mutation.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { copyRepository } from '../documentation/copied-repository.js'
import { mutations, type Mutation } from './mutations.js'

const print = (line: string): void => void process.stdout.write(`${line}\n`)

const isNear = process.argv.includes('--near')
const isWhole = process.argv.includes('--whole')
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const chosen = mutations.filter(({ file }) => words.length === 0 || words.some((word) => file.includes(word)))

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

/** The titles of the first test that failed, in one line. */
const firstFailure = (output: string): string => {
  const report = output.slice(output.search(/^ +\d+ failing$/m))
  return /^ +1\) ([^]*?):\n\n/m.exec(report)?.[1]?.replaceAll(/\s+/g, ' ') ?? output.trim().slice(-200)
}

const nearTests = (near: string): string =>
  `npx mocha --bail --parallel --jobs 2 --ignore '**/*.{servers,browser,full}.test.js' '${near}/**/*.test.js'`

/** How the mutated copy is found; null where every test passes. */
const findingOf = async ({ near }: Mutation): Promise<string | null> => {
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
  for (const near of new Set(chosen.map((each) => each.near))) {
    const { passed, output } = await run(nearTests(near))
    if (!passed) throw new Error(`${near} fails without a mutation: ${firstFailure(output)}`)
  }
  let missed = 0
  for (const mutation of chosen) {
    const path = join(copy.path, mutation.file)
    const source = await readFile(path, 'utf8')
    if (source.split(mutation.text).length !== 2)
      throw new Error(`${mutation.file} does not have once: ${mutation.text}`)
    await writeFile(
      path,
      source.replace(mutation.text, () => mutation.instead),
    )
    const start = performance.now()
    const finding = await findingOf(mutation)
    await writeFile(path, source)
    if (finding === null) missed += 1
    const seconds = Math.round((performance.now() - start) / 1000)
    print(`| ${mutation.rule} | ${mutation.file} | ${finding ?? 'NOT FOUND'} | ${seconds} s |`)
  }
  print(`${chosen.length - missed} of ${chosen.length} mutations were found`)
  if (missed > 0) process.exitCode = 1
} finally {
  await copy.remove()
}
