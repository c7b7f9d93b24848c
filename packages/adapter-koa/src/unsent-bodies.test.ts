/** The sum of bodies that wait for clients that do not read. */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { recordingLog } from '@publishing-service/adapter-memory'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { limitUnsentBodies } from './waiting.js'

const responseTo = (method = 'GET'): ServerResponse => {
  const request = new IncomingMessage(new Socket())
  request.method = method
  return new ServerResponse(request)
}

describe('the limit of unsent bodies', () => {
  it('refuses what exceeds it, with a time to retry, until others are sent; and logs that once', () => {
    const log = recordingLog('debug')
    const unsent = limitUnsentBodies(1_000_000, log)
    const [first, second] = [responseTo(), responseTo()]
    expect(unsent.add(first, 600_000)).to.equal(null)
    expect(unsent.add(second, 400_000)).to.equal(null)
    expect(unsent.add(responseTo(), 20_000)).to.deep.equal({ _tag: 'Unavailable', retryAfter: 5 })
    expect(unsent.add(responseTo(), 20_000)).not.to.equal(null)
    expect(log.entries().map(({ event }) => event)).to.deep.equal(['too many unsent responses'])
    first.emit('close')
    expect(unsent.add(responseTo(), 600_000)).to.equal(null)
    expect(unsent.add(responseTo(), 1_000_000)).not.to.equal(null)
    expect(log.entries(), 'reached again').to.have.lengthOf(2)
  })

  it('counts the response to a write, and never refuses it', () => {
    const unsent = limitUnsentBodies(100_000, recordingLog('debug'))
    expect(unsent.add(responseTo('PUT'), 100_000)).to.equal(null)
    expect(unsent.add(responseTo('POST'), 100_000)).to.equal(null)
    expect(unsent.add(responseTo(), 20_000)).not.to.equal(null)
  })

  it('counts neither HEAD nor a response whose client has gone', () => {
    const unsent = limitUnsentBodies(100_000, recordingLog('debug'))
    expect(unsent.add(responseTo(), 100_000)).to.equal(null)
    expect(unsent.add(responseTo('HEAD'), 1_000_000)).to.equal(null)
    const gone = responseTo()
    gone.destroy()
    expect(unsent.add(gone, 1_000_000)).to.equal(null)
  })
})
