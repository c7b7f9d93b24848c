/**
 * Several services on one PostgreSQL and one MinIO, as separate processes without other shared data. Each reads the
 * writes of the others, no write is lost, and a crash of one does not affect the others.
 */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import type { BlobStore } from '@publishing-service/ports'
import { collectOrphans } from '../durability/collect-orphans.js'
import { describeRaces } from '../durability/concurrent-writes.js'
import { adminApi, fetchToken, type Environment, type ServiceProcess } from '../durability/service-process.js'
import { expectSharedKeys, expectSharedWrites } from '../durability/two-services.js'
import { createArticle, expectOneSample } from '../durability/written-objects.js'
import { waitFor } from '../durability/wait-for.js'
import { expectOk, objectsOf, uuidOf } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import { pathBelow, storeFile } from '../harness/stored-files.js'
import { pngOf } from '../harness/small-files.js'
import { serviceHostsOn, openBlobs, sharedStores, type ServiceHosts } from './shared-stores.js'

const fresh = { 'Cache-Control': 'no-cache' }

/** Milliseconds in which a busy machine passes a notification on; a response is cached for a minute. */
const moment = 10_000

describe('several processes on one PostgreSQL and one MinIO', function () {
  this.timeout(300_000)
  let stores: Environment
  let machines: ServiceHosts
  let one: ServiceProcess
  let other: ServiceProcess
  let apis: readonly [Api, Api]
  let blobs: BlobStore
  before(async () => {
    stores = await sharedStores()
    machines = serviceHostsOn(stores)
    // Both services start on the empty stores.
    ;[one, other] = await Promise.all([machines.start(), machines.start()])
    const token = await fetchToken(one.url)
    apis = [createApi(`${one.url}/1`, token), createApi(`${other.url}/1`, token)]
    blobs = await openBlobs(stores)
  })
  after(async () => {
    await blobs.close()
    await machines.remove()
  })

  it('create one sample and one key when they start at the same time', () =>
    expectOneSample((...args) => machines.admin(...args), apis))

  it('read each other’s writes, immediately if uncached', () => expectSharedWrites(apis))

  // docs/behaviour/caching.md#other-processes
  it('see each other’s writes in a moment although they cache responses', async () => {
    const id = randomUUID()
    await createArticle(apis[0], id, '0')
    for (let step = 1; step <= 10; step += 1) {
      const [writer, reader] = step % 2 === 0 ? apis : ([apis[1], apis[0]] as const)
      const titleIs = async (title: string) =>
        expectOk(await reader.get(`/content/${id}`)).object['title'] === title ? true : null
      await waitFor('the title before', () => titleIs(`${step - 1}`))
      expectOk(await writer.patch(`/content/${id}`, { title: `${step}` }))
      await waitFor('the title after', () => titleIs(`${step}`), moment)
    }
  })

  it('return the same as one service when requests alternate', async () => {
    const id = randomUUID()
    await createArticle(apis[0], id, '0')
    for (let step = 1; step <= 20; step += 1) {
      const api = apis[step % 2 === 0 ? 0 : 1]
      const read = expectOk(await api.get(`/content/${id}`, fresh))
      expect(read.object['title']).to.equal(`${step - 1}`)
      const tag = String(read.headers['etag'])
      expectOk(await api.patch(`/content/${id}`, { title: `${step}` }, { 'If-Match': tag }))
      expect((await api.patch(`/content/${id}`, { title: 'late' }, { 'If-Match': tag })).status).to.equal(412)
    }
  })

  it('serve each other’s file data, also scaled, and invalidate it after an upload', async () => {
    const data = pngOf(300, 200)
    const { id, download } = await storeFile(apis[0], { data })
    expect(expectOk(await apis[1].get(download)).bytes).to.deep.equal(Buffer.from(data))
    const [first, second] = await Promise.all(apis.map((api) => api.get(`${download}?w=30`)))
    expect(first?.status).to.equal(200)
    expect(first?.bytes).to.deep.equal(second?.bytes)
    const response = await apis[1].send('POST', `/files/${id}`, {
      body: pngOf(20, 20),
      headers: { 'Content-Type': 'image/png' },
    })
    const anew = pathBelow(expectOk(response).object['download_url'])
    for (const api of apis) {
      expectOk(await api.get(anew, fresh))
      expect((await api.get(download, fresh)).status).to.equal(302)
    }
  })

  it('count tags of both immediately', async () => {
    const tags: string[] = []
    for (const name of ['One', 'Two']) {
      const tag = { last_name_or_title: name, urlname: randomUUID() }
      tags.push(uuidOf(await apis[0].post('/tags', tag)))
    }
    for (let round = 1; round <= 4; round += 1) {
      const [writer, reader] = round % 2 === 0 ? apis : ([apis[1], apis[0]] as const)
      const id = randomUUID()
      await createArticle(writer, id, 'tagged')
      expectOk(await reader.patch(`/content/${id}`, { state: 'published' }))
      for (const tag of round === 1 ? tags : tags.slice(0, 1))
        expectOk(await reader.put(`/tags/${tag}/describes/${id}`, {}))
      for (const api of [writer, reader]) {
        const cloud = objectsOf(await api.get('/tag_cloud', fresh))
        const counts = tags.map((uuid) => cloud.find((each) => each['uuid'] === uuid)?.['count'])
        expect(counts).to.deep.equal([round, 1])
      }
    }
  })

  it('collect orphaned blobs of a crashed process later, but not active uploads', async () => {
    async function* orphaned() {
      yield Buffer.from('never named')
    }
    const orphan = `1/${randomUUID()}/${randomUUID()}/original`
    expect((await blobs.write(orphan, orphaned(), 100)())._tag).to.equal('Right')
    let collecting = true
    const stored: { readonly id: string; readonly download: string }[] = []
    const uploading = (async () => {
      while (collecting || stored.length < 10)
        stored.push(await storeFile(apis[1], { data: pngOf(40 + stored.length, 30) }))
    })()
    const third = await machines.start()
    expect(await collectOrphans(stores, 0)).to.equal(0)
    collecting = false
    await uploading
    await collectOrphans(stores)
    expect(await blobs.size(orphan)()).to.deep.include({ right: null })
    const api = await adminApi(third)
    for (const { download } of stored) expectOk(await api.get(download))
    expect(await third.stop()).to.equal(0)
  })

  it('accept a new key and instance immediately, and reject a revoked key soon', async () => {
    await expectSharedKeys([one, other], machines.admin)
    expect([await one.stop(), await other.stop()]).to.deep.equal([0, 0])
  })
})

describeRaces('two processes on one PostgreSQL and one MinIO', async () => {
  const machines = serviceHostsOn(await sharedStores())
  const services = [await machines.start(), await machines.start()] as const
  return {
    clients: [await adminApi(services[0]), await adminApi(services[1])],
    close: async () => {
      for (const service of services) expect(service.defects()).to.deep.equal([])
      await machines.remove()
    },
  }
})
