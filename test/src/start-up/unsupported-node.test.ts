/** What the programs say on a release of Node that they do not run on, or were not tested on. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { root } from '../documentation/documents.js'

/** Runs a program as on another release of Node. */
const runOn = (release: string, program: string, ...parameters: readonly string[]) => {
  const script = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${release}' } })
    process.argv.splice(1, 0, ${JSON.stringify(program)})
    await import(${JSON.stringify(join(root, program))})`
  return spawnSync(process.execPath, ['--input-type=module', '-e', script, '--', ...parameters], {
    encoding: 'utf8',
  })
}

const programs = ['start', 'build'].map((name) => `packages/composition-root/bin/${name}.js`)

describe('a release of Node', function () {
  this.timeout(20_000)

  for (const release of ['18.20.8', '20.18.3', '21.7.3', '22.11.0', '23.11.1', '25.0.0'])
    it(`${release} ends each program with one sentence that names supported releases`, () => {
      for (const program of [...programs, 'packages/cli/bin/admin.js']) {
        const { status, stdout, stderr } = runOn(release, program)
        expect(status, program).to.equal(1)
        expect(stdout).to.equal('')
        expect(stderr.trim().split('\n')).to.have.length(1)
        expect(stderr).to.include(release).and.include('Node 24')
      }
    })

  it('newer than all that were tested is named, and the program goes on', () => {
    const { status, stderr } = runOn('99.0.0', 'packages/cli/bin/admin.js', '--version')
    expect(status, stderr).to.equal(0)
    expect(stderr).to.include('99.0.0').and.include('Node 24')
  })
})
