import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { afterEach, describe, it } from 'mocha'
import { opentelemetryTraces, type OpentelemetryTracesOptions } from './opentelemetry-traces.js'

const succeeded = { outcome: 'succeeded', isError: false }
const none = { traceparent: undefined, tracestate: undefined }

/** Traces whose requests a server of the test gets. */
const collected = async (
  answer: (request: number) => number | null,
  options: Partial<OpentelemetryTracesOptions> = {},
) => {
  const texts: string[] = []
  const failures: string[] = []
  const server: Server = createServer((request, response) => {
    const status = answer(texts.length)
    let text = ''
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    request.on('end', () => {
      texts.push(text)
      if (status !== null) response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const traces = opentelemetryTraces({
    url: `http://127.0.0.1:${port}/v1/traces`,
    headers: {},
    resource: { 'service.name': 'test' },
    sampler: 'always_on',
    ratio: 1,
    delay: 10,
    onFailure: (reason) => failures.push(reason),
    ...options,
  })
  return { traces, texts, failures, server }
}

describe('traces by OpenTelemetry', () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })
  const start = async (...call: Parameters<typeof collected>) => {
    const found = await collected(...call)
    servers.push(found.server)
    return found
  }

  it('have the attributes that are declared, and no other field', async () => {
    const { traces, texts } = await start(() => 200)
    const request = traces.receive(none)
    await request.run(async () => {
      const fields = { call: 'get', collection: 'content', id: 'hidden-word', path: 'hidden-word' }
      traces.begin('store', fields)?.end(succeeded, { token: 'hidden-word' })
    })
    request.end(succeeded, { endpoint: 'readContent', method: 'GET', address: 'hidden-word' })
    await traces.close(5000)
    const text = texts.join('\n')
    expect(text)
      .to.contain('"store get"')
      .and.to.contain('"readContent"')
      .and.to.contain('db.collection.name')
    expect(text).to.not.contain('hidden-word')
  })

  it('are begun by a request, a web hook or mail, and by nothing else', async () => {
    const { traces } = await start(() => 200)
    expect(traces.begin('store', { call: 'find' })).to.equal(null)
    expect(traces.begin('imaging', { call: 'scale' })).to.equal(null)
    expect(traces.begin('webhook', { host: 'a.example' })).to.not.equal(null)
    expect(traces.begin('mail', {})).to.not.equal(null)
    await traces.close(5000)
  })

  it('have no steps if the client does not want them, and say so to others', async () => {
    const { traces, texts } = await start(() => 200, { sampler: 'parentbased_always_on' })
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00'
    const request = traces.receive({ traceparent, tracestate: 'vendor=value' })
    await request.run(async () => {
      expect(traces.begin('store', { call: 'get' })).to.equal(null)
      expect(traces.begin('webhook', { host: 'a.example' })).to.equal(null)
    })
    expect(request.headers['traceparent']).to.match(/^00-0af7651916cd43dd8448eb211c80319c-\w{16}-00$/)
    expect(request.headers['tracestate']).to.equal('vendor=value')
    request.end(succeeded, {})
    await traces.close(5000)
    expect(texts).to.deep.equal([])
  })

  it('have steps that go on after the request has ended', async () => {
    const { traces, texts } = await start(() => 200)
    const request = traces.receive(none)
    const later = request.run(async () => {
      await wait(20)
      const span = traces.begin('mail', {})
      span?.end({ outcome: 'PortFailure', isError: true }, {})
    })
    request.end(succeeded, { endpoint: 'createLink' })
    await later
    await traces.close(5000)
    const [, trace] = /"traceId":"(\w+)"[^}]*?"name":"createLink"/.exec(texts.join('\n')) ?? []
    expect(texts.join('\n')).to.match(new RegExp(`"traceId":"${trace}"[^}]*?"name":"mail"`))
    expect(texts.join('\n')).to.contain('"stringValue":"PortFailure"')
  })

  it('have the time of a span that has begun before', async () => {
    const { traces, texts } = await start(() => 200)
    const request = traces.receive(none)
    await request.run(async () => traces.begin('scalingWait', {}, 5000)?.end(succeeded, {}))
    request.end(succeeded, {})
    await traces.close(5000)
    const [, from = '', to = ''] =
      /"name":"imaging queue"[^}]*?"startTimeUnixNano":"(\d+)"[^}]*?"endTimeUnixNano":"(\d+)"/.exec(
        texts.join('\n'),
      ) ?? []
    const seconds = Number(BigInt(to) - BigInt(from)) / 1e9
    expect(seconds).to.be.above(4.9).and.below(60)
  })

  it('report a collector that refuses them once, and go on', async () => {
    const { traces, texts, failures } = await start((request) => (request < 3 ? 400 : 200))
    while (texts.length < 4) {
      traces.receive(none).end(succeeded, { endpoint: 'readContent' })
      await wait(5)
    }
    await traces.close(5000)
    expect(failures).to.have.length(1)
  })

  it('end in time although the collector is silent', async () => {
    const { traces } = await start(() => null)
    traces.receive(none).end(succeeded, {})
    const began = performance.now()
    await traces.close(200)
    expect(performance.now() - began).to.be.below(5000)
  })
})
