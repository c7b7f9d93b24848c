import { expect } from 'chai'
import { describe, it } from 'mocha'
import { afterHeartbeat, isPresent, presenceSeconds } from './presence.js'

const start = 1_000_000
const lifetime = presenceSeconds * 1000

// docs/behaviour/presence.md#heartbeat
describe('the presence of a user', () => {
  const first = afterHeartbeat('ada', null, start)

  it('lasts from the first heartbeat until none has come for a while', () => {
    expect(first).to.deep.equal({ user: 'ada', since: start, seen: start })
    const second = afterHeartbeat('ada', first, start + lifetime - 1)
    expect(second).to.include({ since: start, seen: start + lifetime - 1 })
    expect(isPresent(second, start + 2 * lifetime - 2)).to.equal(true)
    expect(isPresent(second, start + 2 * lifetime - 1)).to.equal(false)
  })

  it('begins anew after a gap', () => {
    expect(afterHeartbeat('ada', first, start + lifetime).since).to.equal(start + lifetime)
  })

  it('ends although the clock of its heartbeat was set back', () => {
    expect(isPresent(first, start - 1000)).to.equal(true)
    expect(isPresent(first, start - lifetime)).to.equal(false)
  })
})
