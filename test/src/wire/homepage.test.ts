/** docs/behaviour/homepage.md: manual and automatic stories, on every store. */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { storyLists } from '@publishing-service/domain/content'
import {
  columnOf,
  expectError,
  expectFaults,
  expectOk,
  objectsOf,
  rowsOf,
  uuidOf,
} from '../harness/expect-response.js'
import { storeImage } from '../harness/stored-files.js'
import { objectWriter } from '../harness/object-writer.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

onEveryStore('homepage', {}, (place) => {
  const { published } = objectWriter(place)
  const first = async (): Promise<string> =>
    String(columnOf(await place.home.reader.get('/homepage?fields=uuid'))[0])
  const story = (title: string, more: JsonObject = {}) => published('article', { title, ...more })
  const tag = async (): Promise<string> =>
    uuidOf(await place.home.editor.post('/tags', { last_name_or_title: 'x', urlname: randomUUID() }))
  const titles = async (path: string, api = place.home.visitor): Promise<readonly Json[]> =>
    objectsOf(await api.get(path)).map((item) => item['title'] ?? null)

  // docs/behaviour/homepage.md#first-homepage
  it('exists once in each new instance; the list returns uuid, url and title', async () => {
    const id = await first()
    expect(rowsOf(await place.home.reader.get('/homepage?fields=uuid-url-title'))).to.deep.equal([
      [id, `${place.home.url}/homepage/${id}`, 'Homepage'],
    ])
    expect(expectOk(await place.home.reader.get(`/homepage/${id}`)).body).to.deep.equal({
      uuid: id,
      url: `${place.home.url}/homepage/${id}`,
      title: 'Homepage',
    })
  })

  it('gets a title by PUT; the first one has no POST and DELETE', async () => {
    const path = `/homepage/${await first()}`
    const { admin, editor, reader } = place.home
    expectOk(await editor.put(path, { title: 'Front page' }))
    expect(expectOk(await reader.get(path)).object['title']).to.equal('Front page')
    expectOk(await editor.put(path, {}))
    expect(expectOk(await reader.get(path)).object['title']).to.equal('Homepage')
    expectError(await reader.put(path, {}), 403, 'forbidden')
    for (const response of [await admin.delete(path), await admin.post('/homepage', { title: 'x' })])
      expectError(response, 405, 'method_not_allowed')
  })

  // docs/behaviour/homepage.md#weekdays
  it('has seven more by the words of weekdays, each with separate stories', async () => {
    const { editor, reader } = place.home
    const ids = new Set<unknown>([await first()])
    for (const day of weekdays) {
      const { object } = expectOk(await reader.get(`/homepage/${day}`))
      ids.add(object['uuid'])
      expect(object['url']).to.equal(`${place.home.url}/homepage/${String(object['uuid'])}`)
      for (const list of storyLists) {
        const path = `/homepage/${day}/${list}`
        expect(await titles(path, reader)).to.deep.equal([])
        expectOk(
          await editor.put(path, {
            items: [{ type: 'link', link_url: 'https://example.org/', title: `${day} ${list}` }],
          }),
        )
      }
    }
    expect(ids.size).to.equal(8)
    for (const day of weekdays) {
      const { uuid } = expectOk(await reader.get(`/homepage/${day}`)).object
      for (const list of storyLists)
        for (const path of [`/homepage/${day}/${list}`, `/homepage/${String(uuid)}/${list}`])
          expect(await titles(path, reader)).to.deep.equal([`${day} ${list}`])
    }
    for (const wrong of ['MON', 'monday', 'Mon', 'weekday'])
      expectError(await reader.get(`/homepage/${wrong}`), 404, 'not_found')
    expectOk(await editor.put('/homepage/mon', { title: 'Monday again' }))
    expect(expectOk(await reader.get('/homepage/mon')).object['title']).to.equal('Monday again')
    expect(await titles('/homepage/mon/headline_stories')).to.deep.equal(['mon headline_stories'])
  })

  it('has these words in each instance separately', async () => {
    const path = '/homepage/mon/headline_stories'
    expect(await titles(path), 'what other instances have').to.deep.equal([])
    expectOk(
      await place.home.editor.put(path, {
        items: [{ type: 'link', link_url: 'https://example.org/', title: 'here' }],
      }),
    )
    expect(await titles(path)).to.deep.equal(['here'])
  })

  for (const list of storyLists) {
    const at = async (): Promise<string> => `/homepage/${await first()}/${list}`

    // docs/behaviour/homepage.md#manual-stories
    it(`${list}: has manual stories, content and links, with title, description and image`, async () => {
      const { editor, reader } = place.home
      const [path, id, image] = [await at(), await story('A story'), await storeImage(editor)]
      expect(expectOk(await reader.get(path)).body).to.deep.equal({
        auto: false,
        auto_max: 5,
        auto_tag_uuids: [],
        items: [],
      })
      const items = [
        {
          type: 'link',
          link_url: 'https://example.org/',
          title: 'A link',
          description: 'd',
          image_uuid: image.id,
        },
        { type: 'content', link_uuid: id, link_url: 'https://ignored.example.org/' },
      ]
      expectOk(await editor.put(path, { auto: false, items }))
      expect(objectsOf(await reader.get(path))).to.deep.equal([
        { ...items[0], image_url: `${place.home.url}${image.download}` },
        { type: 'content', link_uuid: id, title: null, description: null, image_uuid: null, image_url: null },
      ])
      expectFaults(
        await editor.put(path, {
          items: [
            {},
            { type: 'content' },
            { type: 'link', link_url: 'x' },
            { type: 'content', link_uuid: randomUUID() },
          ],
          auto_tag_uuids: [randomUUID()],
        }),
        'items.0.type',
        'items.1.link_uuid',
        'items.2.link_url',
        'items.3.link_uuid',
        'auto_tag_uuids.0',
      )
      expectFaults(await editor.put(path, {}), 'items')
      expectError(await reader.put(path, { items: [] }), 403, 'forbidden')
    })

    it(`${list}: leaves out what public_user may not see`, async () => {
      const { editor, reader, visitor } = place.home
      const path = await at()
      const [out, draft] = [await story('out'), await story('draft', { state: 'draft' })]
      const later = await story('later', { issued: '2026-03-01T13:10:00' })
      const items = [out, draft, later].map((link_uuid) => ({ type: 'content', link_uuid }))
      expectOk(await editor.put(path, { items }))
      const seen = async (api = visitor) => objectsOf(await api.get(path)).map((item) => item['link_uuid'])
      expect(await seen(reader)).to.deep.equal([out, draft, later])
      expect(await seen()).to.deep.equal([out])
      place.service.clock.advance(599_000)
      expect(await seen()).to.deep.equal([out])
      place.service.clock.advance(1000)
      expect(await seen()).to.deep.equal([out, later])
      expectOk(await editor.delete(`/content/${out}`))
      expect(await seen()).to.deep.equal([later])
      expect(await seen(reader)).to.deep.equal([draft, later])
    })

    // docs/behaviour/homepage.md#automatic-stories
    it(`${list}: selects the newest live content with any of the tags, at most auto_max`, async () => {
      const { editor, reader } = place.home
      const path = await at()
      const [jazz, art, other] = [await tag(), await tag(), await tag()]
      const made = new Map<string, string>()
      for (const [index, tags] of [[jazz], [art], [jazz, art], [other], []].entries()) {
        const title = `s${index}`
        const id = await story(title, { issued: `2026-02-0${index + 1}`, description: `about ${title}` })
        made.set(title, id)
        for (const each of tags) expectOk(await editor.put(`/tags/${each}/describes/${id}`, {}))
      }
      const put = async (body: JsonObject) => expectOk(await editor.put(path, body))
      await put({ auto: true, auto_max: 10, auto_tag_uuids: [jazz, art] })
      expect(await titles(path)).to.deep.equal(['s2', 's1', 's0'])
      expect(expectOk(await reader.get(path)).object).to.deep.include({
        auto: true,
        auto_max: 10,
        auto_tag_uuids: [jazz, art],
      })
      expect(objectsOf(await reader.get(path))[0]).to.include({
        type: 'content',
        link_uuid: made.get('s2'),
        title: 's2',
        description: 'about s2',
      })
      await put({ auto: true, auto_max: 2, auto_tag_uuids: [jazz, art] })
      expect(await titles(path)).to.deep.equal(['s2', 's1'])
      await put({ auto: true, auto_max: 2, auto_tag_uuids: [] })
      expect(await titles(path)).to.deep.equal(['s4', 's3'])
      for (const [body, ...paths] of [
        [{ auto: true, auto_max: -1 }, 'auto_max'],
        [{ auto: true, auto_max: 101 }, 'auto_max'],
        [{ auto: 'yes', auto_max: 1.5, items: [] }, 'auto', 'auto_max'],
      ] as const)
        expectFaults(await editor.put(path, body), ...paths)
    })

    it(`${list}: follows a tag, a state, an issue date, a title and a deletion at once`, async () => {
      const { editor, visitor } = place.home
      const path = await at()
      const jazz = await tag()
      expectOk(await editor.put(path, { auto: true, auto_max: 5, auto_tag_uuids: [jazz] }))
      expect(await titles(path)).to.deep.equal([])
      const [a, b] = [await story('a', { issued: '2026-01-01' }), await story('b', { issued: '2026-01-02' })]
      expectOk(await editor.put(`/tags/${jazz}/describes/${a}`, {}))
      expect(await titles(path)).to.deep.equal(['a'])
      expectOk(await editor.put(`/tags/${jazz}/authored/${b}`, {}))
      expect(await titles(path)).to.deep.equal(['b', 'a'])
      expectOk(await editor.patch(`/content/${a}`, { issued: '2026-01-03' }))
      expect(await titles(path)).to.deep.equal(['a', 'b'])
      expectOk(await editor.patch(`/content/${a}`, { title: 'A' }))
      expect(await titles(path)).to.deep.equal(['A', 'b'])
      expectOk(await editor.patch(`/content/${a}`, { issued: '2026-03-01T13:00:10' }))
      expect(await titles(path)).to.deep.equal(['b'])
      place.service.clock.advance(9000)
      expect(await titles(path)).to.deep.equal(['b'])
      place.service.clock.advance(1000)
      expect(await titles(path)).to.deep.equal(['A', 'b'])
      expect(await titles(path, place.home.reader)).to.deep.equal(['A', 'b'])
      expectOk(await editor.patch(`/content/${b}`, { state: 'draft' }))
      expect(await titles(path)).to.deep.equal(['A'])
      expectOk(await editor.delete(`/tags/${jazz}/describes/${a}`))
      expect(await titles(path)).to.deep.equal([])
      expectOk(await editor.put(`/tags/${jazz}/describes/${a}`, {}))
      expectOk(await editor.delete(`/tags/${jazz}`))
      const { object } = expectOk(await visitor.get(path))
      expect(object['auto_tag_uuids']).to.deep.equal([])
      expect(expectOk(await visitor.get(path, fresh)).text).to.equal(expectOk(await visitor.get(path)).text)
    })

    it(`${list}: never selects drafts, for any role, and ignores manual items sent with auto`, async () => {
      const path = await at()
      await story('draft', { state: 'draft', issued: '2026-01-01' })
      await story('out', { issued: '2026-01-01' })
      const items = [{ type: 'link', link_url: 'https://example.org/' }]
      expectOk(await place.home.editor.put(path, { auto: true, items }))
      for (const api of [place.home.visitor, place.home.editor])
        expect(await titles(path, api)).to.deep.equal(['out'])
      const { object } = expectOk(await place.home.editor.get(path))
      expectOk(await place.home.editor.put(path, object, { Prefer: 'handling=strict' }))
      expect(expectOk(await place.home.editor.get(path, fresh)).body).to.deep.equal(object)
    })
  }
})
