import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { minioBlobStore, type MinioBlobStoreOptions } from './minio-blob-store.js'
import { bytesOf, clientFor, lengthOf, optionsFor, right } from './test-support/blobs.js'
import { createMinioUser, type MinioServer, startMinio } from './test-support/servers.js'

describe('minioBlobStore, when it is opened', function () {
  this.timeout(30_000)
  let server: MinioServer
  before(async () => {
    server = await startMinio()
  })
  after(() => server.dispose())

  type Refusal = { readonly message: string; readonly option: unknown }

  const refused = async (changed: Partial<MinioBlobStoreOptions>): Promise<Refusal> => {
    const options = { ...optionsFor(server), ...changed }
    const start = performance.now()
    const error: unknown = await minioBlobStore(options).then(
      () => expect.fail('it opened'),
      (each: unknown) => each,
    )
    if (!(error instanceof Error) || !('option' in error)) return expect.fail(String(error))
    const { message, option } = error
    expect(performance.now() - start, 'milliseconds until it gave up').to.be.below(10_000)
    expect(message).to.include(options.bucket).and.not.to.include(options.secretKey)
    return { message, option }
  }
  const refusal = async (changed: Partial<MinioBlobStoreOptions>): Promise<string> =>
    (await refused(changed)).message

  it('makes the bucket where it is missing, by eight processes at once', async () => {
    const options = optionsFor(server)
    const stores = await Promise.all(Array.from({ length: 8 }, () => minioBlobStore(options)))
    const [first, second] = stores
    if (first === undefined || second === undefined) return expect.fail('no stores')
    await right(first.write('a/b', bytesOf(10), 100))
    expect(await lengthOf((await right(second.read('a/b'))).chunks)).to.equal(10)
    await Promise.all(stores.map((store) => store.close()))
  })

  it('says what is wrong with the URL, the keys and the bucket', async () => {
    expect(await refusal({ url: 'no address' })).to.include('Invalid URL')
    expect(await refusal({ url: 'ftp://127.0.0.1' })).to.include('http://')
    expect(await refusal({ url: `${server.url()}/path` })).to.include('address alone')
    expect((await refused({ url: 'no address' })).option).to.equal('url')
    const [key, secret, name] = [
      await refused({ accessKey: 'nobody' }),
      await refused({ secretKey: 'wrong-secret' }),
      await refused({ bucket: 'No Bucket' }),
    ]
    expect(key.message).to.include('no such access key')
    expect(secret.message).to.include('the secret key does not belong to the access key')
    expect(name.message).to.include('no bucket can be named No Bucket')
    expect([key, secret, name].map(({ option }) => option)).to.deep.equal([
      'accessKey',
      'secretKey',
      'bucket',
    ])
  })

  it('says that a bucket is somebody else’s, there or not', async () => {
    const stranger = await createMinioUser(server)
    const theirs = optionsFor(server)
    await clientFor(theirs).makeBucket(theirs.bucket)
    for (const bucket of [theirs.bucket, optionsFor(server).bucket])
      expect(await refused({ ...stranger, bucket })).to.deep.include({ option: 'bucket' })
    expect(await refusal({ ...stranger, bucket: theirs.bucket })).to.include(
      `the bucket ${theirs.bucket} belongs to somebody else, or the access key may not write to it`,
    )
  })

  it('gives up within ten seconds on a server that says nothing', async () => {
    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    expect(await refused({ url })).to.deep.include({ option: 'url' })
    silent.close()
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
