import { measures } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { metricsServer } from './metrics-server.js'
import { prometheusMetrics } from './prometheus-metrics.js'

/** The values of a text, by the names of metrics with their labels. */
const valuesIn = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text.split('\n').flatMap((line): readonly [string, number][] => {
      const [, name = '', value = ''] = /^([^#].*) (\S+)$/.exec(line) ?? []
      return name === '' ? [] : [[name, Number(value)]]
    }),
  )

describe('metrics for Prometheus', () => {
  it('count durations in buckets, by their labels, in seconds', async () => {
    const metrics = prometheusMetrics()
    metrics.observe('request', { endpoint: 'readContent', status: '200' }, 2)
    metrics.observe('request', { endpoint: 'readContent', status: '200' }, 300)
    metrics.observe('request', { endpoint: 'readContent', status: '404' }, 1)
    const values = valuesIn(await metrics.text())
    const name = 'publishing_http_request_duration_seconds'
    expect(values.get(`${name}_count{endpoint="readContent",status="200"}`)).to.equal(2)
    expect(values.get(`${name}_sum{endpoint="readContent",status="200"}`)).to.be.closeTo(0.302, 1e-9)
    expect(values.get(`${name}_bucket{le="0.0025",endpoint="readContent",status="200"}`)).to.equal(1)
    expect(values.get(`${name}_bucket{le="0.5",endpoint="readContent",status="200"}`)).to.equal(2)
    expect(values.get(`${name}_count{endpoint="readContent",status="404"}`)).to.equal(1)
  })

  it('count what happens, by its labels', async () => {
    const metrics = prometheusMetrics()
    for (const outcome of ['hit', 'hit', 'miss']) metrics.count('cache', { outcome })
    const values = valuesIn(await metrics.text())
    expect(values.get('publishing_response_cache_requests_total{outcome="hit"}')).to.equal(2)
    expect(values.get('publishing_response_cache_requests_total{outcome="miss"}')).to.equal(1)
  })

  it('read levels when somebody asks, and have none that is unknown', async () => {
    const metrics = prometheusMetrics()
    let free: number | null = 5
    metrics.level('diskFree', async () => free)
    metrics.level('scalingQueue', () => 3)
    const read = async (name: string) => valuesIn(await metrics.text()).get(`publishing_${name}`)
    expect(await read('data_dir_free_bytes')).to.equal(5)
    expect(await read('image_queue_length')).to.equal(3)
    free = null
    expect(await read('data_dir_free_bytes')).to.equal(undefined)
    free = 7
    expect(await read('data_dir_free_bytes')).to.equal(7)
  })

  it('have a description of each measure, and the memory and delay of the process', async () => {
    const metrics = prometheusMetrics()
    metrics.level('diskFree', () => 1)
    metrics.level('scalingQueue', () => 1)
    metrics.level('workers', () => 1)
    const text = await metrics.text()
    for (const { name, description } of Object.values(measures))
      expect(text).to.include(`# HELP publishing_${name} ${description}\n`)
    expect(text).to.match(/^publishing_process_resident_memory_bytes \d+$/m)
    expect(text).to.match(/^publishing_nodejs_eventloop_lag_p99_seconds \S+$/m)
  })

  it('are those of one collection: two in a process do not mix', async () => {
    const [one, other] = [prometheusMetrics(), prometheusMetrics()]
    one.count('cache', { outcome: 'hit' })
    expect(
      valuesIn(await other.text()).has('publishing_response_cache_requests_total{outcome="hit"}'),
    ).to.equal(false)
  })
})

describe('the server of the metrics', () => {
  it('has them at /metrics alone, and stops although a client is connected', async () => {
    const metrics = prometheusMetrics()
    const server = metricsServer(metrics)
    const port = await server.listen(0, '127.0.0.1')
    const url = `http://127.0.0.1:${port}`
    const read = await fetch(`${url}/metrics`)
    expect([read.status, read.headers.get('content-type')]).to.deep.equal([200, metrics.mediaType])
    expect(await read.text()).to.include('publishing_process_cpu_seconds_total')
    expect((await fetch(`${url}/`)).status).to.equal(404)
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).to.equal(404)
    await server.close()
    const refused = await fetch(`${url}/metrics`).then(
      () => 'read',
      () => 'refused',
    )
    expect(refused).to.equal('refused')
  })
})
