import { expect } from 'chai'
import { describe, it } from 'mocha'
import { forwardedAddress, forwardedHost, forwardedIn, forwardedScheme } from './forwarded.js'

describe('what a trusted proxy forwards', () => {
  for (const [header, address] of [
    ['203.0.113.8', '203.0.113.8'],
    ['203.0.113.8:40001', '203.0.113.8'],
    ['198.51.100.1, 203.0.113.8:40001', '203.0.113.8'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:40001', '2001:db8::1'],
    ['::ffff:203.0.113.8', '::ffff:203.0.113.8'],
    ['203.0.113.8,', null],
    ['203.0.113.8:x', null],
    ['203.0.113.256:1', null],
    ['[203.0.113.8', null],
    ['unknown', null],
    ['_hidden', null],
    ['', null],
    [undefined, null],
  ] as const)
    it(`has the address ${address ?? 'of the peer'} for ${header ?? 'no header'}`, () => {
      expect(forwardedAddress(header)).to.equal(address)
    })

  it('has the scheme http or https, in any letter case, and no other', () => {
    for (const header of ['https', 'HTTPS', 'http, https'])
      expect(forwardedScheme(header), header).to.equal('https')
    expect(forwardedScheme('http')).to.equal('http')
    for (const header of ['javascript', 'https://', 'http s', 'wss', '', undefined])
      expect(forwardedScheme(header), header).to.equal(null)
  })

  it('has a host with or without a port, and nothing else', () => {
    for (const host of ['api.example.org', 'api.example.org:8443', '192.0.2.1:80', '[2001:db8::1]:443'])
      expect(forwardedHost(`evil.example, ${host}`)).to.equal(host)
    for (const header of [
      'a.example/x',
      'a b',
      'user@a.example',
      '<script>',
      'a.example:99999',
      '',
      undefined,
    ])
      expect(forwardedHost(header), header).to.equal(null)
  })

  it('says what headers have, for the operator, and no address', () => {
    const headers = {
      'x-forwarded-for': '10.0.0.7',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'api.example.org',
    }
    expect(forwardedIn(headers)).to.deep.equal({ for: true, proto: 'https', host: 'api.example.org' })
    expect(forwardedIn({ 'x-forwarded-for': 'unknown' })).to.deep.equal({ for: false, proto: '', host: '' })
  })
})
