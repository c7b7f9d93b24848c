/** Log lines of requests and of a failed start. None contains a secret. */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { createApi } from '../harness/http-client.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'
import { runService, withDirectory } from './program.js'
import { tokenFor } from './token.js'

describe('the log line of a request', function () {
  this.timeout(30_000)
  let service: TestService
  before(async () => {
    service = await startTestService({}, { recorded: 'info' })
  })
  after(() => service.stop())

  const lineOf = async (
    method: string,
    path: string,
    options: RequestInit = {},
  ): Promise<{ readonly fields: Readonly<Record<string, unknown>>; readonly body: Buffer }> => {
    const id = randomUUID()
    const headers = { 'Accept-Encoding': 'identity', ...options.headers, 'X-Request-Id': id }
    const response = await fetch(`${service.url}${path}`, { ...options, method, headers })
    const body = Buffer.from(await response.arrayBuffer())
    const isOurs = () => service.logged().find(({ fields }) => fields['clientRequest'] === id)
    while (isOurs() === undefined) await new Promise(setImmediate)
    const { event, level, fields } = isOurs() ?? {}
    expect({ event, level }).to.deep.equal({ event: 'request', level: 'info' })
    expect(fields).to.include({ status: response.status, address: '127.0.0.1', method })
    expect(fields?.['ms']).to.be.a('number')
    return { fields: fields ?? {}, body }
  }

  it('has the key of a token request if it exists, and how it ended', async () => {
    const { api_key: apiKey, api_secret: secret } = await service.keyFor('reader')
    const fieldsFor = async (fields: Readonly<Record<string, string>>) => {
      const body = new URLSearchParams({ grant_type: 'client_credentials', ...fields })
      return (await lineOf('POST', '/oauth/token', { body })).fields
    }
    const known = await fieldsFor({ api_key: apiKey, api_secret: secret })
    expect(known).to.include({ status: 200, key: apiKey, outcome: 'succeeded' })
    const wrong = await fieldsFor({ api_key: apiKey, api_secret: 'wrong' })
    expect(wrong).to.include({ status: 401, key: apiKey, outcome: 'wrong secret' })
    const swapped = await fieldsFor({ api_key: secret, api_secret: apiKey })
    expect(swapped).to.include({ status: 401, outcome: 'unknown key' })
    expect(JSON.stringify([known, wrong, swapped])).not.to.include(secret)
    expect(swapped['key']).to.equal(undefined)
  })

  it('has the path, status, user, key, and the size of the body', async () => {
    const issued = await service.keyFor('editor')
    const bearer = { Authorization: `Bearer ${await tokenFor(service.url, issued)}` }
    const path = '/1/content?fields=title'
    // The second response comes from the cache.
    for (const headers of [bearer, bearer]) {
      const { fields, body } = await lineOf('GET', path, { headers })
      expect(fields).to.include({ path: '/1/content', status: 200, bytes: body.length })
      expect(fields).to.include({ user: 'editor of 1', key: issued.api_key })
      expect(body.length).to.be.above(100)
    }
    const files = await createApi(`${service.url}/1`, await service.tokenFor('editor')).get('/files')
    const [id] = Object(files.object['items'])[0] ?? []
    const download = await lineOf('GET', `/1/files/${id}/download`, { headers: bearer })
    expect(download.fields['bytes']).to.equal(download.body.length)
  })

  it('has size 0 for HEAD and 304, and the size of errors and pages', async () => {
    expect((await lineOf('HEAD', '/docs')).fields['bytes']).to.equal(0)
    const headers = { 'Accept-Encoding': 'identity' }
    const tag = (await fetch(`${service.url}/openapi.json`, { headers })).headers.get('etag') ?? ''
    const unchanged = await lineOf('GET', '/openapi.json', { headers: { 'If-None-Match': tag } })
    expect(unchanged.fields).to.include({ status: 304, bytes: 0 })
    for (const path of ['/1/content', '/nowhere', '/health/ready']) {
      const { fields, body } = await lineOf('GET', path)
      expect(fields, path).to.include({ bytes: body.length })
      expect(fields['user'], path).to.equal(undefined)
    }
  })
})

describe('the log of a service', function () {
  this.timeout(60_000)

  it('contains no password of an unavailable store', () =>
    withDirectory(async (directory) => {
      const others = { DATA_DIR: directory, LOG_LEVEL: 'debug' }
      for (const environment of [
        {
          STORE: 'mongodb',
          MONGODB_URL: 'mongodb://user:hidden-word@127.0.0.1:1/news?serverSelectionTimeoutMS=100',
        },
        {
          BLOBS: 'minio',
          MINIO_URL: 'http://127.0.0.1:1',
          MINIO_ACCESS_KEY: 'me',
          MINIO_SECRET_KEY: 'hidden-word',
        },
      ]) {
        const { code, out, error } = await runService({ ...others, ...environment }).ended
        expect(code).to.equal(69)
        expect(error).to.include('"event":"starting"')
        expect(out + error).to.not.include('hidden-word')
      }
    }))
})
