import { expect } from 'chai'
import Koa from 'koa'
import { afterEach, describe, it } from 'mocha'
import { crossOrigin, varyOf } from './cross-origin.js'
import { startTestServer, type TestServer } from './test-support/test-server.js'

const website = 'https://www.example.org'
const preflight = { Origin: website, 'Access-Control-Request-Method': 'PATCH' }

describe('calls from other origins', () => {
  let server: TestServer | null = null
  let served = 0
  afterEach(async () => {
    await server?.close()
    server = null
  })

  const serving = async (...origins: readonly string[]): Promise<TestServer['send']> => {
    served = 0
    const app = new Koa()
    app.use(async (koa, next) => {
      koa.respond = false
      await next()
    })
    const isPreflight = crossOrigin(origins)
    app.use(async (koa) => {
      const { res } = koa
      if (isPreflight !== null && (await isPreflight(koa)))
        return void res.writeHead(200, { 'Content-Length': 0 }).end()
      served += 1
      res.writeHead(200, { Vary: varyOf(res) }).end('served')
    })
    server = await startTestServer(app.callback())
    return server.send
  }

  it('are allowed from a configured origin, which may read the response headers', async () => {
    const send = await serving('https://other.example.org', website)
    const { headers, text } = await send('GET', '/', { Origin: website })
    expect(text).to.equal('served')
    expect(headers['access-control-allow-origin']).to.equal(website)
    expect(headers['access-control-expose-headers']?.split(',')).to.include.members([
      'ETag',
      'X-Request-Id',
      'Retry-After',
      'RateLimit',
    ])
    expect(headers).not.to.have.property('access-control-allow-credentials')
  })

  it('are served to other origins without permission to read the response', async () => {
    const send = await serving(website)
    for (const origin of [
      'https://evil.example.org',
      `${website}.evil.org`,
      'http://www.example.org',
      'null',
      '*',
    ]) {
      const { headers, text } = await send('GET', '/', { Origin: origin })
      expect([text, headers['access-control-allow-origin']], origin).to.deep.equal(['served', undefined])
    }
  })

  it('are allowed from every origin if * is configured', async () => {
    const send = await serving('*')
    const { headers } = await send('GET', '/', { Origin: 'https://anything.example.org' })
    expect(headers['access-control-allow-origin']).to.equal('*')
  })

  it('have responses that vary by Origin, also without an Origin header', async () => {
    const send = await serving(website)
    for (const headers of [{}, { Origin: website }, { Origin: 'https://evil.example.org' }])
      expect((await send('GET', '/', headers)).headers.vary).to.equal('Accept, Authorization, Origin')
  })

  it('return 200 for a preflight, without calling the endpoint', async () => {
    const send = await serving(website)
    const { status, headers, text } = await send('OPTIONS', '/', {
      ...preflight,
      'Access-Control-Request-Headers': 'authorization,if-match',
    })
    expect([status, text, headers['content-length'], served]).to.deep.equal([200, '', '0', 0])
    expect(headers['access-control-allow-origin']).to.equal(website)
    expect(headers['access-control-allow-methods']?.split(',')).to.include.members(['PATCH', 'DELETE', 'PUT'])
    expect(headers['access-control-allow-headers']).to.equal('authorization,if-match')
    expect(headers['access-control-max-age']).to.equal('600')
    expect(headers.vary).to.equal('Origin')
  })

  it('serve a preflight of another origin as plain OPTIONS, without permission', async () => {
    const send = await serving(website)
    const { headers } = await send('OPTIONS', '/', { ...preflight, Origin: 'https://evil.example.org' })
    expect(served).to.equal(1)
    expect(headers).not.to.have.any.keys('access-control-allow-origin', 'access-control-allow-methods')
  })

  it('serve OPTIONS that is not a preflight', async () => {
    const send = await serving(website)
    await send('OPTIONS', '/', { Origin: website })
    expect(served).to.equal(1)
  })
})
