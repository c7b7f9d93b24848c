/** docs/behaviour/homepage.md: manual and automatic stories, on every store. */
import { expect } from 'chai'
import { it } from 'mocha'
import type { Json } from '@publishing-service/domain/json'
import { storyLists } from '@publishing-service/domain/content'
import { columnOf, expectError, expectOk, objectsOf, rowsOf } from '../harness/expect-response.js'
import { onEveryStore } from '../harness/on-every-store.js'

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

onEveryStore('homepage', {}, (place) => {
  const first = async (): Promise<string> =>
    String(columnOf(await place.home.reader.get('/homepage?fields=uuid'))[0])

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
})
