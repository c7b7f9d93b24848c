import { expect } from 'chai'
import { describe, it } from 'mocha'
import { similarTimeZones } from './instance-commands.js'

describe('nearTimeZones', () => {
  for (const [wanted, zone] of [
    ['Vienna', 'Europe/Vienna'],
    ['vienna', 'Europe/Vienna'],
    ['europe/vienna', 'Europe/Vienna'],
    ['Europe/Viena', 'Europe/Vienna'],
    ['Austria/Vienna', 'Europe/Vienna'],
    ['New York', 'America/New_York'],
    ['america/new-york', 'America/New_York'],
    ['Asia/Tokio', 'Asia/Tokyo'],
  ] as const)
    it(`${wanted} → ${zone} first`, () => {
      expect(similarTimeZones(wanted)[0]).to.equal(zone)
    })

  for (const wanted of ['', '/', 'Atlantis', 'Middle-earth/Hobbiton', 'x'.repeat(10_000)])
    it(`«${wanted.slice(0, 30)}» → none`, () => {
      expect(similarTimeZones(wanted)).to.deep.equal([])
    })

  it('returns five at most', () => {
    expect(similarTimeZones('Asia/Aaaa').length).to.be.at.most(5)
  })
})
