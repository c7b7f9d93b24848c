/** The nginx configuration of docs/run-in-production.md, with compression on: conditional writes, links and headers. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import type { Json } from '@publishing-service/domain/json'
import { expectOk } from '../harness/expect-response.js'
import { createApi } from '../harness/http-client.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'
import type { ServerProcess } from '../../servers/dist/index.js'
import { startDocumentedNginx } from './documented-nginx.js'

const compressing = 'gzip on; gzip_proxied any; gzip_min_length 1; gzip_types application/json;'

describe('behind the documented nginx, with compression on', function () {
  this.timeout(30_000)
  let nginx: ServerProcess
  let address = ''
  let token = ''
  let service: TestService
  let plain: TestService
  /** A request as the dashboard sends it. Its responses are not those of the OpenAPI document: nginx changes them. */
  const send = (
    method: string,
    path: string,
    body: Json = null,
    headers: Readonly<Record<string, string>> = {},
  ) =>
    fetch(`${address}${path}`, {
      method,
      body: body === null ? null : JSON.stringify(body),
      headers: {
        'Accept-Encoding': 'gzip, deflate, br',
        'Content-Type': 'application/json',
        Authorization: `Bearer ${token}`,
        ...headers,
      },
    })
  const proxied = async (environment: Readonly<Record<string, string>>): Promise<TestService> =>
    startTestService({ TRUST_PROXY: 'true', ...environment })

  const startNginx = async (target: TestService): Promise<string> => {
    nginx = await startDocumentedNginx([new URL(target.url).host], compressing)
    return `http://${nginx.address}`
  }

  for (const compression of ['true', 'false'])
    describe(`and with COMPRESSION=${compression} in the service`, () => {
      before(async () => {
        service = await proxied({ COMPRESSION: compression })
        address = `${await startNginx(service)}/1`
        token = await service.tokenFor('editor')
      })
      after(async () => {
        await nginx.dispose()
        await service.stop()
      })

      it('saves with the tag of a response, and refuses a tag that is outdated', async () => {
        const article = {
          content_type: 'article',
          title: 'One',
          urlname: 'one',
          description: 'x'.repeat(2000),
        }
        const tags: string[] = []
        for (const value of [article, { ...article, urlname: 'two', description: 'short' }]) {
          const { uuid } = Object(await (await send('POST', '/content', value)).json())
          const path = `/content/${uuid}`
          const tag = String((await send('GET', path)).headers.get('ETag'))
          tags.push(tag)
          expect((await send('GET', path, null, { 'If-None-Match': tag })).status).to.equal(304)
          const statuses: number[] = []
          for (const title of ['Two', 'Three'])
            statuses.push((await send('PATCH', path, { title }, { 'If-Match': tag })).status)
          expect(statuses).to.deep.equal([200, 412])
          const newest = String((await send('GET', path)).headers.get('ETag'))
          expect((await send('DELETE', path, null, { 'If-Match': newest })).status).to.equal(200)
        }
        // The service compresses the long response, nginx the others, whose tags it makes weak.
        expect(tags.map((tag) => tag.startsWith('W/'))).to.deep.equal([compression === 'false', true])
      })
    })

  it('passes no forwarded header of a client on, and has browsers use HTTPS', async () => {
    plain = await proxied({})
    try {
      const reader = createApi(`${await startNginx(plain)}/1`, await plain.tokenFor('reader'))
      const { text, headers } = expectOk(
        await reader.get('', {
          'X-Forwarded-Host': 'evil.example',
          'X-Forwarded-Proto': 'javascript',
          'X-Forwarded-For': '1.2.3.4',
          Forwarded: 'host=evil.example',
        }),
      )
      expect(text).to.include('"http://127.0.0.1').and.not.include('evil')
      expect(headers['strict-transport-security']).to.equal('max-age=31536000')
    } finally {
      await nginx.dispose()
      await plain.stop()
    }
  })
})
