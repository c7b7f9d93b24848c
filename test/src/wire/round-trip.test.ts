/**
 * docs/behaviour/writing.md#round-trip: PUT(GET(x)) and an empty PATCH change nothing, over HTTP, for the objects of the
 * sample. round-trip.properties.test of the domain tests generated objects.
 */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { resources } from '@publishing-service/domain'
import { segmentsOf } from '@publishing-service/domain/engine'
import { columnOf, expectOk, objectsOf } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import { combinations, startTestService, type TestService } from '../harness/start-test-service.js'

const fresh = { 'Cache-Control': 'no-cache' } as const

for (const { name, environment } of combinations)
  // docs/behaviour/writing.md#round-trip
  describe(`PUT(GET(x)) changes nothing, ${name}`, () => {
    let service: TestService
    before(async () => {
      service = await startTestService(environment)
    })
    after(async () => {
      const errors = service.errorsLogged()
      await service.stop()
      expect(errors).to.deep.equal([])
    })

    /** Writes what was read by each method that must change nothing. */
    const expectUnmoved = async (api: Api, path: string): Promise<void> => {
      const before_ = expectOk(await api.get(path, fresh))
      service.clock.advance(1000)
      for (const write of [
        () => api.put(path, before_.body),
        () => api.put(path, before_.body, { Prefer: 'handling=strict' }),
        () => api.put(path, before_.body, { 'If-Match': before_.headers.etag }),
        () => api.patch(path, {}),
        () => api.patch(path, before_.body),
      ]) {
        expectOk(await write())
        expect(expectOk(await api.get(path, fresh)).text).to.equal(before_.text)
      }
    }

    it('for every object of the sample publication, its slots, its media and its settings', async () => {
      const root = createApi(`${service.url}/1`, await service.tokenFor('admin'))
      let seen = 0
      for (const resource of resources) {
        const path = `/${segmentsOf(resource)}`
        const ids = columnOf(await root.get(`${path}?fields=uuid&rpp=100`))
        for (const id of ids) {
          await expectUnmoved(root, `${path}/${String(id)}`)
          seen += 1
        }
      }
      for (const id of columnOf(await root.get('/content?fields=uuid&rpp=100'))) {
        const path = `/content/${String(id)}`
        const before_ = await Promise.all([
          root.get(path, fresh),
          root.get(`${path}/slots`, fresh),
          root.get(`${path}/media`, fresh),
        ])
        for (const slot of objectsOf(before_[1])) {
          const slotPath = `${path}/slots/${String(slot['uuid'])}`
          expectOk(await root.put(slotPath, expectOk(await root.get(slotPath)).body))
          expectOk(await root.put(slotPath, slot))
          expectOk(await root.put(`${slotPath}/media`, expectOk(await root.get(`${slotPath}/media`)).body))
        }
        expectOk(await root.put(`${path}/media`, before_[2].body))
        const after_ = await Promise.all([
          root.get(path, fresh),
          root.get(`${path}/slots`, fresh),
          root.get(`${path}/media`, fresh),
        ])
        expect(after_.map(({ text }) => text)).to.deep.equal(before_.map(({ text }) => text))
      }
      expect(seen).to.be.above(30)
      const settings = expectOk(await root.get('/settings', fresh))
      for (const body of [{}, settings.body])
        expectOk(await root.patch('/settings', body, { Prefer: 'handling=strict' }))
      expect(expectOk(await root.get('/settings', fresh)).text).to.equal(settings.text)
    })
  })
