import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { minioBlobStore, type MinioBlobStoreOptions } from './minio-blob-store.js'
import { bytesOf, clientFor, lengthOf, optionsFor, right } from './test-support/blobs.js'
import { createMinioUser, type MinioServer, startMinio } from './test-support/servers.js'

describe('opening minioBlobStore', function () {
  this.timeout(30_000)
  let server: MinioServer
  before(async () => {
    server = await startMinio()
  })
  after(() => server.dispose())

  type OpeningError = { readonly message: string; readonly option: unknown }

  const openingError = async (changed: Partial<MinioBlobStoreOptions>): Promise<OpeningError> => {
    const options = { ...optionsFor(server), ...changed }
    const start = performance.now()
    const error: unknown = await minioBlobStore(options).then(
      () => expect.fail('it opened'),
      (each: unknown) => each,
    )
    if (!(error instanceof Error) || !('option' in error)) return expect.fail(String(error))
    const { message, option } = error
    expect(performance.now() - start, 'milliseconds until it rejected').to.be.below(10_000)
    expect(message).to.include(options.bucket).and.not.to.include(options.secretKey)
    return { message, option }
  }
  const openingMessage = async (changed: Partial<MinioBlobStoreOptions>): Promise<string> =>
    (await openingError(changed)).message

  it('creates a missing bucket, even with eight stores at once', async () => {
    const options = optionsFor(server)
    const stores = await Promise.all(Array.from({ length: 8 }, () => minioBlobStore(options)))
    const [first, second] = stores
    if (first === undefined || second === undefined) return expect.fail('no stores')
    await right(first.write('a/b', bytesOf(10), 100))
    expect(await lengthOf((await right(second.read('a/b'))).chunks)).to.equal(10)
    await Promise.all(stores.map((store) => store.close()))
  })

  it('reports a wrong URL, wrong keys and a wrong bucket name', async () => {
    expect(await openingMessage({ url: 'no address' })).to.include('Invalid URL')
    expect(await openingMessage({ url: 'ftp://127.0.0.1' })).to.include('http://')
    expect(await openingMessage({ url: `${server.url()}/path` })).to.include('the address of a server')
    expect((await openingError({ url: 'no address' })).option).to.equal('url')
    const [key, secret, name] = [
      await openingError({ accessKey: 'unknown' }),
      await openingError({ secretKey: 'wrong-secret' }),
      await openingError({ bucket: 'No Bucket' }),
    ]
    expect(key.message).to.include('the access key does not exist')
    expect(secret.message).to.include('the secret key does not belong to the access key')
    expect(name.message).to.include('No Bucket is not a valid bucket name')
    expect([key, secret, name].map(({ option }) => option)).to.deep.equal([
      'accessKey',
      'secretKey',
      'bucket',
    ])
  })

  it('reports a bucket of another account, existing or not', async () => {
    const otherAccount = await createMinioUser(server)
    const foreign = optionsFor(server)
    await clientFor(foreign).makeBucket(foreign.bucket)
    for (const bucket of [foreign.bucket, optionsFor(server).bucket])
      expect(await openingError({ ...otherAccount, bucket })).to.deep.include({ option: 'bucket' })
    expect(await openingMessage({ ...otherAccount, bucket: foreign.bucket })).to.include(
      `the bucket ${foreign.bucket} belongs to another account, or the access key may not write to it`,
    )
  })

  it('rejects within ten seconds if the server does not respond', async () => {
    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    expect(await openingError({ url })).to.deep.include({ option: 'url' })
    silent.close()
  })

  it('reports an unknown host, a refused connection, and a server that does not respond', async () => {
    expect(await openingMessage({ url: 'http://no-such-host.invalid' })).to.include('no-such-host.invalid')
    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    expect(await openingMessage({ url, timeout: 500 })).to.include('did not respond')
    silent.close()
    await once(silent, 'close')
    expect(await openingMessage({ url })).to.include('ECONNREFUSED')
  })

  it('reports that the server is not ready', async () => {
    const busy = createHttpServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1')
    await once(busy, 'listening')
    const address = busy.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    expect(await openingMessage({ url })).to.include('503')
    busy.close()
    await once(busy, 'close')
  })
})
