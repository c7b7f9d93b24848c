/** The traces of a service, as a collector gets them (docs/traces.md). */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { expectOk, expectStatus, uuidOf } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import { createPublication } from '../harness/publication.js'
import { pngOf } from '../harness/small-files.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'
import { storeFile } from '../harness/stored-files.js'
import { startTraceCollector, type CollectedSpan, type TraceCollector } from '../harness/trace-collector.js'
import { startReceiver } from '../harness/webhook-receiver.js'

const traceparent = (trace: string, parent: string, isSampled = true): string =>
  `00-${trace}-${parent}-${isSampled ? '01' : '00'}`
const newTrace = () => randomBytes(16).toString('hex')
const newSpan = () => randomBytes(8).toString('hex')

describe('the traces of a service', function () {
  this.timeout(60_000)

  let collector: TraceCollector
  let service: TestService | null = null
  beforeEach(async () => {
    collector = await startTraceCollector()
  })
  afterEach(async () => {
    await service?.stop()
    service = null
    await collector.close()
  })

  const start = async (more: Readonly<Record<string, string>> = {}): Promise<TestService> => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = collector.url
    service = await startTestService(
      { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_BSP_SCHEDULE_DELAY: '20', ...more },
      { recorded: 'warn' },
    )
    return service
  }

  /** The span of the request with this id of the client’s trace. */
  const requestIn = (trace: string): Promise<CollectedSpan> =>
    collector.until((span) => span.trace === trace && span.kind === 2)
  const within = (parent: CollectedSpan): readonly CollectedSpan[] =>
    collector.spans().filter((span) => span.trace === parent.trace && span.parent === parent.id)
  const namesOf = (spans: readonly CollectedSpan[]) => spans.map(({ name }) => name)

  it('continue the trace of a client: a read with its steps', async () => {
    const { url, tokenFor } = await start()
    const token = await tokenFor('editor')
    const [trace, parent] = [newTrace(), newSpan()]
    const api = createApi(`${url}/1`, token)
    const { headers } = expectOk(
      await api.get('/content?fields=title&q=the', { traceparent: traceparent(trace, parent) }),
    )
    const request = await requestIn(trace)
    expect(request).to.include({ name: 'listContent', parent, isError: false })
    expect(request.attributes).to.include({
      'http.request.method': 'GET',
      'http.route': '/{iid}/content',
      'http.response.status_code': 200,
      'publishing.request_id': String(headers['x-request-id']),
      'publishing.response_cache': 'miss',
    })
    expect(namesOf(within(request))).to.include.members(['identify', 'authorise', 'store find'])
    const find = within(request).find(({ name }) => name === 'store find')
    expect(find?.kind).to.equal(3)
    expect(find?.attributes).to.include({ 'db.collection.name': 'content', 'publishing.instance': 1 })
    for (const span of collector.spans().filter((each) => each.trace === trace)) {
      expect(span.start >= request.start - 2_000_000n, span.name).to.equal(true)
      expect(span.end <= request.end + 2_000_000n, span.name).to.equal(true)
    }
    // What finds the token is within the step that needs it.
    const identify = within(request).find(({ name }) => name === 'identify')
    if (identify === undefined) throw new Error('nobody was identified')
    expect(namesOf(within(identify)).every((name) => name.startsWith('store '))).to.equal(true)
    // The same read again comes from the cache.
    const again = newTrace()
    await api.get('/content?fields=title&q=the', { traceparent: traceparent(again, parent) })
    expect((await requestIn(again)).attributes['publishing.response_cache']).to.equal('hit')
  })

  it('have the writes of a PATCH, and no secret, text or address', async () => {
    const { url, tokenFor } = await start({ OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collected' })
    const token = await tokenFor('editor')
    const api = createApi(`${url}/1`, token)
    const body = { content_type: 'article', title: 'Unseen words', urlname: 'unseen' }
    const id = uuidOf(await api.post('/content', body))
    const trace = newTrace()
    expectOk(
      await api.patch(
        `/content/${id}`,
        { title: 'Further unseen words' },
        {
          traceparent: traceparent(trace, newSpan()),
          'User-Agent': 'unseen-agent',
        },
      ),
    )
    const request = await requestIn(trace)
    expect(request.name).to.equal('changeContent')
    const write = within(request).find(({ name }) => name === 'store write')
    expect(write?.attributes['publishing.changes']).to.contain('replace content')
    const text = collector.text()
    for (const secret of [token, 'nseen words', 'unseen-agent', '127.0.0.1:', 'unseen'])
      expect(text.includes(secret), secret).to.equal(false)
    expect(collector.headers[0]).to.include({ authorization: 'Bearer collected', ':path': '/v1/traces' })
    expect(collector.resource()).to.include({ 'service.name': 'publishing-service' })
  })

  it('have the scaling of an image with its wait, and the data that it reads', async () => {
    const running = await start()
    const { editor, reader } = await createPublication(running)
    const { download } = await storeFile(editor, { data: pngOf(400, 200) })
    const upload = await collector.until(({ name }) => name === 'uploadFile')
    expect(namesOf(within(upload))).to.include('blob write')
    const trace = newTrace()
    expectOk(await reader.get(`${download}?w=100`, { traceparent: traceparent(trace, newSpan()) }))
    const request = await requestIn(trace)
    await collector.until(({ name, parent }) => name === 'blob write' && parent === request.id)
    expect(namesOf(within(request))).to.include.members(['imaging queue', 'imaging scale', 'blob read'])
    const scaling = within(request).find(({ name }) => name === 'imaging scale')
    if (scaling === undefined) throw new Error('nothing was scaled')
    expect(namesOf(within(scaling))).to.deep.equal(['blob read'])
  })

  it('go on in the receiver of a web hook', async () => {
    const running = await start({ WEBHOOKS_ALLOW_PRIVATE: 'true' })
    const receiver = await startReceiver()
    try {
      const { admin, editor } = await createPublication(running)
      expectOk(await admin.post('/webhooks', { url: `${receiver.url}?unseen` }))
      const article = { content_type: 'article', title: 'One', urlname: 'one', state: 'published' }
      await editor.post('/content', article)
      const [message] = await receiver.until(1)
      const [, trace, parent] =
        /^00-(\w{32})-(\w{16})-01$/.exec(String(message?.headers['traceparent'])) ?? []
      const span = await collector.until(({ name }) => name === 'web hook')
      expect([span.trace, span.id, span.parent, span.kind]).to.deep.equal([trace, parent, '', 3])
      expect(span.attributes).to.include({ 'server.address': '127.0.0.1', 'http.response.status_code': 204 })
      expect(collector.text().includes('unseen')).to.equal(false)
    } finally {
      receiver.close()
    }
  })

  it('are one for each of 50 requests at once', async () => {
    const { url, tokenFor } = await start()
    const api = createApi(`${url}/1`, await tokenFor('editor'))
    const traces = Array.from({ length: 50 }, newTrace)
    await Promise.all(
      traces.map(async (trace, number) =>
        number % 2 === 0
          ? api.get(`/search?q=word${number}`, { traceparent: traceparent(trace, newSpan()) })
          : api.post(
              '/tags',
              { last_name_or_title: `Tag ${number}`, type: 'default' },
              { traceparent: traceparent(trace, newSpan()) },
            ),
      ),
    )
    for (const [number, trace] of traces.entries()) {
      const request = await requestIn(trace)
      const all = collector.spans().filter((span) => span.trace === trace)
      expect(all.filter(({ kind }) => kind === 2)).to.deep.equal([request])
      const ids = new Set(all.map(({ id }) => id))
      // Each has its own steps: none is within a span of another trace.
      for (const span of all)
        if (span.id !== request.id) expect(ids.has(span.parent), span.name).to.equal(true)
      const calls = namesOf(all)
      expect(calls.includes('store write'), String(number)).to.equal(number % 2 === 1)
    }
  })

  it('name what is no endpoint by its method, and mark what has failed', async () => {
    const { url } = await start()
    const trace = newTrace()
    const headers = { traceparent: traceparent(trace, newSpan()) }
    await fetch(`${url}/no/such/unseen/path`, { headers })
    const request = await requestIn(trace)
    expect(request).to.include({ name: 'GET', isError: false })
    expect(request.attributes['http.response.status_code']).to.equal(404)
    expect(collector.text().includes('unseen')).to.equal(false)
    const broken = newTrace()
    const malformed = { traceparent: `00-${broken}-nothing-01` }
    await fetch(`${url}/health/live`, { headers: malformed })
    const own = await collector.until(({ name }) => name === 'readLiveness')
    expect([own.parent, own.trace === broken]).to.deep.equal(['', false])
  })

  it('are those that the sampler chooses, and those that the client wants', async () => {
    const { url } = await start({
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    })
    const read = async (headers: Readonly<Record<string, string>>) => {
      expectOk(await createApi(url).get('/health/ready', headers))
    }
    const [wanted, unwanted] = [newTrace(), newTrace()]
    await read({})
    await read({ traceparent: traceparent(unwanted, newSpan(), false) })
    await read({ traceparent: traceparent(wanted, newSpan()) })
    const request = await requestIn(wanted)
    expect(namesOf(within(request))).to.include('store check')
    expect(new Set(collector.spans().map(({ trace }) => trace))).to.deep.equal(new Set([wanted]))
  })

  it('do not concern requests while the collector is away, are reported once, and come again', async () => {
    const { url, logged, tokenFor } = await start()
    const api: Api = createApi(`${url}/1`, await tokenFor('editor'))
    await collector.until(({ name }) => name === 'exchangeToken')
    const port = Number(new URL(collector.url).port)
    await collector.close()
    const reports = () => logged().filter(({ event }) => event === 'traces not sent')
    // The exporter tries again for some seconds before it gives up.
    for (let round = 0; reports().length === 0 || round < 20; round += 1) {
      expectOk(await api.get('/sections'))
      expectOk(await api.post('/tags', { last_name_or_title: `Away ${round}`, type: 'default' }))
      await wait(20)
    }
    expectStatus(await createApi(url).get('/health/ready'), 200)
    collector = await startTraceCollector(port)
    const trace = newTrace()
    expectOk(await api.get('/tags', { traceparent: traceparent(trace, newSpan()) }))
    await requestIn(trace)
    expect(logged().filter(({ level }) => level === 'error')).to.deep.equal([])
    expect(reports()).to.have.length(1)
  })

  it('are sent before the end of a stop, and a silent collector does not delay it', async () => {
    const running = await start({ OTEL_BSP_SCHEDULE_DELAY: '3600000' })
    expectOk(await createApi(running.url).get('/health/live'))
    expect(collector.spans()).to.deep.equal([])
    await running.stop()
    expect(namesOf(collector.spans())).to.include('readLiveness')
    await collector.close()
    const silent = createServer((socket) => socket.on('error', () => socket.destroy())).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : 0
    const again = await start({
      OTEL_BSP_SCHEDULE_DELAY: '3600000',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    })
    expectOk(await createApi(again.url).get('/health/live'))
    const began = performance.now()
    await again.stop()
    expect(performance.now() - began).to.be.below(9000)
    silent.close()
    collector = await startTraceCollector()
  })

  it('are not made without a collector, or if the SDK is disabled', async () => {
    await start({ OTEL_SDK_DISABLED: 'true' })
    expectOk(await createApi(service?.url ?? '').get('/health/live'))
    await service?.stop()
    expect(collector.spans()).to.deep.equal([])
  })
})
