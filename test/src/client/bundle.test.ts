/** The client package as a bundle, which browsers, Deno and edge runtimes run: its size, and that it needs no Node. */
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import { build, type OutputChunk } from 'rolldown'
import { Webhook } from 'standardwebhooks'
import { root } from '../documentation/documents.js'

const maxBytes = 12_288

/** What every runtime of the web has. The context has nothing else but the language. */
const names =
  'AbortController Blob DOMException Headers ReadableStream Request Response TextDecoder TextEncoder URL URLSearchParams atob clearTimeout crypto setTimeout'
const webGlobals = Object.fromEntries(names.split(' ').map((name) => [name, Reflect.get(globalThis, name)]))

describe('the bundle of the client package', () => {
  let chunk: OutputChunk
  before(async () => {
    const input = join(root, 'packages/client/dist/index.js')
    const { output } = await build({
      input,
      write: false,
      platform: 'browser',
      output: { minify: true, format: 'iife', name: 'client' },
    })
    expect(output).to.have.lengthOf(1)
    chunk = output[0]
  })

  it(`has at most ${maxBytes} bytes, compressed`, () => {
    expect(gzipSync(chunk.code).length).to.be.greaterThan(4000).and.lessThanOrEqual(maxBytes)
    expect(chunk.imports).to.deep.equal([])
  })

  it('runs with the globals of the web alone', async () => {
    const secret = `whsec_${btoa('a secret of 32 bytes, not longer')}`
    const answers: Readonly<Record<string, unknown>> = {
      '/oauth/token': { access_token: 't', token_type: 'bearer', expires_in: 60, items: [] },
      '/1/page': { kind: 'content', object: { content: '<p>A &amp; <script>B</script></p>' }, media: {} },
      '/1/changes': { items: [{ uuid: 'a' }], next: '8' },
    }
    const fetch = async (input: Request | string): Promise<Response> =>
      Response.json(answers[new URL(input instanceof Request ? input.url : input).pathname])
    const sent = {
      secret,
      body: '{"id":"one"}',
      headers: new Headers({
        'webhook-id': 'one',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': new Webhook(secret).sign('one', new Date(), '{"id":"one"}'),
      }),
    }
    const context = createContext({ ...webGlobals, fetch, sent })
    runInContext(chunk.code, context)
    const program = `(async () => {
      const own = client.createClient({ service: 'http://service.test', key: 'k', secret: 's' })
      const { object, media } = await own.webPage({ iid: 1, path: '/' })
      const html = client.renderBody(object.content, media)
      const event = await client.verifyWebhook(sent)
      for await (const { changes, cursor } of own.watch({ iid: 1, since: '7' }))
        return JSON.stringify([html, event, changes, cursor])
    })()`
    expect(JSON.parse(String(await runInContext(program, context)))).to.deep.equal([
      '<p>A &amp; B</p>',
      { id: 'one' },
      [{ uuid: 'a' }],
      '8',
    ])
  })
})
