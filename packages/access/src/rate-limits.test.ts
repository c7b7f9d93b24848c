import { expect } from 'chai'
import { describe, it } from 'mocha'
import fc from 'fast-check'
import { clientAddress, clientNetworks, networkPolicies, rateCeiling } from './rate-limits.js'

describe('clientAddress', () => {
  it('is an IPv4 address, in one spelling', () => {
    expect(clientAddress('192.0.2.1')).to.equal('192.0.2.1')
    expect(clientAddress('::ffff:192.0.2.1')).to.equal('192.0.2.1')
    expect(clientAddress('::FFFF:192.0.2.1')).to.equal('192.0.2.1')
    expect(clientAddress('192.0.2.2')).not.to.equal(clientAddress('192.0.2.1'))
  })

  it('is the /64 network of an IPv6 address, in one spelling', () => {
    const same = [
      '2001:db8:0:7::1',
      '2001:0DB8::7:ffff:0:0:1',
      '2001:db8:0:7:1:2:3:4',
      '2001:db8:0:7::1%eth0',
    ]
    for (const address of same) expect(clientAddress(address), address).to.equal('2001:db8:0:7::/64')
    expect(clientAddress('2001:db8:0:8::1')).not.to.equal(clientAddress('2001:db8:0:7::1'))
    expect(clientAddress('::1')).to.equal('0:0:0:0::/64')
    expect(clientAddress('fe80::1')).to.equal('fe80:0:0:0::/64')
  })

  it('is defined for other texts that a proxy may send', () => {
    for (const text of ['', 'unknown', ':', '::', '[2001:db8::1]:80'])
      expect(clientAddress(text)).to.be.a('string')
  })
})

describe('the network that limits count by', () => {
  for (const [address, network] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['2001:0DB8:0000:0001:aaaa:bbbb:cccc:dddd', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['', ''],
  ] as const)
    it(`of ${address || 'nothing'} is ${network || 'nothing'}`, () => {
      expect(clientAddress(address)).to.equal(network)
    })
})

describe('the networks that failures are counted for', () => {
  const namesOf = (address: string) => clientNetworks(address).map(({ name }) => name)

  it('are three of an IPv6 address, the smallest first', () => {
    expect(namesOf('2001:db8:0:1234::1')).to.deep.equal([
      '2001:db8:0:1234::/64',
      '2001:db8:0:1200::/56',
      '2001:db8:0::/48',
    ])
    expect(namesOf('::1')).to.deep.equal(['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48'])
    expect(clientNetworks('2001:db8::').map(({ policy }) => policy)).to.deep.equal(networkPolicies)
  })

  it('are shared by the addresses in them, and by no others', () => {
    const [, household, site] = namesOf('2001:db8:7:12ff::1')
    expect(namesOf('2001:db8:7:1200::2').slice(1)).to.deep.equal([household, site])
    expect(namesOf('2001:db8:7:1300::1')[1]).not.to.equal(household)
    expect(namesOf('2001:db8:7:1300::1')[2]).to.equal(site)
    expect(namesOf('2001:db8:8:1200::1')[2]).not.to.equal(site)
  })

  it('are an IPv4 address alone, and what a proxy sends in place of an address', () => {
    expect(namesOf('::ffff:192.0.2.1')).to.deep.equal(['192.0.2.1'])
    expect(namesOf('unknown')).to.deep.equal(['unknown'])
  })
})

describe('rateCeiling', () => {
  it('is the whole limit for a single process', () => {
    expect(rateCeiling(600, { published: 0, others: 0, processes: 1 })).to.equal(600)
    expect(rateCeiling(600, { published: 400, others: 0, processes: 1 })).to.equal(600)
  })

  it('subtracts the counts of other processes, and divides the rest', () => {
    expect(rateCeiling(600, { published: 0, others: 0, processes: 3 })).to.equal(200)
    expect(rateCeiling(600, { published: 200, others: 100, processes: 3 })).to.equal(300)
    expect(rateCeiling(600, { published: 0, others: 599, processes: 2 })).to.equal(1)
    expect(rateCeiling(600, { published: 10, others: 900, processes: 2 })).to.equal(10)
  })

  it('limits processes with the same counts to the limit in total', () => {
    const counts = fc.array(fc.nat(300), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 1000 }), (all, limit) => {
        const sum = all.reduce((one, other) => one + other, 0)
        const ceilings = all.map((published) =>
          rateCeiling(limit, { published, others: sum - published, processes: all.length }),
        )
        // Each may round its part up.
        expect(ceilings.reduce((one, other) => one + other, 0)).to.be.below(Math.max(limit, sum) + all.length)
      }),
    )
  })
})
