import { logConformance } from '@publishing-service/conformance'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { recordingLog } from './recording-log.js'

logConformance({
  name: 'recording',
  open: async (level) => {
    const log = recordingLog(level)
    return {
      log,
      lines: async () => log.entries().map((entry) => JSON.stringify(entry)),
      dispose: () => log.close(),
    }
  },
})

describe('recording log', () => {
  it('returns the entries as written; earlier results do not change', () => {
    const log = recordingLog()
    log.write('info', 'request', { status: 200, absent: undefined })
    const before = log.entries()
    log.write('warn', 'slow', { password: 'x' })
    expect(before).to.deep.equal([{ level: 'info', event: 'request', fields: { status: 200 } }])
    expect(log.entries().at(-1)).to.deep.equal({
      level: 'warn',
      event: 'slow',
      fields: { password: '[hidden]' },
    })
  })
})
