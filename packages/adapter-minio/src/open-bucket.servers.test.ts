import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { minioBlobStore, type MinioBlobStoreOptions } from './minio-blob-store.js'
import { bytesOf, lengthOf, optionsFor, right } from './test-support/blobs.js'
import { type MinioServer, startMinio } from './test-support/servers.js'

describe('minioBlobStore, when it is opened', function () {
  this.timeout(30_000)
  let server: MinioServer
  before(async () => {
    server = await startMinio()
  })
  after(() => server.dispose())

  const refusal = async (changed: Partial<MinioBlobStoreOptions>): Promise<string> => {
    const options = { ...optionsFor(server), ...changed }
    const start = performance.now()
    const message = await minioBlobStore(options).then(
      () => expect.fail('it opened'),
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    expect(performance.now() - start, 'milliseconds until it gave up').to.be.below(10_000)
    expect(message).to.include(options.bucket).and.not.to.include(options.secretKey)
    return message
  }

  it('makes the bucket where it is missing, by eight processes at once', async () => {
    const options = optionsFor(server)
    const stores = await Promise.all(Array.from({ length: 8 }, () => minioBlobStore(options)))
    const [first, second] = stores
    if (first === undefined || second === undefined) return expect.fail('no stores')
    await right(first.write('a/b', bytesOf(10), 100))
    expect(await lengthOf(await right(second.read('a/b')))).to.equal(10)
    await Promise.all(stores.map((store) => store.close()))
  })

  it('says what is wrong with the URL, the keys and the bucket', async () => {
    expect(await refusal({ url: 'no address' })).to.include('Invalid URL')
    expect(await refusal({ url: 'ftp://127.0.0.1' })).to.include('http://')
    expect(await refusal({ url: `${server.url()}/path` })).to.include('address alone')
    expect(await refusal({ accessKey: 'nobody' })).to.include('access key')
    expect(await refusal({ secretKey: 'wrong-secret' })).to.include('secret key')
    expect(await refusal({ bucket: 'No Bucket' })).to.include('Invalid bucket name')
  })

  it('says that there is no such host, that nobody listens, or that the server says nothing', async () => {
    expect(await refusal({ url: 'http://no-such-host.invalid' })).to.include('no-such-host.invalid')
    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    expect(await refusal({ url, patience: 500 })).to.include('said nothing')
    silent.close()
    await once(silent, 'close')
    expect(await refusal({ url })).to.include('ECONNREFUSED')
  })

  it('says that the server is not ready', async () => {
    const busy = createHttpServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1')
    await once(busy, 'listening')
    const address = busy.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    expect(await refusal({ url })).to.include('503')
    busy.close()
    await once(busy, 'close')
  })
})
