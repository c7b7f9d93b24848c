import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { logConformance } from '@publishing-service/conformance'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { pinoLog } from './pino-log.js'

const program = fileURLToPath(new URL('test-processes/logging-process.js', import.meta.url))

const linesOf = (text: string): readonly string[] => text.split('\n').slice(0, -1)
const eventOf = (line: string): unknown => (JSON.parse(line) as { readonly event: unknown }).event

logConformance({
  name: 'pino',
  open: async (level) => {
    const directory = await mkdtemp(join(tmpdir(), 'log-'))
    const destination = join(directory, 'log.jsonl')
    const log = pinoLog({ level, destination })
    return {
      log,
      lines: async () => linesOf(await readFile(destination, 'utf8')),
      dispose: async () => {
        await log.close()
        await rm(directory, { recursive: true })
      },
    }
  },
})

const start = (ending: string, count: number) => {
  const child = spawn(process.execPath, [program, ending, String(count)], { stdio: 'pipe' })
  child.stdout.setEncoding('utf8')
  child.stderr.setEncoding('utf8')
  const ended = once(child, 'close')
  return { child, ended }
}

const everything = (from: NodeJS.ReadableStream): (() => string) => {
  let text = ''
  from.on('data', (part: string) => (text += part))
  return () => text
}

describe('pino log', function () {
  this.timeout(30_000)

  it('is JSON: level, time, the fields as they are, the event', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'log-'))
    const destination = join(directory, 'log.jsonl')
    const log = pinoLog({ level: 'info', destination })
    const before = Date.now()
    log.write('warn', 'slow %s', {
      path: '/ü\n',
      ms: 1.5,
      cached: false,
      by: null,
      password: 'x',
      absent: undefined,
    })
    await log.close()
    const text = await readFile(destination, 'utf8')
    await rm(directory, { recursive: true })
    const line = JSON.parse(text) as Record<string, unknown>
    const { time, ...rest } = line
    expect(rest).to.deep.equal({
      level: 'warn',
      path: '/ü\n',
      ms: 1.5,
      cached: false,
      by: null,
      password: '[hidden]',
      event: 'slow %s',
    })
    expect(Date.parse(String(time))).to.be.within(before, Date.now())
  })

  for (const ending of ['exit', 'throw', 'end'] as const) {
    it(`is written to standard error, completely when the process ends by ${ending}`, async () => {
      const { child, ended } = start(ending, 3_000)
      const text = everything(child.stderr)
      await ended
      const events = linesOf(text())
        .filter((line) => line.startsWith('{'))
        .map(eventOf)
      expect(events.length).to.equal(3_000)
      expect(events.at(-1)).to.equal('event-2999')
    })
  }

  it('writes a single line soon, without a flush', async () => {
    const { child, ended } = start('wait', 1)
    const [text] = (await once(child.stderr, 'data')) as [string]
    expect(eventOf(text)).to.equal('event-0')
    child.stdin.end('go on')
    await ended
  })

  it('counts the lines that are lost while no reader accepts them', async () => {
    const count = 60_000
    const { child, ended } = start('close', count)
    await once(child.stdout, 'data')
    const text = everything(child.stderr)
    const said = everything(child.stdout)
    child.stdin.end('go on')
    await ended
    expect(said()).to.equal(' closed')
    const lines = linesOf(text()).map(
      (line) => JSON.parse(line) as { readonly event: string; readonly lines?: number },
    )
    const dropped = lines.reduce((sum, line) => sum + (line.lines ?? 0), 0)
    const kept = lines.filter((line) => line.event.startsWith('event-')).length
    expect(dropped).to.be.above(0)
    expect(kept + dropped).to.be.within(count, count + 1)
  })

  it('closes when the reader of its lines has ended', async () => {
    const { child, ended } = start('close', 100)
    await once(child.stdout, 'data')
    const said = everything(child.stdout)
    child.stderr.destroy()
    child.stdin.end('go on')
    const [code] = (await ended) as [number | null]
    expect(said()).to.equal(' closed')
    expect(code).to.equal(0)
  })

  it('lives on with a disk that is full', async () => {
    const { child, ended } = start('full', 100)
    const said = everything(child.stdout)
    const [code] = (await ended) as [number | null]
    expect(said()).to.equal('closed')
    expect(code).to.equal(0)
  })
})
