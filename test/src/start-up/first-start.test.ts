/** A first start as `npm start` makes it, without configuration: what it writes, prints, limits and logs. */
import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import { createArticle } from '../durability/written-objects.js'
import { createApi } from '../harness/http-client.js'
import { startTestService } from '../harness/start-test-service.js'
import { storeFile } from '../harness/stored-files.js'
import { launchService, withDirectory, type ProcessResult, type RunningService } from './program.js'
import { keyFileIn, readKeyFile, requestToken, tokenFor, type Key } from './token.js'

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

/** Invalid requests that contain a secret in different places. */
const sendSecrets = async (url: string, key: Key): Promise<readonly string[]> => {
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

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777

const openDirectory = 'DATA_DIR is open'

describe('a first start without configuration', function () {
  this.timeout(60_000)
  let parent = ''
  let DATA_DIR = ''
  let service: RunningService
  let key: Key
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'publishing-first-start-'))
    DATA_DIR = join(parent, 'da ta')
    const umask = process.umask(0)
    try {
      service = await launchService({ DATA_DIR, LOG_LEVEL: 'debug' })
    } finally {
      process.umask(umask)
    }
    key = await readKeyFile(service.out())
  })
  after(() => rm(parent, { recursive: true, force: true }))

  it('limits the rate of requests', async () => {
    const { headers } = await createApi(service.url).get('/openapi.json')
    expect(headers).to.include({
      'ratelimit-policy': '"address";q=600;w=60',
      ratelimit: '"address";r=599;t=60',
    })
  })

  it('writes the secret of the first key to a file with mode 0600', async () => {
    const path = keyFileIn(service.out())
    expect(path).to.equal(join(DATA_DIR, 'first-key.env'))
    expect(await modeOf(path)).to.equal(0o600)
    expect(await readFile(path, 'utf8')).to.equal(`API_KEY=${key.api_key}\nAPI_SECRET=${key.api_secret}\n`)
    expect((await requestToken(service.url, key)).status).to.equal(200)
  })

  it('limits the permissions of the data to the user, whatever the umask', async () => {
    const api = createApi(`${service.url}/1`, await tokenFor(service.url, key))
    await createArticle(api, randomUUID(), 'a')
    await storeFile(api)
    expect(await modeOf(DATA_DIR)).to.equal(0o700)
    const names = await readdir(DATA_DIR, { recursive: true })
    expect(names).to.include('documents.sqlite-wal')
    for (const name of names) {
      const found = await stat(join(DATA_DIR, name))
      expect(found.mode & 0o777, name).to.equal(found.isDirectory() ? 0o700 : 0o600)
    }
  })

  it('logs each step of its life cycle with the version, each store call at level debug, and no secret', async () => {
    await fetch(`${service.url}/health/ready`)
    const secrets = [key.api_secret, ...(await sendSecrets(service.url, key))]
    const ending = await service.stop()
    expect(ending.code).to.equal(0)
    expect(ending.error).to.include('"event":"request"').and.to.include('malformed request')
    expect(ending.error).to.include(`"path":"${keyFileIn(ending.out)}","event":"first key written"`)
    expect(ending.error).to.not.include(openDirectory)
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
      ['store call', ['get', 'find', 'write']],
      ['blob call', ['write', 'check']],
    ] as const) {
      const ofIt = lines.filter((line) => line['event'] === event)
      expect(ofIt.map(({ call }) => call)).to.include.members(calls)
      for (const line of ofIt) {
        expect(line['level']).to.equal('debug')
        expect(line['ms']).to.be.a('number')
      }
    }
    const changes = lines.flatMap((line) => (line['event'] === 'store call' ? [line['changes']] : []))
    expect(changes).to.include('insert tokens')
  })
})

describe('a start on an existing directory that others can access', () => {
  it('leaves its permissions, and logs a warning', () =>
    withDirectory(async (DATA_DIR) => {
      await chmod(DATA_DIR, 0o755)
      const service = await startTestService({ DATA_DIR }, { recorded: 'warn' })
      expect(await modeOf(DATA_DIR)).to.equal(0o755)
      const warnings = service.logged().filter(({ event }) => event.startsWith(openDirectory))
      expect(warnings).to.have.lengthOf(1)
      await service.stop()
    }))
})
