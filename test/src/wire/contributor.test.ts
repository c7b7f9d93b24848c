/** The role contributor: creates content and files, writes only the drafts that it created, and never publishes. */
import { expect } from 'chai'
import { beforeEach, it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import { expectError, expectOk, uuidOf } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import { smallPng } from '../harness/small-files.js'
import { uploadTo } from '../harness/stored-files.js'
import { onEveryStore } from '../harness/on-every-store.js'
import type { Publication } from '../harness/publication.js'

const article = (urlname: string): JsonObject => ({ content_type: 'article', title: 'A story', urlname })

onEveryStore('the role contributor', {}, (place) => {
  let home: Publication
  let contributor: Api
  let colleague: Api
  beforeEach(async () => {
    home = place.home
    contributor = home.as.contributor
    colleague = createApi(home.url, await place.service.tokenFor('contributor', home.number))
  })

  const draft = async (api: Api = contributor): Promise<string> =>
    `/content/${uuidOf(expectOk(await api.post('/content', article(randomUUID()))))}`
  const forbidden = (response: Awaited<ReturnType<Api['get']>>) => expectError(response, 403, 'forbidden')

  // docs/behaviour/access.md#contributor
  it('creates, changes and deletes its drafts', async () => {
    const path = await draft()
    expectOk(await contributor.patch(path, { title: 'Changed', content: '<p>Text.</p>' }))
    expect(expectOk(await contributor.get(path)).object).to.include({ title: 'Changed', state: 'draft' })
    const chosen = `/content/${randomUUID()}`
    expectOk(await contributor.put(chosen, article('chosen')))
    for (const own of [path, chosen]) expectOk(await contributor.delete(own))
  })

  it('writes slots, media, earlier paths and tags of its drafts only', async () => {
    const tag = uuidOf(expectOk(await home.editor.post('/tags', { last_name_or_title: 'T', urlname: 't' })))
    const slot = randomUUID()
    const body = { content: `<p>Text.</p><slot id="${slot}"/>` }
    const own = await draft()
    expectOk(await contributor.patch(own, body))
    const others = await draft(home.editor)
    expectOk(await home.editor.patch(others, body))
    const medium = { type: 'embed', embed_code: 'x' }
    const writes: readonly ((path: string) => ReturnType<Api['get']>)[] = [
      (path) => contributor.put(`${path}/slots/${slot}`, { relevance: 'aside' }),
      (path) => contributor.post(`${path}/slots/${slot}/media`, medium),
      (path) => contributor.put(`${path}/slots/${slot}/media`, { items: [medium] }),
      (path) => contributor.post(`${path}/path_history`, { path: '/old/' }),
      (path) => contributor.put(`/tags/${tag}/describes/${path.split('/').at(-1) ?? ''}`, {}),
    ]
    for (const write of writes) {
      expectOk(await write(own))
      forbidden(await write(others))
    }
  })

  it('neither publishes nor changes what is published', async () => {
    const path = await draft()
    forbidden(await contributor.patch(path, { state: 'published' }))
    forbidden(await contributor.post('/content', { ...article('published'), state: 'published' }))
    expectOk(await home.editor.patch(path, { state: 'published' }))
    forbidden(await contributor.patch(path, { title: 'Changed' }))
    forbidden(await contributor.patch(path, { state: 'draft' }))
    forbidden(await contributor.delete(path))
    expect(expectOk(await home.reader.get(path)).object).to.include({ title: 'A story', state: 'published' })
  })

  it('cannot write the drafts of others, other contributors included', async () => {
    for (const api of [colleague, home.editor]) {
      const path = await draft(api)
      forbidden(await contributor.patch(path, { title: 'Changed' }))
      forbidden(await contributor.put(path, article('replaced')))
      forbidden(await contributor.delete(path))
      expect(expectOk(await contributor.get(path)).object['title']).to.equal('A story')
    }
  })

  it('creates files and uploads their data, and cannot change files with data', async () => {
    const id = randomUUID()
    const path = `/files/${id}`
    expectOk(await contributor.put(path, { title: 'A file', filename: 'a.png' }))
    expectOk(await contributor.patch(path, { title: 'Another title' }))
    await uploadTo(contributor, id, 'image/png', smallPng)
    forbidden(await contributor.patch(path, { title: 'Changed' }))
    forbidden(await contributor.delete(path))
    const upload = { body: smallPng, headers: { 'Content-Type': 'image/png' } }
    forbidden(await contributor.send('POST', path, upload))
    expect(expectOk(await home.reader.get(path)).object['title']).to.equal('Another title')
  })

  it('writes nothing else', async () => {
    forbidden(await contributor.post('/sections', { title: 'S', urlname: 's' }))
    forbidden(await contributor.post('/locations', { title: 'L', urlname: 'l' }))
    forbidden(await contributor.post('/tags', { last_name_or_title: 'T', urlname: 'tt' }))
    forbidden(await contributor.patch('/settings', { title: 'S' }))
  })

  // docs/behaviour/writing.md#created-and-modified
  // docs/behaviour/access.md#hidden-attributes
  it('returns the API user that created an object as created_by, read-only and hidden from public_user', async () => {
    const path = await draft()
    const read = async (api: Api) => expectOk(await api.get(path, { 'Cache-Control': 'no-cache' })).object
    const creator = (await read(home.reader))['created_by']
    expect(creator).to.be.a('string')
    expectOk(await home.editor.patch(path, { created_by: randomUUID(), state: 'published' }))
    expect((await read(home.reader))['created_by']).to.equal(creator)
    expect((await read(home.visitor))['created_by'] ?? null).to.equal(null)
    expect((await read(contributor))['created_by']).to.equal(creator)
    const other = await draft(colleague)
    expect(expectOk(await home.reader.get(other)).object['created_by']).not.to.equal(creator)
  })
})
