/** docs/behaviour/deprecated.md: slideshows are removed, blogs work and are marked as deprecated, on every store. */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import {
  columnOf,
  expectError,
  expectFaults,
  expectOk,
  objectsOf,
  uuidOf,
} from '../harness/expect-response.js'
import type { ApiResponse } from '../harness/http-client.js'
import { onEveryStore } from '../harness/on-every-store.js'

onEveryStore('removed and deprecated families', {}, (place) => {
  const create = async (urlname: string, more: JsonObject = {}): Promise<string> =>
    uuidOf(await place.home.editor.post('/blogs', { title: urlname, urlname, ...more }))

  // docs/behaviour/deprecated.md#slideshows
  it('/slideshows and below return 410 gone and name slots, for every role and method', async () => {
    const { admin, visitor } = place.home
    const id = randomUUID()
    for (const path of [
      '/slideshows',
      `/slideshows/${id}`,
      `/slideshows/${id}/slides`,
      `/slideshows/${id}/tags`,
      `/slideshows/${id}/tags/describes`,
      '/slideshows/x/y/z',
    ])
      for (const method of ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'])
        for (const api of [admin, visitor]) {
          const response = expectError(await api.send(method, path), 410, 'gone')
          expect(response.object['error_description']).to.match(/slots/)
        }
    expectError(await admin.get('/slideshow'), 404, 'not_found')
  })

  // docs/behaviour/deprecated.md#deprecation-header
  it('every response of /blogs and below has a Deprecation header, and no response of another family', async () => {
    const { editor, reader } = place.home
    const id = await create('a')
    const tag = uuidOf(await editor.post('/tags', { last_name_or_title: 'x', urlname: 'x' }))
    expectOk(await editor.put(`/tags/${tag}/describes/${id}`, {}))
    const responses: readonly ApiResponse[] = [
      await reader.get('/blogs'),
      await editor.post('/blogs', { title: 'b', urlname: 'b' }),
      await reader.get(`/blogs/${id}`),
      await editor.put(`/blogs/${id}`, { title: 'a', urlname: 'a' }),
      await reader.get(`/blogs/${id}/tags`),
      await reader.get(`/blogs/${id}/tags/describes`),
      // Also from the response cache.
      await reader.get(`/blogs/${id}`),
      await reader.get(`/blogs/${id}`),
    ]
    for (const response of responses)
      expect(expectOk(response).headers, `${response.method} ${response.path}`).to.have.property(
        'deprecation',
      )
    for (const path of ['/sections', '/content', '/tags', `/tags/${tag}/describes`])
      expect(expectOk(await reader.get(path)).headers).not.to.have.property('deprecation')
  })

  // docs/behaviour/deprecated.md#blogs
  it('a minimal blog has title, urlname, description and section_uuid', async () => {
    const { admin, editor } = place.home
    const section = uuidOf(await admin.post('/sections', { title: 'x', urlname: 'x' }))
    expectFaults(await editor.post('/blogs', {}), 'title', 'urlname')
    const id = await create('a', { description: 'd', section_uuid: section })
    const whole = {
      uuid: id,
      url: `${place.home.url}/blogs/${id}`,
      title: 'a',
      urlname: 'a',
      description: 'd',
      section_uuid: section,
    }
    expect(expectOk(await editor.get(`/blogs/${id}`)).body).to.deep.equal(whole)
    expectFaults(await editor.post('/blogs', { title: 'x', urlname: 'x', section_uuid: id }), 'section_uuid')
    expectOk(await editor.put(`/blogs/${id}`, { title: 'b', urlname: 'b' }))
    expect(expectOk(await editor.get(`/blogs/${id}`)).body).to.deep.equal({
      ...whole,
      title: 'b',
      urlname: 'b',
      description: null,
      section_uuid: null,
    })
    expectError(await place.home.reader.put(`/blogs/${id}`, whole), 403, 'forbidden')
  })

  it('content in a blog has blog_uuid, a filter by it, and a urlname that is unique within the blog', async () => {
    const { editor, reader } = place.home
    const [a, b] = [await create('a'), await create('b')]
    const article = (blog_uuid: string | null, urlname = 'x') =>
      editor.post('/content', { content_type: 'article', title: 'x', urlname, blog_uuid })
    const [inA, inB] = [uuidOf(await article(a)), uuidOf(await article(b, 'y'))]
    uuidOf(await article(null, 'z'))
    const { urlname } = expectFaults(await article(a), 'urlname')
    expect(urlname).to.equal('urlname must be unique within blog')
    const filtered = async (blogs: string) =>
      columnOf(await reader.get(`/content?fields=uuid&blogs=${blogs}`))
    expect(await filtered(a)).to.deep.equal([inA])
    expect(await filtered(`${a}_${b}`)).to.deep.equal([inA, inB])
    expect(expectOk(await reader.get(`/content/${inA}`)).object['blog_uuid']).to.equal(a)
  })

  it('tags of a blog are listed by predicate and all together', async () => {
    const { editor, reader } = place.home
    const id = await create('a')
    const tag = uuidOf(await editor.post('/tags', { last_name_or_title: 'x', urlname: 'x' }))
    expectOk(await editor.put(`/tags/${tag}/describes/${id}`, {}))
    for (const path of [`/blogs/${id}/tags`, `/blogs/${id}/tags/describes`])
      expect(objectsOf(await reader.get(path)).map(({ uuid }) => uuid)).to.deep.equal([tag])
    expect(objectsOf(await reader.get(`/blogs/${id}/tags/authored`))).to.deep.equal([])
  })
})
