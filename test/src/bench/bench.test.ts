import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import type { BenchResults } from './run-bench.js'

type Ended = { readonly code: number | null; readonly output: string; readonly complaint: string }

const bench = (...options: readonly string[]): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const program = fileURLToPath(new URL('main.js', import.meta.url))
    const child = spawn(process.execPath, [program, ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let complaint = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output, complaint }))
  })

describe('the bench', () => {
  it('counts right answers of the service and the bare servers, and writes what it measured', async function () {
    this.timeout(240_000)
    const directory = await mkdtemp(join(tmpdir(), 'publishing-bench-test-'))
    try {
      const file = join(directory, 'results.json')
      const rows = ['read-spread', 'page-walk', 'patch', 'create']
      const { code, output, complaint } = await bench('--quick', '--only', rows.join(','), '--json', file)
      expect(code, complaint).to.equal(0)
      const results = JSON.parse(await readFile(file, 'utf8')) as BenchResults
      expect(results.service?.rows.map(({ name }) => name)).to.deep.equal(rows)
      for (const { name, ratios, requestsPerSecond, title } of results.service?.rows ?? []) {
        expect(requestsPerSecond.service.median, name).to.be.greaterThan(0)
        expect(ratios['node:http'].median, name).to.be.greaterThan(0)
        expect(ratios.Koa.median, name).to.be.greaterThan(0)
        expect(output).to.contain(title)
      }
      expect(results.service?.starts.service.median).to.be.greaterThan(0)
      expect(output).to.contain('cold start to the first 200')
      expect(output).to.contain(`${results.driver.name} ${results.driver.version}`)
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  })

  it('says which options there are where one is wrong', async function () {
    this.timeout(30_000)
    const { code, complaint } = await bench('--rounds', 'many')
    expect(code).to.equal(64)
    expect(complaint).to.contain('--rounds must be a number').and.to.contain('--quick')
  })
})
