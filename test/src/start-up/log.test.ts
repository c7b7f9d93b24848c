/** Log lines of requests, store calls, starts and stops. None contains a secret. */
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { isJsonObject, type JsonObject } from '@publishing-service/domain'
import { createApi } from '../harness/http-client.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'
import { runService, launchService, withDirectory, type ProcessResult } from './program.js'
import { requestToken, tokenFor, type Key } from './token.js'

const key: Key = { api_key: 'operator', api_secret: 'hidden-word-of-the-operator' }
const bootstrap = { BOOTSTRAP_API_KEY: key.api_key, BOOTSTRAP_API_SECRET: key.api_secret }

/** The lines of a log, all of which are JSON objects. */
const linesOf = ({ error }: ProcessResult): readonly JsonObject[] =>
  error
    .trimEnd()
    .split('\n')
    .map((line) => {
      const parsed: unknown = JSON.parse(line)
      if (!isJsonObject(parsed)) throw new Error(`No object: ${line}`)
      return parsed
    })

describe('the log line of a request', function () {
  this.timeout(30_000)
  let service: TestService
  before(async () => {
    service = await startTestService({ STORE: 'memory', BLOBS: 'memory' }, { recorded: 'info' })
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

/** Invalid requests that contain a secret in different places. */
const sendSecrets = async (url: string): Promise<readonly string[]> => {
  const token = await tokenFor(url, key)
  const hidden = 'hidden-word-of-a-stranger'
  await requestToken(url, { ...key, api_secret: hidden })
  await fetch(`${url}/oauth/token?api_secret=${hidden}`, { method: 'POST', body: `api_secret=${hidden}` })
  await fetch(`${url}/oauth/token`, { method: 'POST', body: JSON.stringify({ api_secret: hidden }) })
  for (const authorization of [`Bearer ${token}`, `Bearer ${hidden}`, `Basic ${hidden}`, hidden])
    for (const path of [
      '/1/settings',
      '/1/content?rpp=1',
      `/1/content?access_token=${token}`,
      `/?token=${hidden}`,
    ])
      await fetch(`${url}${path}`, { headers: { Authorization: authorization, Cookie: `session=${hidden}` } })
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(`GET /1/content HTTP/1.1\r\nAuthorization: Bearer ${token}\r\nBroken header ${hidden}\r\n\r\n`)
  await text(socket)
  return [token, hidden]
}

describe('the log of a service', function () {
  this.timeout(60_000)

  it('has each step of its life cycle with the version, each store call at level debug, and no secret', () =>
    withDirectory(async (directory) => {
      const service = await launchService({ DATA_DIR: directory, LOG_LEVEL: 'debug', ...bootstrap })
      await tokenFor(service.url, key)
      await fetch(`${service.url}/health/ready`)
      const secrets = [key.api_secret, ...(await sendSecrets(service.url))]
      const ending = await service.stop()
      expect(ending.error).to.include('"event":"request"').and.to.include('malformed request')
      for (const secret of secrets) expect(ending.out + ending.error).to.not.include(secret)
      const lines = linesOf(ending)
      const steps = lines.filter(({ event }) =>
        ['starting', 'listening', 'stopping', 'stopped'].includes(String(event)),
      )
      expect(steps.map(({ event, level }) => [event, level])).to.deep.equal([
        ['starting', 'info'],
        ['listening', 'info'],
        ['stopping', 'info'],
        ['stopped', 'info'],
      ])
      for (const { version } of steps) expect(version).to.match(/^\d+\.\d+\.\d+(?:-dev)?$/)
      expect(lines.at(-1)).to.equal(steps.at(-1))
      for (const [event, calls] of [
        ['store call', ['get', 'find', 'insert', 'replace']],
        ['blob call', ['write', 'check']],
      ] as const) {
        const ofIt = lines.filter((line) => line['event'] === event)
        expect(ofIt.map(({ call }) => call)).to.include.members(calls)
        for (const line of ofIt) {
          expect(line['level']).to.equal('debug')
          expect(line['ms']).to.be.a('number')
        }
      }
    }))

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
