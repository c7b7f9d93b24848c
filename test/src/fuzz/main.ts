/**
 * `npm run fuzz`: drives a service from its own OpenAPI document, by a fuzzer that nobody here wrote, with a fixed seed.
 * With `--bounded` it takes minutes rather than tens of them. What it prints last counts operations like tests.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rounds } from '@publishing-service/conformance'
import { installedFuzzer, fuzzFolder } from './fuzzer.js'
import { startFuzzedService, type FuzzedService } from './fuzzed-service.js'

const isBounded = process.argv.includes('--bounded')

/** Cases of each operation that are made at random; the phase `coverage` has all boundaries of all schemas beside. */
const extent = isBounded
  ? { phases: 'examples,fuzzing,stateful', cases: rounds(30, 60), least: rounds(2500, 5000) }
  : { phases: 'examples,coverage,fuzzing,stateful', cases: 150, least: 20_000 }

const reportName = 'report.json'

type Report = {
  readonly operations: { readonly total: number; readonly tested: number }
  readonly test_cases: { readonly generated: number; readonly unique_failures: number }
  readonly failures: readonly { readonly operation?: string | null }[]
  readonly errors: readonly unknown[]
  readonly phases: Readonly<Record<string, { readonly status: string; readonly skip_reason: string | null }>>
}

const fuzz = async (program: string, { url, token }: FuzzedService, folder: string): Promise<void> => {
  const settings = ['--config-file', join(fuzzFolder, 'schemathesis.toml')]
  const about = [`${url}/openapi.json`, '--header', `Authorization: Bearer ${token}`]
  const amount = ['--phases', extent.phases, '--max-examples', String(extent.cases), '--seed', '1']
  const told = [
    '--continue-on-failure',
    '--no-color',
    '--report',
    'json',
    '--report-json-path',
    join(folder, reportName),
  ]
  const args = [...settings, 'run', ...about, ...amount, ...told]
  const child = spawn(program, args, {
    // What it remembers of a run would make the next one another.
    cwd: folder,
    env: { ...process.env, SCHEMATHESIS_HOOKS: join(fuzzFolder, 'hooks.py'), PYTHONDONTWRITEBYTECODE: '1' },
    stdio: 'inherit',
  })
  await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
}

const reportIn = async (folder: string): Promise<Report> => {
  try {
    return JSON.parse(await readFile(join(folder, reportName), 'utf8')) as Report
  } catch (cause) {
    throw new Error('the fuzzer ended without a report; what it said stands above', { cause })
  }
}

/** What was found, one line each. */
const findingsOf = (
  { operations, test_cases: cases, failures, errors, phases }: Report,
  defects: readonly string[],
) => [
  ...failures.map((each) => `finding, whose requests stand above: ${JSON.stringify(each).slice(0, 2000)}`),
  ...errors.map((each) => `error: ${JSON.stringify(each).slice(0, 2000)}`),
  ...defects.map((each) => `defect: ${each}`),
  ...Object.entries(phases).flatMap(([name, { status, skip_reason: reason }]) =>
    reason === 'disabled' || status === 'success' || status === 'failure'
      ? []
      : [`the phase ${name} has not come to its end: ${status}, ${String(reason)}`],
  ),
  ...(operations.tested === operations.total
    ? []
    : [`only ${operations.tested} of ${operations.total} operations were tried`]),
  ...(cases.generated >= extent.least ? [] : [`only ${cases.generated} requests, not ${extent.least}`]),
]

/** What is told at the end: each operation that was tried counts as a test that passes, each finding as one that fails. */
const tell = (passing: number, findings: readonly string[]): void => {
  process.stdout.write(`\n  ${passing} passing\n`)
  if (findings.length === 0) return
  process.stdout.write(`  ${findings.length} failing\n\n`)
  for (const finding of findings) process.stdout.write(`  - ${finding}\n`)
  process.exitCode = 1
}

const run = async (folder: string): Promise<void> => {
  const program = await installedFuzzer()
  const service = await startFuzzedService()
  try {
    const started = performance.now()
    await fuzz(program, service, folder)
    const report = await reportIn(folder)
    const seconds = Math.round((performance.now() - started) / 1000)
    process.stdout.write(`\n${report.test_cases.generated} requests in ${seconds} s\n`)
    tell(report.operations.tested, findingsOf(report, service.defects()))
  } finally {
    await service.stop()
  }
}

const folder = await mkdtemp(join(tmpdir(), 'publishing-fuzz-report-'))
try {
  await run(folder)
} catch (error) {
  tell(0, [error instanceof Error ? error.message : String(error)])
} finally {
  await rm(folder, { recursive: true, force: true })
}
