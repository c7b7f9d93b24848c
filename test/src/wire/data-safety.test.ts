/** Protection of file data from loss and damage, on every store: identity, garbage collection, verification. */
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { apiVersion } from '@publishing-service/http-contract'
import { expectError, expectOk } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import { pathBelow, storeFile, type StoredFile } from '../harness/stored-files.js'
import {
  blobBytes,
  blobKeys,
  openStores,
  modulesUsing,
  putBlob,
  type OpenStores,
} from '../harness/open-stores.js'
import { pngOf } from '../harness/small-files.js'
import {
  combinations,
  startTestService,
  type TestParts,
  type TestService,
} from '../harness/start-test-service.js'
import { unscaled } from '../harness/unscaled.js'
import { changes } from '@publishing-service/conformance'

const day = 86_400_000
const fresh = { 'Cache-Control': 'no-cache' } as const

const failureOf = (starting: Promise<TestService>): Promise<string> =>
  starting.then(
    async (service) => {
      await service.stop()
      return 'started'
    },
    (error: unknown) => String(error),
  )

for (const { name, environment } of combinations)
  describe(`data safety, ${name}`, function () {
    this.timeout(180_000)
    const opened: OpenStores[] = []
    const running: TestService[] = []
    let stores: OpenStores

    const open = async (content: Parameters<typeof openStores>[1] = 'nothing'): Promise<OpenStores> => {
      const made = await openStores(environment, content)
      opened.push(made)
      return made
    }
    const start = async (on: Pick<OpenStores, 'documents' | 'blobs'>, parts: TestParts = {}) => {
      const service = await startTestService(environment, { ...modulesUsing(on), ...parts })
      running.push(service)
      return service
    }
    const apiOf = async (service: TestService): Promise<Api> =>
      createApi(`${service.url}/1`, await service.tokenFor('admin'))
    const uploadOn = async (service: TestService, data?: Uint8Array): Promise<StoredFile> =>
      storeFile(await apiOf(service), { mimetype: 'video/mp4', ...(data === undefined ? {} : { data }) })
    const keyOf = async ({ id }: StoredFile): Promise<string> =>
      (await blobKeys(stores)).find((key) => key.includes(id) && key.endsWith('/original')) ?? ''

    afterEach(async () => {
      for (const service of running.splice(0)) await service.stop()
      for (const each of opened.splice(0)) await each.close()
    })

    describe('a start', () => {
      beforeEach(async () => {
        stores = await open()
      })
      const seed = (on: Parameters<typeof start>[0], parts: TestParts = {}) =>
        start(on, { ...unscaled, ...parts })

      it('on new stores succeeds with one identity', async () => {
        await (await seed(stores)).stop()
        const identity = await blobBytes(stores, 'store/identity')
        await (await seed(stores)).stop()
        expect(await blobBytes(stores, 'store/identity')).to.deep.equal(identity)
      })

      it('with lost documents is rejected, deletes nothing, and succeeds once they are restored', async () => {
        const service = await seed(stores)
        const stored = await uploadOn(service)
        await service.stop()
        const keys = await blobKeys(stores)
        const { documents } = await open()
        const parts = { documents, blobs: stores.blobs }
        const reason = await failureOf(seed(parts))
        expect(reason).to.match(/--adopt-blobs/)
        expect(reason).to.match(/ 1 blob\b/)
        expect(await blobKeys(stores)).to.deep.equal(keys)
        const restored = await seed(stores)
        expectOk(await (await apiOf(restored)).get(stored.download))
      })

      it('with the documents of another blob store is rejected, and succeeds where an operator adopts the blobs', async () => {
        await (await seed(stores)).stop()
        const other = await open()
        const service = await seed(other)
        const stored = await uploadOn(service)
        await service.stop()
        const mixed = { documents: stores.documents, blobs: other.blobs }
        const keys = await blobKeys(other)
        expect(await failureOf(seed(mixed))).to.match(/--adopt-blobs/)
        expect(await blobKeys(other)).to.deep.equal(keys)
        await (await seed(mixed, { adoptBlobs: true })).stop()
        await (await seed(mixed)).stop()
        expect(await blobKeys(other)).to.deep.equal(keys)
        expect(await failureOf(seed(other))).to.match(/--adopt-blobs/)
        await (await seed(other, { adoptBlobs: true })).stop()
        expectOk(await (await apiOf(await seed(other))).get(stored.download))
      })

      it('with lost documents succeeds where only data of the sample are stored, without duplicates', async () => {
        await (await seed(stores)).stop()
        const { documents } = await open()
        const service = await seed({ documents, blobs: stores.blobs })
        expect((await blobKeys(stores)).filter((key) => key.endsWith('/original'))).to.have.lengthOf(6)
        const api = await apiOf(service)
        const items = expectOk(await api.get('/files?fields=download_url')).object['items']
        for (const [address] of items as readonly (readonly [string])[])
          expectOk(await api.get(pathBelow(address)))
      })

      it('of three processes at once on empty stores ends with one identity in all', async () => {
        const services = await Promise.all([seed(stores), seed(stores), seed(stores)])
        for (const service of services)
          expect(await service.useCases.storeIdentity.isSame()()).to.deep.equal({
            _tag: 'Right',
            right: true,
          })
        for (const service of running.splice(0)) await service.stop()
        await seed(stores)
      })
    })

    describe('garbage collection', () => {
      beforeEach(async () => {
        stores = await open('first data')
      })

      it('deletes nothing with an older copy of the documents, and readiness reports it', async () => {
        const service = await start(stores)
        const api = await apiOf(service)
        const stored = [await storeFile(api), await storeFile(api)]
        // Missing in the older copy.
        const values = []
        for (const { id } of stored) {
          const found = await stores.documents.get('files', 1, id)()
          if (found._tag === 'Left' || found.right === null) throw new Error('no file')
          values.push(found.right)
          await changes(stores.documents).remove('files', 1, id, found.right.version)()
        }
        const keys = await blobKeys(stores)
        const health = createApi(service.url)
        expect(expectOk(await health.get('/health/ready')).body).to.deep.equal({
          status: 'ready',
          version: apiVersion,
          errors: [],
        })
        for (const time of [2 * day, 30 * day]) {
          service.clock.set(Date.now() + time)
          expect((await service.useCases.garbageCollection.collect()).deleted).to.equal(0)
        }
        expect(await blobKeys(stores)).to.deep.equal(keys)
        const { object } = expectOk(await health.get('/health/ready'))
        expect(object['status']).to.equal('ready')
        expect(object['errors']).to.have.lengthOf(1)
        expect(service.errorsLogged().map(({ event }) => event)).to.include('garbage collection stopped')
        for (const { id, value } of values)
          await changes(stores.documents).insert('files', 1, { id, unique: null, value })()
        await service.useCases.garbageCollection.collect()
        expect(expectOk(await health.get('/health/ready')).object['errors']).to.deep.equal([])
        service.clock.set(Date.now())
        const later = await apiOf(service)
        for (const { download } of stored) expectOk(await later.get(download, fresh))
      })
    })

    describe('a download', () => {
      beforeEach(async () => {
        stores = await open('first data')
      })

      const data = randomBytes(3_000_000)
      const flipped = (bytes: Uint8Array, at: number): Buffer => {
        const copy = Buffer.from(bytes)
        copy[at] = (copy[at] ?? 0) ^ 1
        return copy
      }
      /** All bytes that a connection receives until it ends, for pipelined requests. */
      const exchanged = async (
        service: TestService,
        token: string,
        paths: readonly string[],
      ): Promise<string> => {
        const { hostname, port } = new URL(service.url)
        const socket = connect(Number(port), hostname)
        const chunks: Buffer[] = []
        const ended = new Promise<void>((resolve, reject) => {
          socket.on('data', (chunk: Buffer) => chunks.push(chunk))
          socket.on('error', reject)
          socket.on('close', () => resolve())
        })
        socket.write(
          paths
            .map((path, at) => {
              const connection = at === paths.length - 1 ? 'close' : 'keep-alive'
              return `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\nConnection: ${connection}\r\n\r\n`
            })
            .join(''),
        )
        // Mocha’s timeout ends a service that hangs.
        await ended.catch(() => undefined)
        return Buffer.concat(chunks).toString('latin1')
      }

      // docs/behaviour/files.md#damaged-data
      it('of data that is truncated, longer or missing returns 500, and the next response is complete', async () => {
        const service = await start(stores)
        const api = await apiOf(service)
        const token = await service.tokenFor('admin')
        for (const size of [20, 3_000_000]) {
          const stored = await uploadOn(service, data.subarray(0, size))
          const key = await keyOf(stored)
          for (const damaged of [data.subarray(0, size - 1), Buffer.alloc(0), Buffer.concat([data, data])]) {
            await putBlob(stores, key, damaged)
            expectError(await api.get(stored.download, fresh), 500, 'internal_error')
            expectError(
              await api.get(stored.download, { ...fresh, Range: 'bytes=0-3' }),
              500,
              'internal_error',
            )
            expectError(
              await api.get(stored.download, { ...fresh, Range: 'bytes=-3' }),
              500,
              'internal_error',
            )
            expect((await api.send('HEAD', stored.download, { headers: fresh })).status).to.equal(500)
            const text = await exchanged(service, token, [`/1${stored.download}`, '/health/live'])
            expect(text.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 500', 'HTTP/1.1 200'])
          }
          await stores.blobs.remove(key)()
          expectError(await api.get(stored.download, fresh), 500, 'internal_error')
          await putBlob(stores, key, data.subarray(0, size))
          expect(expectOk(await api.get(stored.download, fresh)).bytes).to.deep.equal(data.subarray(0, size))
        }
        const logged = service.errorsLogged().filter(({ event }) => event === 'file data damaged')
        expect(logged).to.have.lengthOf.above(10)
      })

      it('of large data with a flipped bit never completes, and the connection is not reused', async () => {
        const service = await start(stores)
        const token = await service.tokenFor('admin')
        const stored = await uploadOn(service, data)
        for (const at of [0, 1_500_000, 2_999_999]) {
          await putBlob(stores, await keyOf(stored), flipped(data, at))
          const text = await exchanged(service, token, [
            `/1${stored.download}`,
            '/health/live',
            '/health/live',
          ])
          const head = text.indexOf('\r\n\r\n')
          expect(text.slice(0, 12)).to.equal('HTTP/1.1 200')
          expect(text.slice(0, head)).to.match(/Content-Length: 3000000\r\n/)
          expect(text.length - head - 4).to.be.below(3_000_000)
          expect(text.match(/HTTP\/1\.1 \d+/g)).to.have.lengthOf(1)
        }
        expect(service.errorsLogged().map(({ event }) => event)).to.include('file data damaged')
      })
    })

    describe('verification', () => {
      beforeEach(async () => {
        stores = await open('first data')
      })

      it('finds missing, shorter, flipped and orphaned data, and nothing else', async () => {
        const service = await start(stores)
        const api = await apiOf(service)
        const files = []
        for (let count = 0; count < 4; count += 1)
          files.push(await storeFile(api, { data: pngOf(400 + count, 300) }))
        const keys = await Promise.all(files.map(keyOf))
        const verify = async () => {
          const found = await service.useCases.verifyStorage(() => undefined)()
          if (found._tag === 'Left') throw new Error(found.left.reason)
          return found.right
        }
        const nothing = { count: 0, first: [] }
        expect(await verify()).to.deep.include({
          files: 10,
          missing: nothing,
          wrongSize: nothing,
          wrongChecksum: nothing,
          damagedScaled: nothing,
          orphaned: nothing,
        })
        const [missing = '', short = '', flippedKey = ''] = keys
        await stores.blobs.remove(missing)()
        await putBlob(stores, short, (await blobBytes(stores, short)).subarray(1))
        const bytes = await blobBytes(stores, flippedKey)
        bytes[100] = (bytes[100] ?? 0) ^ 1
        await putBlob(stores, flippedKey, bytes)
        await putBlob(stores, '1/gone/upload/original', bytes)
        const one = (key: string) => ({ count: 1, first: [key.replace('/original', '')] })
        expect(await verify()).to.deep.include({
          files: 10,
          missing: one(missing),
          wrongSize: one(short),
          wrongChecksum: one(flippedKey),
          damagedScaled: nothing,
          orphaned: one('1/gone/upload'),
        })
      })
    })
  })
