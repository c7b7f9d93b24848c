/** Rate limits over HTTP: on by default, turned off by one variable, by user and by address. */
import { scryptSecrets } from '@publishing-service/adapter-system'
import type { Secrets } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { expectError, expectOk } from '../harness/expect-response.js'
import { createApi, type ApiResponse, type Api } from '../harness/http-client.js'
import { createPublication } from '../harness/publication.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'
import { pngOf, smallPng } from '../harness/small-files.js'
import { storeFile } from '../harness/stored-files.js'

const withService = async (
  environment: Readonly<Record<string, string>>,
  work: (service: TestService) => Promise<void>,
): Promise<void> => {
  const service = await startTestService({ RATE_LIMIT: 'process', ...environment })
  try {
    await work(service)
    expect(service.errorsLogged()).to.deep.equal([])
  } finally {
    await service.stop()
  }
}

const repeat = async (times: number, send: () => Promise<ApiResponse>): Promise<readonly ApiResponse[]> => {
  const responses: ApiResponse[] = []
  for (let count = 0; count < times; count += 1) responses.push(await send())
  return responses
}

const rateOf = ({ headers }: ApiResponse): readonly unknown[] => [
  headers['ratelimit-policy'],
  headers['ratelimit'],
]

const expectLimited = (response: ApiResponse, seconds: number): void => {
  expectError(response, 429, 'too_many_requests')
  expect(response.headers['retry-after']).to.equal(String(seconds))
}

