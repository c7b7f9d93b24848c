/** The response of the root URL to programs and to browsers (docs/behaviour/wire.md#service-root). */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { apiVersion } from '@publishing-service/http-contract'
import { expectError, expectOk, expectStatus } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

describe('GET /', () => {
  let service: TestService
  let root: Api
  before(async () => {
    service = await startTestService()
    root = createApi(service.url)
  })
  after(() => service.stop())

  it('returns name, version and addresses to programs', async () => {
    for (const Accept of [undefined, '*/*', 'application/json', 'application/json, text/html;q=0.9']) {
      const response = expectOk(await root.get('/', { Accept }))
      expect(response.object).to.deep.equal({
        name: 'Publishing Service',
        version: apiVersion,
        openapi_url: `${service.url}/openapi.json`,
        docs_url: `${service.url}/docs`,
        dashboard_url: `${service.url}/dashboard`,
        health_url: `${service.url}/health/ready`,
      })
      expect(response.headers['cache-control']).to.equal('public, max-age=300')
      expect(response.headers.vary).to.equal('Accept, Authorization, Accept-Encoding')
    }
  })

  it('names addresses that respond', async () => {
    const { object } = expectOk(await root.get('/'))
    for (const name of ['openapi_url', 'docs_url', 'health_url'])
      expectOk(await root.get(new URL(String(object[name])).pathname))
    const dashboard = await fetch(String(object['dashboard_url']))
    expect([dashboard.status, dashboard.url]).to.deep.equal([200, `${service.url}/dashboard/`])
  })

  it('redirects clients that prefer HTML to the reference', async () => {
    for (const Accept of [browser, 'text/html', 'text/html, application/json;q=0.5', 'text/*'])
      for (const method of ['GET', 'HEAD']) {
        const { headers, text } = expectStatus(await root.send(method, '/', { headers: { Accept } }), 302)
        expect(headers.location).to.equal(`${service.url}/docs`)
        expect(headers['cache-control']).to.equal('public, max-age=300')
        expect(headers.vary).to.equal('Accept, Authorization')
        expect(text).to.equal('')
      }
  })

  it('has no other format, and no other method', async () => {
    expectError(await root.get('/', { Accept: 'image/png' }), 406, 'not_acceptable')
    expectError(await root.send('POST', '/'), 405, 'method_not_allowed')
    expect(expectOk(await root.send('OPTIONS', '/')).headers.allow).to.equal('GET, HEAD, OPTIONS')
  })
})
