/** Versions and the trash (docs/behaviour/history.md, docs/behaviour/trash.md), on every store. */
import { expect } from 'chai'
import { it } from 'mocha'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import {
  expectError,
  expectFaults,
  expectOk,
  objectsOf,
  rowsOf,
  expectStatus,
  uuidOf,
} from '../harness/expect-response.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'
import { createPublication } from '../harness/publication.js'

onEveryStore('versions and the trash', {}, (place) => {
  const article = (urlname: string, more: JsonObject = {}): JsonObject => ({
    content_type: 'article',
    title: 'One',
    urlname,
    ...more,
  })
  const create = async (body: JsonObject): Promise<string> =>
    `/content/${uuidOf(await place.home.editor.post('/content', body))}`
  const numbersOf = async (path: string): Promise<readonly Json[]> =>
    objectsOf(await place.home.editor.get(`${path}/versions`)).map(({ version = null }) => version)
  const read = async (path: string): Promise<JsonObject> =>
    expectOk(await place.home.editor.get(path, fresh)).object
  const trashed = async (): Promise<readonly Json[]> =>
    rowsOf(await place.home.editor.get('/trash?fields=uuid')).map(([uuid = null]) => uuid)

  it('a version is read and restored, if the precondition is met', async () => {
    const { editor } = place.home
    const path = await create(article('a-version', { content: '<p>First</p>' }))
    const { headers } = await editor.get(path, fresh)
    expectOk(await editor.patch(path, { title: 'Two', content: '<p>Second</p>' }))
    expect(await numbersOf(path)).to.deep.equal([2, 1])
    expect(expectOk(await editor.get(`${path}/versions/1`)).object).to.include({
      title: 'One',
      content: '<p>First</p>',
    })
    const restore = (tag: string | undefined) =>
      editor.send('POST', `${path}/versions/1/restore`, { headers: { 'If-Match': tag ?? '' } })
    expectError(await restore(String(headers['etag'])), 412, 'precondition_failed')
    expectOk(await restore(String((await editor.get(path, fresh)).headers['etag'])))
    expect(await read(path)).to.include({ title: 'One', content: '<p>First</p>' })
    expect(await numbersOf(path)).to.deep.equal([3, 2, 1])
    expectError(await editor.get(`${path}/versions/4`), 404, 'not_found')
    expectError(await editor.get(`${path}/versions/0`), 404, 'not_found')
    expectError(await place.home.reader.get(`${path}/versions`), 403, 'forbidden')
  })

  it('a deleted object is restored with its versions, unless its name is taken', async () => {
    const { editor } = place.home
    const path = await create(article('deleted'))
    const id = path.split('/').at(-1) ?? ''
    expectOk(await editor.patch(path, { title: 'Two' }))
    const before = await read(path)
    expectOk(await editor.delete(path))
    expectStatus(await editor.get(path, fresh), 404)
    expect(await trashed()).to.include(id)
    const other = await create(article('deleted'))
    expectFaults(await editor.post(`/trash/content/${id}/restore`, {}), 'urlname')
    expectOk(await editor.delete(other))
    expectOk(await editor.post(`/trash/content/${id}/restore`, {}))
    expect({ ...(await read(path)), modified: before['modified'] }).to.deep.equal(before)
    expect(await trashed()).not.to.include(id)
    expect(await numbersOf(path)).to.deep.equal([4, 2, 1])
    expectFaults(await editor.post(`/trash/content/${other.split('/').at(-1)}/restore`, {}), 'urlname')
  })

  it('another instance sees none of it', async () => {
    const path = await create(article('of-one-instance'))
    expectOk(await place.home.editor.delete(path))
    const other = await createPublication(place.service)
    expect(rowsOf(await other.editor.get('/trash'))).to.deep.equal([])
    expectError(
      await other.admin.post(`/trash/content/${path.split('/').at(-1)}/restore`, {}),
      404,
      'not_found',
    )
  })
})
