/** What the passing of time does to a service under load: schedules, lifetimes, retention, and tasks that are repeated. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { startReceiver, type Receiver } from '../harness/webhook-receiver.js'
import { makeDataFolder, type DataFolder } from './data-folder.js'
import { day } from './day-place.js'
import { killRemaining } from './service-process.js'
import { simulateDay } from './simulated-day.js'

/** DAY_HOURS is the number of simulated hours, and DAY_SPEED how many of them pass in an hour. */
const chosen = process.env['DAY_HOURS']
const hours = Number(chosen ?? 1.15)
const speed = Number(process.env['DAY_SPEED'] ?? (chosen === undefined ? 80 : 110))

const print = (text: string): void => {
  if (chosen !== undefined) process.stdout.write(`      ${text}\n`)
}

/** What happens in any run. In a whole day, sessions and tokens end too. */
const happened = [
  'drafts published',
  'articles gone live',
  'listings begun and ended',
  'looks at expired previews',
  'presences ended',
  'requests refused by rates',
  'rates renewed',
  'looks at the audit log',
  'backups made',
  'looks at what was there',
  'looks at what was not there',
  ...(hours > 24.5 ? ['tokens expired', 'sessions used in time', 'sessions left'] : []),
]

describe('a service whose clock is fast', function () {
  this.timeout(0)
  let receiver: Receiver
  let folder: DataFolder
  let backups: DataFolder
  before(async () => {
    receiver = await startReceiver()
    folder = await makeDataFolder()
    backups = await makeDataFolder()
  })
  after(async () => {
    receiver.close()
    await killRemaining()
    await folder.remove()
    await backups.remove()
  })

  it(`does at its time what is due in ${hours} hours, and in 200 days for which it is stopped`, async () => {
    const { faults, counts } = await simulateDay({
      folder,
      backups: backups.path,
      receiver,
      // In the night that follows, the clocks of Vienna are put forward. Files have times of the machine, which are later.
      from: Date.parse('2026-03-28T12:00:00Z'),
      hours,
      speed,
      leap: 200 * day,
      onHour: print,
    })
    for (const [what, count] of Object.entries(counts)) print(`${what}: ${count}`)
    expect(faults).to.deep.equal([])
    for (const what of happened) expect(counts[what], what).to.be.greaterThan(0)
  })
})
