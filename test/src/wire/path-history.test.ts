/**
 * docs/behaviour/paths.md#path-history: content, locations, sections, tags, and everything below a renamed or moved
 * section.
 */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import { resources } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { segmentsOf } from '@publishing-service/domain/engine'
import { expectError, expectFaults, expectOk, objectsOf, uuidOf } from '../harness/expect-response.js'
import { onEveryStore } from '../harness/on-every-store.js'

onEveryStore('path history', {}, (place) => {
  const section = async (urlname: string, parent: string | null = null): Promise<string> =>
    uuidOf(await place.home.admin.post('/sections', { title: urlname, urlname, parent_uuid: parent }))
  const article = async (urlname: string, section_uuid: string | null = null): Promise<string> =>
    uuidOf(
      await place.home.editor.post('/content', {
        content_type: 'article',
        title: urlname,
        urlname,
        section_uuid,
      }),
    )
  const history = async (path: string, api = place.home.reader) =>
    objectsOf(await api.get(`${path}/path_history`)).map(({ path: old }) => old)
  const patch = async (path: string, body: JsonObject) => expectOk(await place.home.admin.patch(path, body))

  it('exists for the resources with a public path, and for nothing else', async () => {
    const having = new Set<string>()
    for (const resource of resources) {
      const path = `/${segmentsOf(resource)}/${randomUUID()}/path_history`
      const { error_description: description } = expectError(
        await place.home.admin.get(path),
        404,
        'not_found',
      ).object
      expect(description).to.be.a('string')
      if ((await place.home.admin.send('OPTIONS', path)).status === 200) having.add(resource.collection)
    }
    // The tags below a category and a tag’s predicates have similar URLs.
    having.delete('tag_categories')
    const placed = resources.filter(({ path }) => path !== undefined).map(({ collection }) => collection)
    expect(placed).to.include.members(['content', 'locations', 'sections', 'tags'])
    expect([...having]).to.have.members(placed)
  })

  it('is listed by GET, appended by POST, replaced by PUT, in the order sent', async () => {
    const { editor, reader, visitor } = place.home
    const path = `/content/${await article('a')}/path_history`
    expect(objectsOf(await reader.get(path))).to.deep.equal([])
    expectOk(await editor.post(path, { path: '/one/' }))
    expectOk(await editor.post(path, { path: '/two' }))
    expectOk(await editor.post(path, { path: '/one/' }))
    expect(objectsOf(await reader.get(path))).to.deep.equal([{ path: '/one/' }, { path: '/two' }])
    expectOk(await editor.put(path, { items: [{ path: '/three/' }, { path: '/one/' }, { path: '/three/' }] }))
    expect(objectsOf(await reader.get(path))).to.deep.equal([{ path: '/three/' }, { path: '/one/' }])
    expectOk(await editor.put(path, { items: [] }))
    expect(objectsOf(await reader.get(path))).to.deep.equal([])
    expectFaults(await editor.post(path, { path: 'no slash' }), 'path')
    expectFaults(
      await editor.put(path, { items: [{ path: '/ok' }, {}, { path: '/a b' }] }),
      'items.1.path',
      'items.2.path',
    )
    expectError(await reader.post(path, { path: '/x' }), 403, 'forbidden')
    expectError(await visitor.get(path), 404, 'not_found')
  })

  // docs/behaviour/paths.md#recorded-paths
  it('gets the old path where urlname or section change, newest first, never the current path', async () => {
    const [news, sport] = [await section('news'), await section('sport')]
    const path = `/content/${await article('a', news)}`
    await patch(path, { urlname: 'b' })
    expect(await history(path)).to.deep.equal(['/news/a/'])
    await patch(path, { section_uuid: sport })
    expect(await history(path)).to.deep.equal(['/news/b/', '/news/a/'])
    await patch(path, { section_uuid: null })
    await patch(path, { title: 'Another' })
    expect(await history(path)).to.deep.equal(['/sport/b/', '/news/b/', '/news/a/'])
    await patch(path, { section_uuid: news, urlname: 'a' })
    expect(await history(path)).to.deep.equal(['/b/', '/sport/b/', '/news/b/'])
    const { object } = expectOk(await place.home.editor.get(path))
    expectOk(await place.home.editor.put(path, { ...object, urlname: 'c' }))
    expect(await history(path)).to.deep.equal(['/news/a/', '/b/', '/sport/b/', '/news/b/'])
  })
})
