import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net'
import { expect } from 'chai'
import { afterEach, describe, it } from 'mocha'
import { Webhook } from 'standardwebhooks'
import type { WebhookSender } from '@publishing-service/ports'
import type { LookupAll } from './address-guard.js'
import { httpWebhookSender, type WebhookSenderOptions } from './http-webhook-sender.js'

// The sentences of the port `WebhookSender`.

const body = '{"type":"test"}'

/** A look-up of names that leads to these addresses, one list for each look-up. */
const leadingTo =
  (...lists: readonly (readonly string[])[]): LookupAll =>
  (_name, _options, found) => {
    const addresses = lists.length > 1 ? (lists[0] ?? []) : (lists.at(-1) ?? [])
    lists = lists.length > 1 ? lists.slice(1) : lists
    found(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }

describe('the sender of web hooks', () => {
  const servers: (Server | TcpServer)[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) {
      if ('closeAllConnections' in server) server.closeAllConnections()
      server.close()
    }
  })

  const portOf = async (server: Server | TcpServer): Promise<number> => {
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server listens on a port
    return (server.address() as AddressInfo).port
  }

  const serve = async (
    answer: (request: IncomingMessage, response: ServerResponse) => void,
  ): Promise<string> => `http://127.0.0.1:${await portOf(createServer(answer))}/hook`

  const local = (options: Partial<WebhookSenderOptions> = {}) =>
    httpWebhookSender({ allowPrivate: true, ...options })
  const guarded = (options: Partial<WebhookSenderOptions> = {}) =>
    httpWebhookSender({ allowPrivate: false, ...options })

  const send = (sender: WebhookSender, url: string, secrets: readonly string[] = [sender.newSecret()]) =>
    sender.send({ url, id: 'message-1', time: Date.now(), body, secrets })

  it('signs a message with each secret, as the library of receivers verifies it', async () => {
    const received: { headers: IncomingMessage['headers']; text: string }[] = []
    const url = await serve((request, response) => {
      let text = ''
      request.on('data', (piece: Buffer) => (text += String(piece)))
      request.on('end', () => {
        received.push({ headers: request.headers, text })
        response.end('ok')
      })
    })
    const sender = local()
    const secrets = [sender.newSecret(), sender.newSecret()]
    expect(await send(sender, url, secrets)).to.deep.equal({ status: 200, failure: null })
    const [message] = received
    expect(message?.headers).to.include({ 'content-type': 'application/json', 'webhook-id': 'message-1' })
    const headers = Object.fromEntries(
      Object.entries(message?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    )
    for (const secret of secrets)
      expect(new Webhook(secret).verify(message?.text ?? '', headers)).to.deep.equal({ type: 'test' })
    expect(() => new Webhook(sender.newSecret()).verify(message?.text ?? '', headers)).to.throw()
    expect(secrets[0]).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(secrets[0]).not.to.equal(secrets[1])
  })

  it('names what a status means, and does not follow redirects', async () => {
    let requests = 0
    const answers: Readonly<Record<string, number>> = {
      '/204': 204,
      '/302': 302,
      '/404': 404,
      '/410': 410,
      '/500': 500,
    }
    const url = await serve((request, response) => {
      requests += 1
      response.writeHead(answers[request.url ?? ''] ?? 200, { Location: '/204' }).end()
    })
    const at = async (path: string) => (await send(local(), new URL(path, url).href))?.failure
    expect(await at('/204')).to.equal(null)
    expect(await at('/302')).to.equal('redirect')
    expect(await at('/404')).to.equal('status')
    expect(await at('/410')).to.equal('gone')
    expect(await at('/500')).to.equal('status')
    expect(requests).to.equal(5)
  })

  it('ends after the time limit, with or without a part of the answer', async () => {
    const silent = await serve(() => undefined)
    expect(await send(local({ timeout: 100 }), silent)).to.deep.equal({ status: null, failure: 'timeout' })
    const dripping = await serve((_request, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('.'), 10)
      response.on('close', () => clearInterval(timer))
    })
    const began = performance.now()
    expect(await send(local({ timeout: 100 }), dripping)).to.deep.equal({ status: 200, failure: null })
    expect(performance.now() - began).to.be.below(1000)
    const neverFound: LookupAll = () => undefined
    expect(await send(local({ timeout: 100, lookup: neverFound }), 'http://receiver.test/')).to.deep.equal({
      status: null,
      failure: 'timeout',
    })
  })

  it('names what is wrong with a connection', async () => {
    const closing = await portOf(createTcpServer((socket) => socket.on('data', () => socket.destroy())))
    expect((await send(local(), `http://127.0.0.1:${closing}/`))?.failure).to.equal('closed')
    const nonsense = await portOf(
      createTcpServer((socket) => socket.on('data', () => socket.end('no HTTP\r\n\r\n'))),
    )
    expect((await send(local(), `http://127.0.0.1:${nonsense}/`))?.failure).to.equal('closed')
    const unused = createTcpServer()
    const port = await portOf(unused)
    await new Promise((resolve) => unused.close(resolve))
    expect((await send(local(), `http://127.0.0.1:${port}/`))?.failure).to.equal('unreachable')
    const plain = new URL(await serve((_request, response) => response.end()))
    expect((await send(local(), `https://127.0.0.1:${plain.port}/`))?.failure).to.equal('certificate')
    const nothing: LookupAll = (name, _options, found) =>
      found(Object.assign(new Error(name), { code: 'ENOTFOUND' }), [])
    expect((await send(local({ lookup: nothing }), 'http://receiver.test/'))?.failure).to.equal(
      'unknown_host',
    )
  })

  it('reads no more than 64 KiB of an answer', async () => {
    let written = 0
    const url = await serve((_request, response) => {
      response.writeHead(200)
      const piece = Buffer.alloc(64 * 1024)
      const write = (): void => {
        while (written < 1000 * piece.length && !response.destroyed) {
          written += piece.length
          if (!response.write(piece)) return void response.once('drain', write)
        }
      }
      write()
    })
    expect(await send(local(), url)).to.deep.equal({ status: 200, failure: null })
    expect(written).to.be.below(500 * 64 * 1024)
  })

  it('refuses private addresses in every notation, and http', async () => {
    const sender = guarded()
    for (const host of [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '017700000001',
      '0.0.0.0',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.0.1',
      '169.254.169.254',
      '100.64.0.1',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::127.0.0.1]',
      '[fe80::1]',
      '[fd00::1]',
      '[64:ff9b::127.0.0.1]',
      '[64:ff9b:1::8.8.8.8]',
      '[2002:7f00:1::]',
    ]) {
      expect(await sender.refusal(`https://${host}/`), host).to.equal('private_address')
      expect(await send(sender, `https://${host}/`), host).to.deep.equal({
        status: null,
        failure: 'private_address',
      })
    }
    expect(await sender.refusal('http://192.0.2.1/')).to.equal('insecure')
    expect((await send(sender, 'http://www.example.org/'))?.failure).to.equal('insecure')
    for (const host of ['8.8.8.8', '[2606:4700::1111]', '[::ffff:8.8.8.8]', '[64:ff9b::8.8.8.8]'])
      expect(await sender.refusal(`https://${host}/`), host).to.equal(null)
    expect(await local().refusal('http://127.0.0.1/')).to.equal(null)
  })

  it('refuses the names of the own machine, whatever a name server says', async () => {
    const sender = guarded({ lookup: leadingTo(['93.184.216.34']) })
    for (const host of ['localhost', 'LOCALHOST.', 'a.localhost', 'a.b.localhost.', 'localhost.:8443']) {
      expect(await sender.refusal(`https://${host}/`), host).to.equal('private_address')
      expect(await send(sender, `https://${host}/`), host).to.have.property('failure', 'private_address')
    }
    for (const host of ['localhost.example.org', 'mylocalhost'])
      expect(await sender.refusal(`https://${host}/`), host).to.equal(null)
    expect(await local().refusal('https://localhost./')).to.equal(null)
  })

  it('refuses names that lead to private addresses, checked at each connection', async () => {
    for (const addresses of [['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['::ffff:192.168.0.1'], ['fe80::1']]) {
      const sender = guarded({ lookup: leadingTo(addresses) })
      expect(await sender.refusal('https://receiver.test/')).to.equal('private_address')
      expect((await send(sender, 'https://receiver.test/'))?.failure).to.equal('private_address')
    }
    // The second look-up differs.
    const rebinding = guarded({ lookup: leadingTo(['8.8.8.8'], ['127.0.0.1']) })
    expect(await rebinding.refusal('https://receiver.test/')).to.equal(null)
    expect((await send(rebinding, 'https://receiver.test/'))?.failure).to.equal('private_address')
  })

  it('sends nothing once it is closed, and ends what is being sent', async () => {
    const url = await serve(() => undefined)
    const sender = local()
    const sending = send(sender, url)
    await sender.close()
    expect(await sending).to.equal(null)
    expect(await send(sender, url)).to.equal(null)
  })
})
