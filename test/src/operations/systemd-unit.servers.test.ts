/** What systemd says of the unit in docs/operations. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { root } from '../documentation/documents.js'
import { additionText, unitName, unitText } from './systemd-unit.js'

const run = promisify(execFile)

type Said = { readonly code: number; readonly text: string }

/** Runs systemd-analyze. Rejects with instructions if it is missing. */
const analyze = async (...args: readonly string[]): Promise<Said> => {
  try {
    const { stdout, stderr } = await run('systemd-analyze', args)
    return { code: 0, text: `${stdout}${stderr}` }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    if (typeof error.code !== 'number')
      throw new Error('There is no systemd-analyze. Install it (Debian: apt-get install systemd)', {
        cause: error,
      })
    return {
      code: error.code,
      text: `${'stdout' in error ? String(error.stdout) : ''}${'stderr' in error ? String(error.stderr) : ''}`,
    }
  }
}

describe('systemd', () => {
  let folder = ''
  const unit = (): string => join(folder, unitName.replace('@', '@8080'))

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'units-'))
    // The programs and the folder are those of this machine.
    const here = unitText
      .replaceAll('/usr/bin/node', process.execPath)
      .replaceAll('/opt/publishing-service', root.replace(/\/$/, ''))
    await writeFile(unit(), here)
    await mkdir(`${unit()}.d`)
    await writeFile(join(`${unit()}.d`, 'postgresql.conf'), additionText)
  })
  after(() => rm(folder, { recursive: true }))

  it('understands every setting of the unit', async () => {
    expect(await analyze('verify', '--man=no', '--recursive-errors=no', unit())).to.deep.equal({
      code: 0,
      text: '',
    })
    await writeFile(`${unit()}.d/wrong.conf`, '[Service]\nProtectSystm=strict\n')
    expect((await analyze('verify', '--man=no', '--recursive-errors=no', unit())).text).to.include(
      'ProtectSystm',
    )
    await rm(`${unit()}.d/wrong.conf`)
  })

  it('finds that its exposure is below 3 of 10', async () => {
    const { text } = await analyze('security', '--offline=true', '--no-pager', unit())
    const [, exposure = ''] = /Overall exposure level[^:]*: ([\d.]+)/.exec(text) ?? []
    expect(Number(exposure)).to.be.above(0).and.below(3)
  })
})
