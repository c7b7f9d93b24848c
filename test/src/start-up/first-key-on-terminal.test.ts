/** The secret of the first key on a terminal. Needs `script` of util-linux. */
import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { once } from 'node:events'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { startProgram, withDirectory } from './program.js'

/** The output of the service on a terminal until SIGTERM ends it. */
const printedOnTerminal = async (DATA_DIR: string): Promise<string> => {
  const { PATH, HOME } = process.env
  const child = spawn(
    'script',
    ['--quiet', '--return', '--command', `exec ${process.execPath} ${startProgram}`, '/dev/null'],
    {
      env: { PATH, HOME, DATA_DIR, PORT: '0', LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text.replaceAll('\r', '')
    if (/listens on [^]*content_type-title"\n\n$/.test(printed)) child.kill('SIGTERM')
  })
  await once(child, 'close')
  return printed
}

describe('the secret of the first key', function () {
  this.timeout(30_000)

  it('is printed on a terminal, and written to no file', () =>
    withDirectory(async (directory) => {
      const printed = await printedOnTerminal(directory)
      const [, secret = ''] = /^ {2}API secret {2}([\w-]{43,})$/m.exec(printed) ?? []
      expect(secret, printed).to.not.equal('')
      expect(printed).to.include(`api_secret=${secret}"`)
      expect(await readdir(directory)).to.not.include('first-key.env')
    }))
})
