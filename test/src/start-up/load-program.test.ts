/** The loader of the bundle: compiled code is kept, is never that of another source, and a failed load is repeated. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { root } from '../documentation/documents.js'

describe('the loader of the bundle', () => {
  let folder: string
  const bundle = (): string => join(folder, 'dist', 'bundle')
  const place = (name: string, code: string): void => writeFileSync(join(bundle(), name), code)

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'load-program-'))
    mkdirSync(bundle(), { recursive: true })
    mkdirSync(join(folder, 'bin'))
    const name = 'load-program.cjs'
    cpSync(join(root, 'packages/composition-root/bin', name), join(folder, 'bin', name))
    place('program.cjs', "exports.word = () => require('./part.cjs').word")
    place('part.cjs', "exports.word = 'one'")
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** What a process prints that loads the program as `program`. */
  const run = (script: string): string =>
    execFileSync(
      process.execPath,
      ['-e', `const program = require('./bin/load-program.cjs').loadProgram('program.cjs'); ${script}`],
      { cwd: folder, encoding: 'utf8' },
    ).trim()
  const printed = (): string => run('console.log(program.word())')

  /** The file with the compiled code of a part. */
  const compiled = (name: string): string => {
    const directory = readdirSync(bundle()).find((each) => each.startsWith('.compiled-')) ?? ''
    return join(bundle(), directory, `${name}.bin`)
  }

  it('keeps compiled code, and writes it once', () => {
    expect(printed()).to.equal('one')
    const before = statSync(compiled('part.cjs')).mtimeMs
    expect(printed()).to.equal('one')
    expect(statSync(compiled('part.cjs')).mtimeMs).to.equal(before)
  })

  it('takes no compiled code of another source of the same length', () => {
    expect(printed()).to.equal('one')
    place('part.cjs', "exports.word = 'two'")
    expect([printed(), printed()]).to.deep.equal(['two', 'two'])
  })

  it('replaces compiled code that is damaged', () => {
    printed()
    for (const damage of [
      (code: Buffer) => code.fill(0, 20),
      (code: Buffer) => code.subarray(0, 3),
      (code: Buffer) => code.subarray(0, code.length - 1),
    ]) {
      const whole = readFileSync(compiled('part.cjs'))
      writeFileSync(compiled('part.cjs'), damage(Buffer.from(whole)))
      expect(printed()).to.equal('one')
      expect(readFileSync(compiled('part.cjs')).length).to.equal(whole.length)
    }
  })

  it('runs where it may write nothing', () => {
    const asOther = process.getuid?.() === 0 ? 'process.setuid(65534);' : ''
    chmodSync(folder, 0o755)
    chmodSync(bundle(), 0o555)
    expect(run(`${asOther} console.log(program.word())`)).to.equal('one')
    chmodSync(bundle(), 0o755)
    expect(readdirSync(bundle()).toSorted()).to.deep.equal(['part.cjs', 'program.cjs'])
  })

  it('loads again what could not be read, or threw', () => {
    const shown = 'try { console.log(program.word()) } catch (error) { console.log(error.message) }'
    const write = (code: string): string =>
      `require('node:fs').writeFileSync('dist/bundle/part.cjs', ${JSON.stringify(code)});`
    rmSync(join(bundle(), 'part.cjs'))
    const script = [shown, write("throw new Error('broken')"), shown, write("exports.word = 'two'"), shown]
    expect(run(script.join('; '))).to.match(/^ENOENT.*\nbroken\ntwo$/)
  })
})