describe('rate limits', () => {
  // docs/behaviour/access.md#order-of-attempts
  it('let a program at another address have a token before the attempts that wait of one household', async () => {
    const real = scryptSecrets({ cost: { cost: 2, blockSize: 1, parallelization: 1 } })
    let isHeld = false
    const held: (() => void)[] = []
    const secrets: Secrets = {
      ...real,
      verify: (secret, hash) => async () => {
        if (isHeld) await new Promise<void>((resolve) => held.push(resolve))
        return real.verify(secret, hash)()
      },
    }
    const service = await startTestService({ TRUST_PROXY: 'true' }, { secrets })
    try {
      const issued = await service.keyFor('reader')
      const ask = async (address: string, key: Readonly<Record<string, string>>): Promise<number> => {
        const form = new URLSearchParams({ grant_type: 'client_credentials', ...key })
        const headers = { 'X-Forwarded-For': address }
        return (await fetch(`${service.url}/oauth/token`, { method: 'POST', headers, body: form })).status
      }
      const serveOthers = async (): Promise<void> => {
        for (let count = 0; count < 5; count += 1) await fetch(`${service.url}/health/live`)
      }
      isHeld = true
      const guesses = Array.from({ length: 96 }, (_, index) =>
        ask(`2001:db8:0:${(index % 16).toString(16)}::${index + 1}`, {
          api_key: `guess-${index}`,
          api_secret: 'wrong',
        }),
      )
      while (held.length === 0) await serveOthers()
      await serveOthers()
      const statuses: number[] = []
      const asked = ask('192.0.2.1', issued).then((status) => statuses.push(status))
      await serveOthers()
      let verified = 0
      for (; statuses.length === 0; verified += 1) {
        held.shift()?.()
        await serveOthers()
      }
      await asked
      expect([...statuses, verified < 20]).to.deep.equal([200, true])
      isHeld = false
      for (const end of held.splice(0)) end()
      expect(new Set(await Promise.all(guesses))).to.deep.equal(new Set([401]))
      expect(service.errorsLogged()).to.deep.equal([])
    } finally {
      await service.stop()
    }
  })

  // docs/behaviour/wire.md#rate-limits
  it('count pictures and feeds without a token apart, so that they bar no sign-in of their address', async () => {
    const limits = { RATE_LIMIT_ADDRESS: '5', RATE_LIMIT_PUBLIC: '9' }
    await withService(limits, async (service) => {
      const settings = { public_downloads: true, public_feeds: true, website_url: 'https://www.example.org' }
      const home = await createPublication(service, settings)
      const picture = await storeFile(home.editor, { data: smallPng, mimetype: 'image/png' })
      service.clock.advance(60_000)
      const pictures = await repeat(8, () => home.anonymous.get(picture.download))
      expect(pictures.every(({ status }) => status === 200)).to.equal(true)
      expectOk(await home.anonymous.get('/feed/all.atom'))
      const rejected = await home.anonymous.get(picture.download)
      expectLimited(rejected, 60)
      expect(rateOf(rejected)).to.deep.equal(['"public";q=9;w=60', '"public";r=0;t=60'])
      const issued = await service.keyFor('reader', home.number)
      const form = { grant_type: 'client_credentials', ...issued }
      const token = await fetch(`${service.url}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams(form),
      })
      expect(token.status).to.equal(200)
    })
  })

  // docs/behaviour/wire.md#rate-limits
  it('permit 600 requests of an address without a token in a minute, and return 429 until the minute is over', async () => {
    await withService({}, async (service) => {
      const anonymous = createApi(service.url)
      const responses = await repeat(600, () => anonymous.get('/openapi.json', { 'If-None-Match': '*' }))
      expect(responses.filter(({ status }) => status !== 304)).to.deep.equal([])
      expect(rateOf(responses[0] as ApiResponse)).to.deep.equal([
        '"address";q=600;w=60',
        '"address";r=599;t=60',
      ])
      service.clock.advance(18_000)
      const rejected = await anonymous.get('/openapi.json')
      expectLimited(rejected, 42)
      expect(rateOf(rejected)).to.deep.equal(['"address";q=600;w=60', '"address";r=0;t=42'])
      // A change of the wall clock neither ends nor prolongs a window.
      service.clock.advance(-7_200_000)
      expectLimited(await anonymous.get('/openapi.json'), 42)
      service.clock.advance(42_000)
      expect(rateOf(expectOk(await anonymous.get('/openapi.json')))[1]).to.equal('"address";r=599;t=60')
    })
  })

  it('count every path and method alike, but never health', async () => {
    await withService({ RATE_LIMIT_ADDRESS: '7' }, async (service) => {
      const anonymous = createApi(service.url)
      const health = (): Promise<readonly ApiResponse[]> =>
        Promise.all(['/health/live', '/health/ready'].map((path) => anonymous.get(path)))
      for (const response of await health())
        expect(rateOf(expectOk(response))).to.deep.equal([undefined, undefined])
      const paths = ['/docs', '/nothing', '/users', '/docs/assets/1/none.js'] as const
      const responses = [
        ...(await Promise.all(paths.map((path) => anonymous.get(path)))),
        await anonymous.send('OPTIONS', '/users'),
        await anonymous.head('/openapi.json'),
        await anonymous.post('/users', {}),
      ]
      const left = responses.map((response) => Number(/r=(\d+)/.exec(String(rateOf(response)[1]))?.[1]))
      expect(left).to.have.members([0, 1, 2, 3, 4, 5, 6])
      for (const path of paths) expectLimited(await anonymous.get(path), 60)
      expectLimited(await anonymous.send('OPTIONS', '/users'), 60)
      expect((await anonymous.head('/openapi.json')).status).to.equal(429)
      for (const response of await health()) expectOk(response)
    })
  })

  it('count invalid tokens and token requests by address, without effect on clients with a token', async () => {
    await withService({ RATE_LIMIT_ADDRESS: '20' }, async (service) => {
      const home = await createPublication(service)
      service.clock.advance(60_000)
      const guess = (token: string): Api => createApi(home.url, token)
      for (let count = 0; count < 19; count += 1)
        expectError(await guess(`guess-${count}`).get('/content'), 401, 'invalid_token')
      const form = {
        body: 'grant_type=client_credentials',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      }
      expectError(await createApi(service.url).send('POST', '/oauth/token', form), 400, 'invalid_request')
      expectLimited(await guess('guess-20').get('/content'), 60)
      expectLimited(await createApi(service.url).send('POST', '/oauth/token', form), 60)
      expectOk(await home.reader.get('/content'))
    })
  })

  it('count a valid token by its user, separate from other users: cached responses, files and rejections included', async () => {
    await withService({ RATE_LIMIT_KEY: '12' }, async (service) => {
      const home = await createPublication(service)
      const { download } = await storeFile(home.editor, { data: pngOf(60, 40) })
      const policy = '"key";q=12;w=60'
      const requests = [
        () => home.reader.get('/content'),
        () => home.reader.get('/content'),
        () => home.reader.get('/content', { 'If-None-Match': '*' }),
        () => home.reader.get(download),
        () => home.reader.get(`${download}?w=10`),
        () => home.reader.get(download, { Range: 'bytes=0-3' }),
        () => home.reader.get(download, { 'If-None-Match': '*' }),
        () => home.reader.get('/content?rpp=0'),
        () => home.reader.post('/content', {}),
        () => home.reader.send('GET', '/nothing'),
        () => home.reader.head('/content'),
        () =>
          home.reader.send('POST', '/files/x', { body: smallPng, headers: { 'Content-Type': 'image/png' } }),
      ]
      for (const [index, request] of requests.entries())
        expect(rateOf(await request())).to.deep.equal([policy, `"key";r=${11 - index};t=60`])
      for (const request of requests) expect((await request()).status).to.equal(429)
      expect(rateOf(expectOk(await home.visitor.get('/content')))).to.deep.equal([policy, '"key";r=11;t=60'])
      expectOk(await createApi(service.url).get('/openapi.json'))
    })
  })

  it('permit 6000 requests a minute to a user by default', async () => {
    await withService({}, async (service) => {
      const home = await createPublication(service)
      expect(rateOf(expectOk(await home.reader.get('/content')))[0]).to.equal('"key";q=6000;w=60')
    })
  })

  it('are turned off by one variable, with their headers', async () => {
    await withService({ RATE_LIMIT: 'off', RATE_LIMIT_ADDRESS: '1' }, async (service) => {
      const anonymous = createApi(service.url)
      for (const response of await repeat(3, () => anonymous.get('/openapi.json')))
        expect(rateOf(expectOk(response))).to.deep.equal([undefined, undefined])
    })
  })

  it('use the address that a trusted proxy names, an IPv6 network as one; other clients cannot choose theirs', async () => {
    const limited = { RATE_LIMIT_ADDRESS: '2' }
    const from = (service: TestService, address: string): Promise<ApiResponse> =>
      createApi(service.url).get('/openapi.json', { 'X-Forwarded-For': `203.0.113.9, ${address}` })
    await withService({ ...limited, TRUST_PROXY: 'true' }, async (service) => {
      // What is no address counts as the peer.
      for (const address of ['192.0.2.1', '192.0.2.1:40001', '2001:db8::1', '2001:db8::2', 'unknown', '-'])
        expectOk(await from(service, address))
      expectLimited(await from(service, '192.0.2.1:40002'), 60)
      expectLimited(await from(service, '[2001:db8::3]:40001'), 60)
      expectLimited(await from(service, 'hidden'), 60)
      expectOk(await from(service, '192.0.2.2'))
    })
    await withService(limited, async (service) => {
      for (const address of ['192.0.2.1', '192.0.2.2']) expectOk(await from(service, address))
      expectLimited(await from(service, '192.0.2.3'), 60)
    })
  })

  it('expose their headers to scripts of other origins', async () => {
    await withService(
      { RATE_LIMIT_ADDRESS: '1', CORS_ORIGINS: 'https://www.example.org' },
      async (service) => {
        const send = () => createApi(service.url).get('/openapi.json', { Origin: 'https://www.example.org' })
        expectOk(await send())
        const rejected = await send()
        expectLimited(rejected, 60)
        expect(rejected.headers['access-control-allow-origin']).to.equal('https://www.example.org')
        expect(rejected.headers['access-control-expose-headers']).to.include('RateLimit')
        expect(rateOf(rejected)[1]).to.equal('"address";r=0;t=60')
      },
    )
  })
})
