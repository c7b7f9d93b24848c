import { expect } from 'chai'
import { describe, it } from 'mocha'
import { PassThrough } from 'node:stream'
import { ask, confirm, type Terminal } from './ask.js'

const typing = (text: string, isTTY = true): Terminal & { readonly written: () => string } => {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = new PassThrough()
  input.end(text)
  return { input, output, written: () => String(output.read() ?? '') }
}

describe('questions on the terminal', () => {
  it('return the line that was typed, without its end', async () => {
    const terminal = typing(' News \nmore\n')
    expect(await ask(terminal, 'Its title?')).to.equal(' News ')
    expect(terminal.written()).to.equal('Its title? ')
  })

  it('return null without a terminal, and if the input ends without a line', async () => {
    const piped = typing('News\n', false)
    expect(await ask(piped, 'Its title?')).to.equal(null)
    expect(piped.written()).to.equal('')
    expect(await ask(typing(''), 'Its title?')).to.equal(null)
    expect(await confirm(typing('yes\n', false), 'Really?')).to.equal(null)
  })

  it('are confirmed by yes alone', async () => {
    for (const yes of ['yes', 'y', ' Yes '])
      expect(await confirm(typing(`${yes}\n`), 'Really?')).to.equal(true)
    for (const no of ['', 'no', 'yes please', 'n', 'yesno'])
      expect(await confirm(typing(`${no}\n`), 'Really?')).to.equal(false)
  })
})
