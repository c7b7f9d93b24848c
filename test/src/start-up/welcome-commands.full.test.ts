/**
 * The commands in the welcome message work when pasted into bash: they print their results and save a photograph.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { welcome } from '@publishing-service/composition-root'
import { configurationOf, startTestService } from '../harness/start-test-service.js'
import { launchService, withDirectory, type Environment } from './program.js'

/** The width and height in a JPEG’s first frame. */
const jpegSize = (data: Uint8Array): { readonly width: number; readonly height: number } => {
  const view = Buffer.from(data)
  let at = 2
  while (at + 9 < view.length && view[at] === 0xff) {
    const marker = view[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: view.readUInt16BE(at + 5), width: view.readUInt16BE(at + 7) }
    at += 2 + view.readUInt16BE(at + 2)
  }
  throw new Error('There is no frame: this is no JPEG')
}

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

const expectTour = async (printed: string, directory: string): Promise<void> => {
  const [, token, list, article, gallery, photograph] =
    /^\nA token: ([\w-]{20,})\n\nThe content, newest first:\n([^]*?)\n\nAn article:\n([^]*?)\n\nIts gallery:\n([^]*?)\n\n(.*)\n$/.exec(
      printed,
    ) ?? []
  expect(token, printed).to.be.a('string')
  const rows = (list ?? '').split('\n')
  expect(rows).to.have.length(11)
  expect(rows).to.include('article: Three Photographs of Far Away')
  expect(new Set(rows.map((row) => row.split(': ', 1)[0])).size).to.be.at.least(6)
  expect(article).to.match(/^\{\n {2}uuid: '9e1cb12d-/)
  expect(article).to.include('The lamps have grown spikes')
  expect(gallery?.match(/type: 'file'/g)).to.have.length(3)
  expect(gallery?.match(/Photograph: (?:SpaceX|NASA)/g)).to.have.length(3)
  expect(photograph).to.equal('A photograph of the gallery, 400 pixels wide, is in photo.jpg')
  expect(jpegSize(await readFile(join(directory, 'photo.jpg')))).to.deep.equal({ width: 400, height: 267 })
}

describe('the commands of the welcome message', function () {
  this.timeout(30_000)

  it('work as the first start prints them', () =>
    withDirectory(async (directory) => {
      const service = await launchService({ DATA_DIR: join(directory, 'data') })
      const printed = await runPasted(blockOf(service.out()), directory)
      expect((await service.stop()).code).to.equal(0)
      await expectTour(printed, directory)
    }))

  it('work with a configured secret, and with a public base URL', () =>
    withDirectory(async (directory) => {
      const environment = {
        BOOTSTRAP_API_KEY: 'newcomer',
        BOOTSTRAP_API_SECRET: 'a-secret-of-my-own',
        BASE_URL: 'https://www.example.org/publishing',
      }
      const service = await startTestService(environment)
      const text = await welcome(service, configurationOf(environment))
      expect(text).to.include('(bash or zsh) with the secret in line 3:')
      expect(text).to.not.include(environment.BOOTSTRAP_API_SECRET)
      const { BOOTSTRAP_API_SECRET } = environment
      const printed = await runPasted(blockOf(text), directory, { BOOTSTRAP_API_SECRET })
      const rejected = await runPasted(blockOf(text), directory, {
        BOOTSTRAP_API_SECRET: 'not-the-secret-at-all',
      })
      await service.stop()
      expect(printed).to.include('https://www.example.org/publishing/1/content/')
      await expectTour(printed, directory)
      expect(rejected).to.match(/^\nA token: .*(?:key|secret)/)
    }))

  it('are printed on the first start only', () =>
    withDirectory(async (directory) => {
      const first = await launchService({ DATA_DIR: directory })
      expect(first.out()).to.match(/^TOKEN=/m)
      await first.stop()
      const later = await launchService({ DATA_DIR: directory })
      expect(later.out()).to.not.match(/TOKEN=|API_SECRET/)
      await later.stop()
    }))
})
