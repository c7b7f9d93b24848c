import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'

const program = fileURLToPath(
  new URL('../../../packages/composition-root/bin/remove-outputs.js', import.meta.url),
)

describe('a build', () => {
  let project: string
  before(() => {
    project = mkdtempSync(join(tmpdir(), 'project '))
    for (const path of ['src/kept.ts', 'src/view/page.tsx', 'dist/style.css', 'dist/bundle.js']) {
      mkdirSync(join(project, path, '..'), { recursive: true })
      writeFileSync(join(project, path), '')
    }
    mkdirSync(join(project, 'dist/view'))
    for (const name of ['kept', 'renamed.test', 'view/page', 'view/deleted'])
      for (const extension of ['d.ts', 'js', 'js.map'])
        writeFileSync(join(project, 'dist', `${name}.${extension}`), '')
  })
  after(() => rmSync(project, { recursive: true }))

  it('removes what was compiled from sources that are deleted or renamed, and nothing else', () => {
    execFileSync(process.execPath, [
      '--input-type=module',
      '--eval',
      'const { removeOutputs } = await import(process.argv[1]); removeOutputs(process.argv[2])',
      program,
      project,
    ])
    const left = readdirSync(join(project, 'dist'), { recursive: true, encoding: 'utf8' })
    expect(left.filter((path) => path !== 'view').toSorted()).to.deep.equal([
      'bundle.js',
      'kept.d.ts',
      'kept.js',
      'kept.js.map',
      'style.css',
      'view/page.d.ts',
      'view/page.js',
      'view/page.js.map',
    ])
  })
})
