/** Declared charsets, and bodies that arrive too slowly, over a real connection. */
import { once } from 'node:events'
import Koa from 'koa'
import { createServer, request, ServerResponse, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { attempt } from '@publishing-service/application'
import { E } from '@publishing-service/domain/fp'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { readObject, type BodyLimits } from './read-body.js'
import { createReadForm } from './read-form.js'

const short: BodyLimits = { bytes: 1000, seconds: 0.05 }

const readWithin = ({ bytes, seconds }: BodyLimits, incoming: IncomingMessage) =>
  attempt(() =>
    readObject(
      { options: { jsonLimit: bytes, jsonSeconds: seconds }, clock: { turn: async () => undefined } },
      incoming,
    ),
  )

const koaOf = (incoming: IncomingMessage) => new Koa().createContext(incoming, new ServerResponse(incoming))

describe('reading a body', () => {
  let server: Server
  beforeEach(async () => {
    server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  /** A request whose body arrives a byte every few milliseconds and never ends, as the server has it. */
  const trickling = async (type: string): Promise<IncomingMessage> => {
    const { port } = server.address() as AddressInfo
    const outgoing = request({ port, method: 'POST', headers: { 'Content-Type': type } })
    outgoing.on('error', () => undefined)
    const timer = setInterval(() => outgoing.write('x'), 5)
    outgoing.once('close', () => clearInterval(timer))
    const [incoming] = (await once(server, 'request')) as [IncomingMessage]
    return incoming
  }

  const declaring = async (headers: Readonly<Record<string, string>>) => {
    const { port } = server.address() as AddressInfo
    const outgoing = request({ port, method: 'POST', headers })
    outgoing.on('error', () => undefined)
    outgoing.end('{"title": "Größe"}')
    const [incoming] = (await once(server, 'request')) as [IncomingMessage]
    return readWithin({ bytes: 100, seconds: 10 }, incoming)
  }

  it('takes JSON in UTF-8 by any of its names, with strict handling by its own only', async () => {
    const declared = 'UTF-8 utf8 UTF8 "utf-8" utf_8 unicode-1-1-utf-8'.split(' ')
    for (const charset of declared) {
      const headers = { 'Content-Type': `application/json; charset=${charset}` }
      expect(await declaring(headers), charset).to.deep.equal(E.right({ title: 'Größe' }))
      const strict = await declaring({ ...headers, Prefer: 'handling=strict' })
      expect(E.isRight(strict), charset).to.equal(/^"?utf-8"?$/i.test(charset))
    }
    for (const charset of ['utf-16', 'latin1', 'utf-80', ''])
      expect(await declaring({ 'Content-Type': `application/json; charset=${charset}` }), charset)
        .to.have.property('left')
        .that.includes({ _tag: 'UnsupportedMediaType' })
  })

  it('takes JSON of no type with a token, and not with the cookie of a session', async () => {
    expect(await declaring({ Authorization: 'Bearer x' })).to.deep.equal(E.right({ title: 'Größe' }))
    expect(await declaring({})).to.deep.equal(E.right({ title: 'Größe' }))
    expect(await declaring({ Authorization: 'Session' }))
      .to.have.property('left')
      .that.includes({ _tag: 'UnsupportedMediaType' })
  })

  it('fails for a form that is received too slowly', async () => {
    const koa = koaOf(await trickling('application/x-www-form-urlencoded'))
    const read = await attempt(() => createReadForm(short)(koa))
    expect(read).to.deep.equal(E.left({ _tag: 'RequestTimeout', seconds: 0.05 }))
  })

  it('fails for JSON that is received too slowly', async () => {
    const read = await readWithin(short, await trickling('application/json'))
    expect(read).to.deep.equal(E.left({ _tag: 'RequestTimeout', seconds: 0.05 }))
  })

  it('fails for a body that is too large before its time is over', async () => {
    const incoming = await trickling('application/json')
    const read = await readWithin({ bytes: 3, seconds: 60 }, incoming)
    expect(read).to.deep.equal(E.left({ _tag: 'TooLarge', limit: 3 }))
  })
})
