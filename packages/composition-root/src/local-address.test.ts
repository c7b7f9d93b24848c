import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { localUrl, shownUrl } from './local-address.js'

const at = (HOST: string) => ({ HOST, BASE_URL: null })

describe('the address that people see', () => {
  it('has the name localhost where the service listens on this machine, for passkeys', async () => {
    for (const host of ['127.0.0.1', '0.0.0.0', '::'])
      expect(await shownUrl(at(host), 1), host).to.equal('http://localhost:1')
  })

  it('is that of HOST=::1, because not every machine finds this address by the name localhost', async () => {
    expect(await shownUrl(at('::1'), 1)).to.equal('http://[::1]:1')
  })

  it('has the address where another service has the port at the other address of localhost', async () => {
    const other = createServer().listen(0, '::1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    expect(await shownUrl(at('127.0.0.1'), port)).to.equal(`http://127.0.0.1:${port}`)
    other.close()
  })

  it('is that of the proxy before a socket, if it is known', async () => {
    const socket = { HOST: '/run/service.sock', BASE_URL: 'https://cms.example.org' }
    expect(await shownUrl(socket, null)).to.equal('https://cms.example.org')
    expect(localUrl(socket, null)).to.equal('http://localhost')
    expect(await shownUrl(at('/run/service.sock'), null)).to.equal('http://localhost')
  })

  it('is that of other hosts, and independent of BASE_URL', async () => {
    expect(await shownUrl(at('192.0.2.1'), 1)).to.equal('http://192.0.2.1:1')
    expect(await shownUrl({ HOST: '::', BASE_URL: 'https://cms.example.org' }, 1)).to.equal('http://[::1]:1')
    expect(localUrl(at('0.0.0.0'), 1)).to.equal('http://127.0.0.1:1')
  })
})
