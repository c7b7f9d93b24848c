/**
 * The commands in the welcome message work when pasted into bash: they request a token and list the content.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { welcome } from '@publishing-service/composition-root'
import { configurationOf, startTestService } from '../harness/start-test-service.js'
import { launchService, withDirectory, type Environment } from './program.js'

/** The block of commands, from its first assignment to the empty line after it. */
const blockOf = (text: string): string => {
  const block = /^SERVICE=[^]*?\n(?=\n)/m.exec(text)?.[0]
  if (block === undefined) throw new Error(`No commands to paste in:\n${text}`)
  return block
}

/** The complete output of bash when it reads the commands as from a terminal. */
const runPasted = async (
  block: string,
  directory: string,
  environment: Environment = {},
): Promise<string> => {
  const { PATH, HOME } = process.env
  const shell = spawn('bash', ['--norc', '--noprofile', '-s'], {
    cwd: directory,
    env: { PATH, HOME, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  shell.stdin.end(block)
  await once(shell, 'close')
  return printed
}

const expectContent = (printed: string): void => {
  expect(printed).to.match(/^\{"items":\[\[/)
  expect(printed).to.include('["article","Three Photographs of Far Away"]')
}

describe('the commands of the welcome message', function () {
  this.timeout(30_000)

  it('work as the first start prints them', () =>
    withDirectory(async (directory) => {
      const service = await launchService({ DATA_DIR: join(directory, 'data') })
      const printed = await runPasted(blockOf(service.out()), directory)
      expect((await service.stop()).code).to.equal(0)
      expectContent(printed)
    }))

  it('work with a configured secret, and with a public base URL', () =>
    withDirectory(async (directory) => {
      const environment = {
        BOOTSTRAP_API_KEY: 'newcomer',
        BOOTSTRAP_API_SECRET: 'a-secret-of-my-own',
        BASE_URL: 'https://www.example.org/publishing',
      }
      const service = await startTestService(environment)
      const text = await welcome(service, configurationOf(environment), true)
      expect(text).to.not.include(environment.BOOTSTRAP_API_SECRET)
      const { BOOTSTRAP_API_SECRET } = environment
      const printed = await runPasted(blockOf(text), directory, { BOOTSTRAP_API_SECRET })
      const rejected = await runPasted(blockOf(text), directory, {
        BOOTSTRAP_API_SECRET: 'not-the-secret-at-all',
      })
      await service.stop()
      expectContent(printed)
      expect(rejected).to.include('"error":')
    }))

  it('are printed on the first start only', () =>
    withDirectory(async (directory) => {
      const first = await launchService({ DATA_DIR: directory })
      expect(first.out()).to.match(/^TOKEN=/m)
      await first.stop()
      const later = await launchService({ DATA_DIR: directory })
      expect(later.out()).to.not.match(/TOKEN=|api_secret/)
      await later.stop()
    }))
})
