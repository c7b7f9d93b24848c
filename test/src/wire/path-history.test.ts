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
import { fresh, onEveryStore } from '../harness/on-every-store.js'

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

  it('works for locations and tags as well', async () => {
    const { editor } = place.home
    const location = `/locations/${uuidOf(await editor.post('/locations', { title: 'x', urlname: 'bar' }))}`
    const tag = `/tags/${uuidOf(await editor.post('/tags', { last_name_or_title: 'x', urlname: 'jazz' }))}`
    await patch(location, { urlname: 'cafe' })
    await patch(tag, { urlname: 'bebop' })
    expect(await history(location)).to.deep.equal(['/locations/bar/'])
    expect(await history(tag)).to.deep.equal(['/tags/jazz/'])
    expect(await history(tag, place.home.visitor)).to.deep.equal(['/tags/jazz/'])
  })

  it('gets the old path of everything below a renamed section at once, subsections and their content included', async () => {
    const news = await section('news')
    const local = await section('local', news)
    const [top, deep] = [`/content/${await article('top', news)}`, `/content/${await article('deep', local)}`]
    const paths = [`/sections/${news}`, `/sections/${local}`, top, deep]
    for (const path of paths) expect(await history(path)).to.deep.equal([])
    await patch(`/sections/${news}`, { urlname: 'world' })
    const histories = async () => Promise.all(paths.map((path) => history(path)))
    expect(await histories()).to.deep.equal([
      ['/news/'],
      ['/news/local/'],
      ['/news/top/'],
      ['/news/local/deep/'],
    ])
    await patch(`/sections/${local}`, { urlname: 'near' })
    await patch(`/sections/${news}`, { urlname: 'globe' })
    const [ofNews, ofLocal, ofTop, ofDeep] = await histories()
    expect(ofNews).to.deep.equal(['/world/', '/news/'])
    expect(ofLocal).to.have.members(['/world/local/', '/news/local/', '/world/near/', '/news/near/'])
    expect(ofTop).to.have.members(['/world/top/', '/news/top/'])
    expect(ofDeep).to.include.members(['/news/local/deep/', '/world/local/deep/', '/world/near/deep/'])
    for (const each of [ofNews, ofLocal, ofTop, ofDeep]) expect(new Set(each).size).to.equal(each?.length)
    expect(expectOk(await place.home.reader.get(deep)).object['perma_url_path']).to.equal('/globe/near/deep/')
    for (const path of paths)
      expect(
        objectsOf(await place.home.reader.get(`${path}/path_history`, fresh)).map(({ path: old }) => old),
      ).to.deep.equal(await history(path))
  })

  // docs/behaviour/sections.md#moves
  it('gets the old path of everything below a moved section', async () => {
    const [a, b] = [await section('a'), await section('b')]
    const child = await section('child', a)
    const story = `/content/${await article('x', child)}`
    await patch(`/sections/${child}`, { parent_uuid: b })
    expect(await history(`/sections/${child}`)).to.deep.equal(['/a/child/'])
    expect(await history(story)).to.deep.equal(['/a/child/x/'])
    await patch(story, { section_uuid: a })
    expect(await history(story)).to.include.members(['/a/child/x/', '/b/child/x/'])
    await patch(`/sections/${child}`, { parent_uuid: null })
    expect(await history(story)).to.include.members(['/a/child/x/', '/b/child/x/'])
    expect(await history(story)).not.to.include('/child/x/')
  })

  // docs/behaviour/paths.md#removed-paths
  it('loses paths derived from sections by PUT, and gets later derived paths at the top', async () => {
    const news = await section('news')
    const story = `/content/${await article('x', news)}`
    await patch(`/sections/${news}`, { urlname: 'world' })
    expect(await history(story)).to.deep.equal(['/news/x/'])
    expectOk(await place.home.editor.put(`${story}/path_history`, { items: [{ path: '/mine/' }] }))
    expect(await history(story)).to.deep.equal(['/mine/'])
    await patch(`/sections/${news}`, { urlname: 'globe' })
    expect(await history(story)).to.have.members(['/mine/', '/world/x/'])
    expectOk(await place.home.editor.post(`${story}/path_history`, { path: '/news/x/' }))
    expect(await history(story)).to.have.members(['/mine/', '/world/x/', '/news/x/'])
  })

  it('is written by the roles that may write the object', async () => {
    const path = `/sections/${await section('a')}/path_history`
    expectOk(await place.home.editor.post(path, { path: '/x' }))
    for (const api of [place.home.reader, place.home.visitor]) {
      expectError(await api.put(path, { items: [] }), 403, 'forbidden')
      expectOk(await api.get(path))
    }
  })
})
