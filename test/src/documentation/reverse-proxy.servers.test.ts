/** The nginx configuration of docs/run-in-production.md, with compression on: conditional writes, links and headers. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import type { Json } from '@publishing-service/domain/json'
import { expectOk } from '../harness/expect-response.js'
import { createApi } from '../harness/http-client.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** The documented configuration on other ports and without TLS, as a whole one that compresses what it can. */
const configurationOf = (documented: string, folder: string, port: number, service: string): string => {
  const servers = documented
    .replace('server 127.0.0.1:8080;', `server ${new URL(service).host};`)
    .replace('  server 127.0.0.1:8081;\n', '')
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  return `daemon off; master_process off; pid ${folder}/pid; error_log stderr warn;
events {}
http {
  access_log off; gzip on; gzip_proxied any; gzip_min_length 1; gzip_types application/json;
  ${temporary.join(' ')}
  ${servers}
}`
}

describe('behind the documented nginx, with compression on', function () {
  this.timeout(30_000)
  let nginx: ChildProcess
  let folder: string
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

  const startNginx = async (target: TestService): Promise<number> => {
    const text = await readFile(new URL('../../../docs/run-in-production.md', import.meta.url), 'utf8')
    const [, documented = ''] = /```nginx\n(.*?)```/s.exec(text) ?? []
    const port = await freePort()
    await writeFile(join(folder, 'nginx.conf'), configurationOf(documented, folder, port, target.url))
    nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr'], {
      stdio: 'inherit',
    })
    for (;;) {
      const response = await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => null)
      if (response?.ok === true) return port
      if (nginx.exitCode !== null) throw new Error(`nginx ended with ${nginx.exitCode}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nginx-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  for (const compression of ['true', 'false'])
    describe(`and with COMPRESSION=${compression} in the service`, () => {
      before(async () => {
        service = await proxied({ COMPRESSION: compression })
        address = `http://127.0.0.1:${await startNginx(service)}/1`
        token = await service.tokenFor('editor')
      })
      after(async () => {
        nginx.kill()
        await once(nginx, 'exit')
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
      const port = await startNginx(plain)
      const reader = createApi(`http://127.0.0.1:${port}/1`, await plain.tokenFor('reader'))
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
      nginx.kill()
      await once(nginx, 'exit')
      await plain.stop()
    }
  })
})
