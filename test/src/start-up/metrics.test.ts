/** The metrics of a service, and its lines about slow requests (docs/metrics.md). */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { expectOk } from '../harness/expect-response.js'
import { createApi } from '../harness/http-client.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'
import { runService, withDirectory } from './program.js'

const metricsOf = async ({ metricsPort }: TestService): Promise<string> =>
  (await fetch(`http://127.0.0.1:${String(metricsPort)}/metrics`)).text()

/** The value of a metric with its labels; undefined if it has none. */
const valueIn = (text: string, name: string): number | undefined => {
  const line = text.split('\n').find((each) => each.startsWith(`publishing_${name} `))
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}

describe('the metrics of a service', function () {
  this.timeout(60_000)

  it('count requests by endpoint and status, hits of the cache, and calls of the stores', async () => {
    const service = await startTestService({ METRICS_PORT: '0' })
    try {
      const token = await service.tokenFor('editor')
      const api = createApi(`${service.url}/1`, token)
      for (let times = 0; times < 3; times += 1) expectOk(await api.get('/content?fields=title'))
      expectOk(await api.post('/tags', { last_name_or_title: 'Measured', type: 'default' }))
      await api.get('/content/00000000-0000-4000-8000-000000000000')
      await fetch(`${service.url}/no/such/path/anywhere`)
      // A request is measured when its response was written, which a client can have read before.
      let text = ''
      while (valueIn(text, 'http_request_duration_seconds_count{endpoint="none",status="404"}') === undefined)
        text = await metricsOf(service)
      const requests = (labels: string) => valueIn(text, `http_request_duration_seconds_count{${labels}}`)
      expect(requests('endpoint="listContent",status="200"')).to.equal(3)
      expect(requests('endpoint="readContent",status="404"')).to.equal(1)
      expect(requests('endpoint="none",status="404"')).to.equal(1)
      expect(valueIn(text, 'response_cache_requests_total{outcome="hit"}')).to.equal(2)
      expect(
        valueIn(text, 'store_call_duration_seconds_count{call="write",outcome="succeeded"}'),
      ).to.be.above(0)
      expect(valueIn(text, 'data_dir_free_bytes')).to.be.above(0)
      expect(text).not.to.include(token)
    } finally {
      await service.stop()
    }
  })

  it('are read nowhere without METRICS_PORT, and not on the port of the API', async () => {
    const service = await startTestService()
    try {
      expect(service.metricsPort).to.equal(null)
      expect((await fetch(`${service.url}/metrics`)).status).to.equal(404)
    } finally {
      await service.stop()
    }
  })

  it('end with the service, and a port in use stops the start with the name of the variable', () =>
    withDirectory(async (directory) => {
      const service = await startTestService({ METRICS_PORT: '0' })
      const port = String(service.metricsPort)
      try {
        const second = await runService({ DATA_DIR: directory, METRICS_PORT: port }).ended
        expect(second.error).to.include(`set METRICS_PORT to another one`)
        expect(second.code).to.equal(69)
      } finally {
        await service.stop()
      }
      const ended = await fetch(`http://127.0.0.1:${port}/metrics`).then(
        () => 'read',
        () => 'refused',
      )
      expect(ended).to.equal('refused')
    }))
})

describe('the lines of store calls', function () {
  this.timeout(60_000)

  it('name the request that they are made for', async () => {
    const service = await startTestService({ LOG_LEVEL: 'error' }, { recorded: 'debug' })
    try {
      const api = createApi(`${service.url}/1`, await service.tokenFor('editor'))
      expectOk(await api.get('/search?q=the'))
      const line = () =>
        service.logged().find(({ event, fields }) => event === 'request' && fields['path'] === '/1/search')
      while (line() === undefined) await new Promise(setImmediate)
      const request = line()?.fields['request']
      const calls = service
        .logged()
        .filter(({ event, fields }) => event === 'store call' && fields['request'] === request)
      expect(calls.length).to.be.above(0)
    } finally {
      await service.stop()
    }
  })
})
