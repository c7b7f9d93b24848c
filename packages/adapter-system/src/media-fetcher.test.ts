import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { afterEach, describe, it } from 'mocha'
import { mediaFetcher, type MediaFetcherOptions } from './media-fetcher.js'

describe('mediaFetcher', () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })

  const serve = async (
    answer: (request: IncomingMessage, response: ServerResponse) => void,
  ): Promise<string> => {
    const server = createServer(answer)
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server listens on a port
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  const fetched = async (address: string, options: Partial<MediaFetcherOptions> = {}): Promise<string> => {
    const found = await mediaFetcher({ allowPrivate: true, perSecond: 1000, pauses: [1, 1], ...options })(
      address,
    )
    if ('problem' in found) return found.problem
    const pieces: Uint8Array[] = []
    for await (const piece of found.body) pieces.push(piece)
    const text = Buffer.concat(pieces).toString()
    return `${found.type} ${found.length} ${text}`
  }

  it('returns data with its type, also after redirects', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/old') response.writeHead(301, { Location: '/new' }).end()
      else if (request.url === '/loop') response.writeHead(302, { Location: '/loop' }).end()
      else response.writeHead(200, { 'Content-Type': 'image/gif', 'Content-Length': 3 }).end('abc')
    })
    expect(await fetched(`${url}/new`)).to.equal('image/gif 3 abc')
    expect(await fetched(`${url}/old`)).to.equal('image/gif 3 abc')
    expect(await fetched(`${url}/loop`)).to.include('redirects')
  })

  it('tries again what may pass, and nothing else', async () => {
    let requests = 0
    const url = await serve((request, response) => {
      requests += 1
      if (request.url === '/missing') response.writeHead(404).end()
      else if (request.url === '/busy' && requests < 3) response.writeHead(503).end()
      else if (request.url === '/closed') response.destroy()
      else response.end('abc')
    })
    expect(await fetched(`${url}/busy`)).to.include('abc')
    expect(requests).to.equal(3)
    expect(await fetched(`${url}/missing`)).to.include('404')
    expect(requests).to.equal(4)
    await fetched(`${url}/closed`)
    expect(requests).to.equal(7)
  })

  it('ends a request that is not answered, and a body that stops', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/stops') response.write('a')
    })
    expect(await fetched(url, { timeout: 50, pauses: [] })).to.include('does not answer')
    const stopped = await fetched(`${url}/stops`, { timeout: 50, pauses: [] }).catch(String)
    expect(stopped).to.include('no more data')
  })

  it('reaches no private address, by a name, an address or a redirect', async () => {
    const url = await serve((_request, response) => response.end('secret'))
    const leads = await serve((_request, response) => response.writeHead(302, { Location: url }).end())
    for (const address of [url, 'http://localhost/', 'http://[::1]/', 'http://169.254.169.254/', leads])
      expect(await fetched(address, { allowPrivate: false }), address).to.include('private')
    const toItself: MediaFetcherOptions['lookup'] = (_name, _options, found) =>
      found(null, [{ address: '127.0.0.1', family: 4 }])
    const named = `http://pictures.test:${new URL(url).port}/`
    expect(await fetched(named, { allowPrivate: false, lookup: toItself })).to.include('private')
    expect(await fetched(named, { allowPrivate: true, lookup: toItself })).to.include('secret')
    expect(await fetched('file:///etc/passwd')).to.include('file:')
    expect(await fetched('no address')).to.include('no')
  })

  it('begins no more requests in a second than it may', async () => {
    const times: number[] = []
    const url = await serve((_request, response) => {
      times.push(performance.now())
      response.end('a')
    })
    const fetchMedia = mediaFetcher({ allowPrivate: true, perSecond: 2 })
    const found = await Promise.all([1, 2, 3].map(() => fetchMedia(url)))
    expect(found.every((each) => 'body' in each)).to.equal(true)
    expect((times[2] ?? 0) - (times[0] ?? 0)).to.be.above(500)
  })
})
