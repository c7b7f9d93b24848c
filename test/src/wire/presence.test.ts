/** Who has an object open (docs/behaviour/presence.md), on every store. */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import { expectError, expectOk, itemsOf, objectsOf, rowsOf, uuidOf } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'

onEveryStore('presence', {}, (place) => {
  const create = async (api: Api): Promise<string> =>
    `/content/${uuidOf(await api.post('/content', { content_type: 'article', title: 'One', urlname: randomUUID() }))}`
  const idOf = async ({ token }: Api): Promise<string> =>
    String(expectOk(await createApi(place.service.url, token).get('/me')).object['uuid'])
  const beat = (api: Api, path: string) => api.send('PUT', `${path}/presence`)

  // docs/behaviour/presence.md#heartbeat
  it('lists those who have an object open until they close it, or no heartbeat comes', async () => {
    const { admin, contributor, editor } = place.home.as
    const path = await create(contributor)
    const [author, chief] = [await idOf(contributor), await idOf(editor)]
    const first = { user: author, since: '2026-03-01T12:00:00.000Z', seen: '2026-03-01T12:00:00.000Z' }
    expect(objectsOf(await beat(contributor, path))[0]).to.include(first)
    place.service.clock.advance(20_000)
    const both = objectsOf(await beat(editor, path))
    expect(both.map(({ user }) => user)).to.deep.equal([author, chief])
    expect(both[1]?.['name']).to.be.a('string')
    const listed = await admin.get(`${path}/presence`)
    expect(listed.headers['cache-control']).to.equal('no-store')
    expect(listed.body).to.deep.equal({ items: both })
    const again = objectsOf(await beat(contributor, path))[0]
    expect(again).to.include({ ...first, seen: '2026-03-01T12:00:20.000Z' })
    expectOk(await editor.delete(`${path}/presence`))
    expectOk(await editor.delete(`${path}/presence`))
    place.service.clock.advance(20_000)
    expect(objectsOf(await admin.get(`${path}/presence`))).to.deep.equal([again])
    place.service.clock.advance(11_000)
    expect(itemsOf(await admin.get(`${path}/presence`))).to.deep.equal([])
    expect(await place.service.useCases.expirePresences()).to.equal(1)
  })

  // docs/behaviour/presence.md#who-sees-it
  it('is for those who may change the object', async () => {
    const { contributor, editor, reader, public_user: visitor } = place.home.as
    const others = await create(editor)

    const section = uuidOf(await place.home.admin.post('/sections', { title: 'Wine' }))
    for (const [api, path] of [
      [contributor, others],
      [contributor, `/sections/${section}`],
      [reader, others],
      [visitor, others],
    ] as const) {
      expectError(await beat(api, path), 403, 'forbidden')
      expectError(await api.get(`${path}/presence`), 403, 'forbidden')
      expectError(await api.delete(`${path}/presence`), 403, 'forbidden')
    }
    expect(itemsOf(await beat(editor, `/sections/${section}`))).to.have.length(1)
    expectError(await beat(editor, `/content/${randomUUID()}`), 404, 'not_found')
  })

  // docs/behaviour/presence.md#what-it-is-not
  it('is no change of the object', async () => {
    const { admin, editor } = place.home.as
    const path = await create(editor)
    const before = expectOk(await editor.get(path, fresh))
    const entries = async () => rowsOf(await admin.get('/audit?fields=operation&rpp=100')).length
    const logged = await entries()
    expectOk(await beat(editor, path))
    expectOk(await editor.delete(`${path}/presence`))
    const after = expectOk(await editor.get(path, fresh))
    expect([after.text, after.headers['etag']]).to.deep.equal([before.text, before.headers['etag']])
    expect(itemsOf(await editor.get(`${path}/versions`))).to.have.length(1)
    expect(await entries()).to.equal(logged)
  })
})
