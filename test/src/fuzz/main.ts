/**
 * `npm run fuzz`: drives a service from its own OpenAPI document, by a fuzzer that nobody here wrote, with a fixed seed.
 * With `--bounded` it takes minutes rather than tens of them. What it prints last counts operations like tests.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installedFuzzer, fuzzFolder } from './fuzzer.js'
import { startFuzzedService, type FuzzedService } from './fuzzed-service.js'

const isBounded = process.argv.includes('--bounded')

/** Cases of each operation that are made at random; the phase `coverage` has all boundaries of all schemas beside. */
const extent = isBounded
  ? { phases: 'examples,fuzzing,stateful', cases: 60, least: 5000 }
  : { phases: 'examples,coverage,fuzzing,stateful', cases: 250, least: 20_000 }

type Report = {
  readonly operations: { readonly total: number; readonly tested: number }
  readonly test_cases: { readonly generated: number; readonly unique_failures: number }
  readonly failures: readonly { readonly operation?: string | null }[]
  readonly errors: readonly unknown[]
}

const fuzz = async (program: string, { url, token }: FuzzedService, report: string): Promise<void> => {
  const settings = ['--config-file', join(fuzzFolder, 'schemathesis.toml')]
  const about = [`${url}/openapi.json`, '--header', `Authorization: Bearer ${token}`]
  const amount = ['--phases', extent.phases, '--max-examples', String(extent.cases), '--seed', '1']
  const told = ['--continue-on-failure', '--no-color', '--report', 'json', '--report-json-path', report]
  const args = [...settings, 'run', ...about, ...amount, ...told]
  const child = spawn(program, args, {
    cwd: fuzzFolder,
    env: { ...process.env, SCHEMATHESIS_HOOKS: join(fuzzFolder, 'hooks.py'), PYTHONDONTWRITEBYTECODE: '1' },
    stdio: 'inherit',
  })
  await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
}

/** What was found, one line each. */
const findingsOf = (
  { operations, test_cases: cases, failures, errors }: Report,
  defects: readonly string[],
) => [
  ...failures.map((each) => `finding: ${JSON.stringify(each).slice(0, 2000)}`),
  ...errors.map((each) => `error: ${JSON.stringify(each).slice(0, 2000)}`),
  ...defects.map((each) => `defect: ${each}`),
  ...(operations.tested === operations.total
    ? []
    : [`only ${operations.tested} of ${operations.total} operations were tried`]),
  ...(cases.generated >= extent.least ? [] : [`only ${cases.generated} requests, not ${extent.least}`]),
]

const folder = await mkdtemp(join(tmpdir(), 'publishing-fuzz-report-'))
const program = await installedFuzzer()
const service = await startFuzzedService()
try {
  const started = performance.now()
  const path = join(folder, 'report.json')
  await fuzz(program, service, path)
  const report = JSON.parse(await readFile(path, 'utf8')) as Report
  const findings = findingsOf(report, service.defects())
  const seconds = Math.round((performance.now() - started) / 1000)
  const { generated } = report.test_cases
  for (const finding of findings) process.stdout.write(`${finding}\n`)
  process.stdout.write(`\n${generated} requests in ${seconds} s\n  ${report.operations.tested} passing\n`)
  if (findings.length > 0) {
    process.stdout.write(`  ${findings.length} failing\n`)
    process.exitCode = 1
  }
} finally {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
}
