/** The parameter include (docs/behaviour/collections.md#include). */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import { expectFaults, expectOk, infoOf, uuidOf } from '../harness/expect-response.js'
import type { Api } from '../harness/http-client.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'
import { storeImage } from '../harness/stored-files.js'

onEveryStore('include', { directory_addon: true }, (place) => {
  const write = async (collection: string, body: JsonObject): Promise<string> =>
    uuidOf(await place.home.admin.post(`/${collection}`, { title: 'x', urlname: randomUUID(), ...body }))
  const article = (body: JsonObject = {}) =>
    write('content', { content_type: 'article', state: 'published', ...body })
  const attach = async (tag: string, predicate: string, id: string) =>
    expectOk(await place.home.admin.put(`/tags/${tag}/${predicate}/${id}`, {}))
  const objectIn = (value: Json | undefined): JsonObject =>
    isJsonObject(value ?? null) ? (value as JsonObject) : {}
  const read = async (path: string, client: Api = place.home.reader): Promise<JsonObject> =>
    expectOk(await client.get(path, fresh)).object
  const included = async (path: string, client?: Api): Promise<JsonObject> =>
    objectIn((await read(path, client))['included'])

  it('returns a page with the objects that its rows refer to, each once', async () => {
    const parent = await write('sections', { title: 'Culture' })
    const section = await write('sections', { title: 'Music', parent_uuid: parent })
    const { id: image } = await storeImage(place.home.editor)
    const tag = await write('tags', { last_name_or_title: 'Jazz' })
    const one = await article({ section_uuid: section, teaser_image_uuid: image, title: 'a' })
    const two = await article({ section_uuid: section, title: 'b' })
    await attach(tag, 'describes', one)
    await attach(tag, 'authored', two)
    const page = await read(
      `/content?sections=${section}&order=title&fields=uuid,tags&include=section.parent,teaser_image,tags`,
    )
    expect(page['items']).to.deep.equal([
      [one, [{ uuid: tag, predicate: 'describes' }]],
      [two, [{ uuid: tag, predicate: 'authored' }]],
    ])
    const objects = objectIn(page['included'])
    expect(Object.keys(objects)).to.have.members([section, parent, image, tag])
    for (const [path, id] of [
      [`/sections/${section}`, section],
      [`/sections/${parent}`, parent],
      [`/files/${image}`, image],
      [`/tags/${tag}`, tag],
    ] as const) {
      const { content: _long, placeholder: _longToo, ...light } = await read(path)
      expect(objects[id], path).to.deep.equal(light)
    }
  })

  it('returns an object with others, and without long attributes', async () => {
    const target = await article({ title: 'target', content: '<p>Long.</p>' })
    const spot = await write('locations', { title: 'Bar' })
    const roundup = await write('content', {
      content_type: 'roundup_content',
      roundup_content_targets: [{ target_uuid: target }],
    })
    const review = await write('content', {
      content_type: 'review_location',
      location_uuid: spot,
      rating: '3',
    })
    const [{ [target]: found = null }, whole] = [
      await included(`/content/${roundup}?include=roundup_content_targets`),
      await read(`/content/${target}`),
    ]
    expect(whole['content']).to.equal('<p>Long.</p>')
    expect(whole).to.deep.include(objectIn(found))
    expect(found).to.include({ uuid: target, title: 'target' }).and.not.to.have.property('content')
    expect(Object.keys(await included(`/content/${review}?include=location`))).to.deep.equal([spot])
    expect(await read(`/content/${review}`)).not.to.have.property('included')
    // In rows too, although the list is a long attribute.
    const listed = await included(`/content?ctypes=roundups_content&rpp=100&include=roundup_content_targets`)
    expect(listed).to.have.property(target)
  })

  it('leaves out what the role does not see, and what was deleted', async () => {
    const tag = await write('tags', { last_name_or_title: 'Hidden', state: 'internal' })
    const gone = await write('tags', { last_name_or_title: 'Gone' })
    const draft = await article({ state: 'draft' })
    const future = await article({ issued: '2090-01-01' })
    const roundup = await write('content', {
      content_type: 'roundup_content',
      state: 'published',
      roundup_content_targets: [{ target_uuid: draft }, { target_uuid: future }],
    })
    await attach(tag, 'describes', roundup)
    await attach(gone, 'describes', roundup)
    expectOk(await place.home.admin.delete(`/tags/${gone}`))
    const path = `/content/${roundup}?include=tags,roundup_content_targets,roundup_content_targets.tags`
    expect(Object.keys(await included(path))).to.have.members([tag, draft, future])
    expect(await included(path, place.home.visitor)).to.deep.equal({})
    const row = `/content?ctypes=roundups_content&fields=uuid,tags&rpp=100&include=tags`
    const seen = (await read(row, place.home.visitor))['items']
    expect(seen).to.deep.include([roundup, []])
  })

  it('changes with the included objects', async () => {
    const section = await write('sections', { title: 'Before' })
    const id = await article({ section_uuid: section })
    const title = async (): Promise<Json | undefined> => {
      const { object } = expectOk(await place.home.visitor.get(`/content/${id}?include=section`))
      return objectIn(objectIn(object['included'])[section])['title']
    }
    expect(await title()).to.equal('Before')
    expect(await title()).to.equal('Before')
    expectOk(await place.home.admin.patch(`/sections/${section}`, { title: 'After' }))
    expect(await title()).to.equal('After')
  })

  it('applies to the lists of tags, categories, events and occurrences', async () => {
    const section = await write('sections', { title: 'Stage' })
    const tag = await write('tags', { last_name_or_title: 'Jazz' })
    const { id: image } = await storeImage(place.home.editor)
    const portrayed = await write('tags', { last_name_or_title: 'Monk', feature_image_uuid: image })
    const event = await write('content', {
      content_type: 'event',
      state: 'published',
      dtstart: '2031-05-01T20:00:00',
      section_uuid: section,
    })
    await attach(tag, 'describes', event)
    const category = uuidOf(
      await place.home.admin.post('/tags/categories', { title: 'People', urlname: randomUUID() }),
    )
    expectOk(
      await place.home.admin.put(`/tags/categories/${category}/tags`, { items: [{ uuid: portrayed }] }),
    )
    for (const [path, id] of [
      [`/tags/${tag}/describes?include=section`, section],
      [`/tags/categories/${category}/tags?include=feature_image`, image],
      ['/events?dtstart=2031-05-01_2031-05-02&include=section', section],
      ['/events/occurrences?period=2031-05-01_2031-05-02&include=section', section],
    ] as const)
      expect(Object.keys(await included(path)), path).to.deep.equal([id])
  })

  it('is a fault that names what is accepted', async () => {
    const id = await article()
    const strict = { Prefer: 'handling=strict' }
    for (const path of ['/content', `/content/${id}`]) {
      const rejected = await place.home.reader.get(`${path}?include=nothing,section.parent.parent`, fresh)
      expectFaults(rejected, 'include')
      expect(infoOf(rejected)['include']).to.include('section.parent')
      expectFaults(await place.home.reader.get(`${path}?include=section&include=tags`, fresh), 'include')
      expectOk(await place.home.reader.get(`${path}?include=section`, strict))
    }
    // Redirects refer to nothing.
    expectFaults(await place.home.reader.get('/redirects?include=section', strict), 'include')
    expectOk(await place.home.reader.get('/redirects?include=section', fresh))
  })
})
