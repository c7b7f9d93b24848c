/** The contract of the port `Log` as a mocha suite. */
import type { Log, LogLevel } from '@publishing-service/ports'
import { expect } from 'chai'
import { afterEach, describe, it } from 'mocha'
import { type Conformance, declareContract } from './contract.js'

/** A log with a separate output. */
export type LogUnderTest = {
  readonly log: Log
  /** The lines written so far, without line ends. */
  readonly lines: () => Promise<readonly string[]>
  readonly dispose: () => Promise<void>
}

/** `open` opens a log of this level for one test. */
export type LogConformance = Conformance<'log', (level: LogLevel) => Promise<LogUnderTest>>

const levels: readonly LogLevel[] = ['error', 'warn', 'info', 'debug']
const hidden = ['secret', 'api_secret', 'access_token', 'authorization', 'password']

/** Declares the suite for one log. */
export const logConformance = (options: LogConformance): void => {
  const { open } = options
  declareContract('log', options, 10_000, () => {
    let opened: LogUnderTest
    const start = async (level: LogLevel) => {
      opened = await open(level)
      return opened.log
    }
    const written = async () => {
      await opened.log.close()
      return opened.lines()
    }
    afterEach(() => opened.dispose())

    describe('Writes one line for each event.', () => {
      it('with the event and its fields, with any characters', async () => {
        const log = await start('debug')
        log.write('info', 'request', { path: '/a\nb', agent: '"x"\r\n\u2028{"level":"error"}', status: 200 })
        log.write('warn', 'slow', { ok: true, nothing: null, absent: undefined })
        log.write('error', 'plain')
        const lines = await written()
        expect(lines.length).to.equal(3)
        expect(lines[0]).to.include('request').and.to.include('200').and.to.include('{')
        expect(lines[1]).to.include('slow').and.to.include('nothing').and.to.not.include('absent')
        expect(lines[2]).to.include('plain')
      })
      it('in the order in which they were written', async () => {
        const log = await start('info')
        const events = Array.from({ length: 5_000 }, (_, at) => `event-${at}-`)
        for (const event of events) log.write('info', event, { some: 'thing' })
        const lines = await written()
        expect(lines.length).to.equal(events.length)
        expect(lines.every((line, at) => line.includes(events[at] ?? '?'))).to.equal(true)
      })
    })

    describe('A line below the configured level is not written.', () => {
      for (const [index, level] of levels.entries()) {
        it(`at ${level}`, async () => {
          const log = await start(level)
          const shown = levels.slice(0, index + 1)
          for (const each of levels) {
            expect(log.enabled(each), each).to.equal(shown.includes(each))
            log.write(each, `at-${each}-level`)
          }
          const lines = await written()
          expect(lines.length).to.equal(shown.length)
          expect(lines.every((line, at) => line.includes(`at-${shown[at] ?? '?'}-level`))).to.equal(true)
        })
      }
    })

    describe('A field named secret, api_secret, access_token, authorization or password is written as `[hidden]`.', () => {
      for (const field of hidden) {
        it(field, async () => {
          const log = await start('debug')
          for (const level of levels) log.write(level, 'signed-in', { [field]: 'Tr0ub4dor', by: 'someone' })
          log.write('info', 'number', { [field]: 471_147 })
          const lines = await written()
          expect(lines.length).to.equal(levels.length + 1)
          for (const line of lines) {
            expect(line).to.include('[hidden]').and.to.include(field)
            expect(line).to.not.include('Tr0ub4dor').and.to.not.include('471147')
          }
          expect(lines[0]).to.include('someone')
        })
      }
      it('and the passed fields are not changed', async () => {
        const log = await start('debug')
        const fields = Object.freeze({ secret: 'Tr0ub4dor', by: 'someone' })
        log.write('info', 'signed-in', fields)
        expect(fields.secret).to.equal('Tr0ub4dor')
        expect((await written()).length).to.equal(1)
      })
    })

    describe('Closing writes what is still buffered.', () => {
      it('one line', async () => {
        const log = await start('info')
        log.write('info', 'last-event')
        expect((await written()).join()).to.include('last-event')
      })
      it('many lines; closing is idempotent', async () => {
        const log = await start('info')
        for (let at = 0; at < 2_000; at += 1) log.write('info', `event-${at}-`, { text: 'x'.repeat(500) })
        const closing = [log.close(), log.close()]
        await Promise.all(closing)
        const lines = await written()
        expect(lines.length).to.equal(2_000)
        expect(lines.at(-1)).to.include('event-1999-')
      })
    })
  })
}
