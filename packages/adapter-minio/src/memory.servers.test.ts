import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { minioBlobStore } from './minio-blob-store.js'
import { bytesOf, mebibyte, optionsFor, right } from './test-support/blobs.js'
import { type MinioServer, startMinio } from './test-support/servers.js'

const uploads = 16
const megabytes = 40
const size = megabytes * mebibyte

describe('minioBlobStore with concurrent uploads', function () {
  this.timeout(300_000)
  let server: MinioServer
  before(async () => {
    server = await startMinio()
  })
  after(() => server.dispose())

  it(`${uploads} uploads of ${megabytes} MB add at most 150 MB of memory`, async () => {
    const store = await minioBlobStore(optionsFor(server))
    await right(store.write('warm/up', bytesOf(12 * mebibyte), size))
    const start = process.memoryUsage.rss()
    let highest = start
    async function* watched(): AsyncGenerator<Uint8Array> {
      for await (const chunk of bytesOf(size)) {
        highest = Math.max(highest, process.memoryUsage.rss())
        yield chunk
      }
    }
    const keys = Array.from({ length: uploads }, (_, i) => `many/${i}`)
    const receipts = await Promise.all(keys.map((key) => right(store.write(key, watched(), size))))
    expect(receipts.map(({ bytes }) => bytes)).to.deep.equal(keys.map(() => size))
    expect((highest - start) / mebibyte, 'MB').to.be.below(150)
    await right(store.remove('many'))
    await store.close()
  })
})
