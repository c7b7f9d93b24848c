/**
 * `npm run fuzz`: sends requests derived from the OpenAPI document to a service, with a fixed seed. With
 * `--bounded` it tests a sample of the operations, in a minute instead of tens of minutes. Its last lines count operations
 * as tests.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sampleFrom, sampleTitle } from '@publishing-service/conformance'
import { endpoints } from '@publishing-service/http-contract'
import { installedFuzzer, fuzzFolder } from './fuzzer.js'
import { startFuzzedService, type FuzzedService } from './fuzzed-service.js'

const isBounded = process.argv.includes('--bounded')

/**
 * The number of operations, and of random cases for each. The phase `coverage` adds the boundaries of all schemas.
 */
const caseLimits = isBounded
  ? { phases: 'examples,fuzzing,stateful', operations: 90, cases: 4, least: 500 }
  : { phases: 'examples,coverage,fuzzing,stateful', operations: Infinity, cases: 150, least: 20_000 }

const sampled = sampleFrom(endpoints, caseLimits.operations)

const reportName = 'report.json'

type Report = {
  readonly operations: { readonly tested: number }
  readonly test_cases: { readonly generated: number; readonly unique_failures: number }
  readonly failures: readonly { readonly operation?: string | null }[]
  readonly errors: readonly unknown[]
  readonly phases: Readonly<Record<string, { readonly status: string; readonly skip_reason: string | null }>>
}

const fuzz = async (program: string, { url, token }: FuzzedService, folder: string): Promise<void> => {
  const settings = ['--config-file', join(fuzzFolder, 'schemathesis.toml')]
  const about = [`${url}/openapi.json`, '--header', `Authorization: Bearer ${token}`]
  const amount = ['--phases', caseLimits.phases, '--max-examples', String(caseLimits.cases), '--seed', '1']
  const reports = [
    '--continue-on-failure',
    '--no-color',
    '--report',
    'json',
    '--report-json-path',
    join(folder, reportName),
  ]
  const operations = sampled.flatMap(({ id }) => ['--include-operation-id', id])
  const args = [...settings, 'run', ...about, ...operations, ...amount, ...reports]
  const child = spawn(program, args, {
    // Its example database would make runs differ.
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
    throw new Error('the fuzzer ended without a report; its messages are above', { cause })
  }
}

/** The findings, one line each. */
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
  ...(operations.tested === sampled.length
    ? []
    : [`${operations.tested} of ${sampled.length} operations were tried`]),
  ...(cases.generated >= caseLimits.least
    ? []
    : [`only ${cases.generated} requests, not ${caseLimits.least}`]),
]

/** Prints the result: each tested operation counts as a passing test, each finding as a failing one. */
const printResult = (passing: number, findings: readonly string[]): void => {
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
    const sample = sampleTitle(sampled.length, endpoints.length)
    process.stdout.write(`\n${report.test_cases.generated} requests in ${seconds} s${sample}\n`)
    printResult(report.operations.tested, findingsOf(report, service.defects()))
  } finally {
    await service.stop()
  }
}

const folder = await mkdtemp(join(tmpdir(), 'publishing-fuzz-report-'))
try {
  await run(folder)
} catch (error) {
  printResult(0, [error instanceof Error ? error.message : String(error)])
} finally {
  await rm(folder, { recursive: true, force: true })
}
